"""Lines come whole and in order, however the bytes do."""

from hypothesis import given
from hypothesis import strategies as st

from gamut.net.lines.reader import LONG, LineReader, lone_line
from gamut.net.websocket.frames import BINARY, TEXT, Message

LARGEST = 8


def read(*pieces: bytes, largest: int = LARGEST) -> list[Message]:
    reader = LineReader(largest)
    return [message for piece in pieces for message in reader.feed(piece)]


def expected(data: bytes) -> list[Message]:
    """Said once more, in the simplest way: all of it at once."""
    *whole, begun = data.split(b"\n")
    found: list[Message] = []
    for line in whole:
        text = line[:-1] if line.endswith(b"\r") else line
        if len(text) > LARGEST:
            found.append((LONG, b""))
            continue
        try:
            text.decode()
        except UnicodeDecodeError:
            found.append((BINARY, text))
        else:
            found.append((TEXT, text))
    return [*found, (LONG, b"")] if len(begun) > LARGEST + 1 else found


@given(
    st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r\n", b"\r", b"\xc3", b"\xa4", b"dddddddd", b"\xff"]))
)
def test_lines_are_the_same_wherever_they_are_split(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    assert read(*pieces) == expected(whole)
    assert read(*(bytes([byte]) for byte in whole)) == expected(whole)
    assert read(whole) == expected(whole)


def test_a_line_that_is_too_long_is_told_once_before_its_end_and_the_next_one_is_heard() -> None:
    reader = LineReader(LARGEST)
    assert list(reader.feed(b"x" * 10)) == [(LONG, b"")]
    assert list(reader.feed(b"x" * 1000)) == []
    assert not reader.between
    assert list(reader.feed(b"xx\nnext\n")) == [(TEXT, b"next")]
    assert reader.between


def test_of_a_line_that_is_too_long_nothing_is_kept() -> None:
    reader = LineReader(LARGEST)
    for _ in range(100):
        list(reader.feed(b"x" * 1000))
    assert len(reader._buffer) == 0


def test_the_longest_line_is_heard_with_either_end() -> None:
    assert read(b"12345678\n12345678\r\n") == [(TEXT, b"12345678")] * 2
    assert read(b"123456789\n") == [(LONG, b"")]
    assert read(b"12345678\r", b"\n") == [(TEXT, b"12345678")]


def test_whoever_stops_reading_goes_on_where_it_was() -> None:
    reader = LineReader(LARGEST)
    first = next(iter(reader.feed(b"one\ntwo\nthr")))
    assert first == (TEXT, b"one")
    assert list(reader.feed(b"")) == [(TEXT, b"two")]
    assert list(reader.feed(b"ee\n")) == [(TEXT, b"three")]


def test_one_line_that_comes_alone_is_read_without_a_reader() -> None:
    assert lone_line(b"hello\r\n", LARGEST) == b"hello"
    assert lone_line(b"\n", LARGEST) == b""
    for other in (b"", b"hello", b"one\ntwo\n", b"one\ntw", b"123456789\n", b"\xff\n"):
        assert lone_line(other, LARGEST) is None
