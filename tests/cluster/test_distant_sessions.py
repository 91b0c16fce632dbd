"""What stands at a gateway for a session tells the socket when its client is answered, has greeted, and is slow."""

from tests.cluster.support.town import Client, town


def join(client: Client) -> None:
    client.utter(type="join_room", data={"room": "den", "name": "Ann"})


def test_what_is_to_come_after_all_answers_waits_for_the_next_owner() -> None:
    with town() as place:
        place.open()
        client = place.player()
        place.kill()
        join(client)
        done: list[bytes] = []
        client.session.after_answers(lambda: done.append(client.wire.data))
        place.settle()
        assert not done
        place.open()
        (said,) = done
        assert b"room_joined" in said
        client.session.after_answers(lambda: done.append(b"at once"))
        assert done[1:] == [b"at once"]


def test_whether_a_client_has_greeted_is_not_known_before_what_it_said_is_dealt_with() -> None:
    with town() as place:
        place.open()
        silent, friendly = place.player(), place.player()
        assert (silent.session.greeted, friendly.session.greeted) == (False, False)
        place.kill()
        join(friendly)
        assert (silent.session.greeted, friendly.session.greeted) == (False, None)
        place.open()
        assert (silent.session.greeted, friendly.session.greeted) == (False, True)


def test_the_owner_hears_of_all_that_a_slow_reader_has_taken() -> None:
    with town() as place:
        node = place.open()
        client = place.player()
        (peer,) = node.owner._peers.values()
        (wire,) = peer.connections.values()
        client.wire.queued = 60_000
        place.run(lambda: wire.write(bytes(100_000)))
        place.settle()
        assert wire.queued == 60_000
        client.wire.queued = 0
        place.advance(0.2)
        assert wire.queued == 0, "although nothing more is said to it"
