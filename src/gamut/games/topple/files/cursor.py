"""Reading bytes one field after the other."""

from gamut.games.files import BadFile


def damaged(reason: str) -> BadFile:
    return BadFile("damaged", f"The file is damaged: {reason}.")


class Cursor:
    """A place in some bytes. Whatever is asked for must be there."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    @property
    def done(self) -> bool:
        return self.place >= len(self.data)

    def take(self, count: int) -> bytes:
        end = self.place + count
        if end > len(self.data):
            raise damaged("it ends too early")
        taken = self.data[self.place : end]
        self.place = end
        return taken

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "big")

    def text(self, count: int) -> str:
        try:
            return self.take(count).decode()
        except UnicodeDecodeError:
            raise damaged("a name in it is not text") from None

    def expect(self, mark: bytes, what: str) -> None:
        if self.take(len(mark)) != mark:
            raise damaged(f"the {what} is not where it should be")

    def skip_past(self, mark: bytes, what: str) -> None:
        found = self.data.find(mark, self.place)
        if found < 0:
            raise damaged(f"the {what} is missing")
        self.place = found + len(mark)
