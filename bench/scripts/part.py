"""What one client will hear, byte for byte."""


class Part:
    """A stretch of what one client will hear, and the places in it at which it does something."""

    __slots__ = ("ends", "stream")

    def __init__(self, pieces: list[bytes]) -> None:
        self.stream = b"".join(pieces)
        self.ends = tuple(len(b"".join(pieces[: number + 1])) for number in range(len(pieces)))
