"""Where the nodes are, what they speak with, and the players: all of it here, unless a network says otherwise."""

from bench.cluster.weather import Weather
from bench.place import HERE, Place


class Network:
    players: Place = HERE
    postgres: Place = HERE
    nats: Place = HERE
    weather: Weather | None = None
    """Of all ways from and to nodes, where proxies make it."""
    has_proxies: bool = True
    """Nodes reach NATS by a way of ours, which can be cut."""

    def node(self, number: int) -> Place:
        return HERE

    def flags(self, number: int) -> tuple[str, ...]:
        """What else a node has to be told."""
        return ()
