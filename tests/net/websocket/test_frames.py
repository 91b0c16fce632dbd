"""WebSocket frames from clients: what arrives is what was sent, however it was cut up."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamut.net.websocket.frames import (
    BINARY,
    CLOSE,
    PART,
    PING,
    PONG,
    TEXT,
    FrameReader,
    Message,
    TooBig,
    Violation,
    close_code,
    closing_frame,
    lone_text,
    unmasked,
)

KEY = b"\x01\x82\x03\xf4"
LARGEST = 70_000


def frame(first: int, payload: bytes = b"", key: bytes | None = KEY) -> bytes:
    """As a client sends it."""
    masked = 0 if key is None else 0x80
    size = len(payload)
    if size < 126:
        head = bytes((first, masked | size))
    elif size < 65_536:
        head = bytes((first, masked | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((first, masked | 127)) + size.to_bytes(8, "big")
    return head + (payload if key is None else key + unmasked(payload, key))


def whole(kind: int, payload: bytes = b"") -> bytes:
    return frame(0x80 | kind, payload)


def heard(data: bytes, reader: FrameReader | None = None) -> list[Message]:
    """The messages; frames that complete none are left out."""
    return [message for message in (reader or FrameReader(LARGEST)).feed(data) if message[0] != PART]


@given(
    data=st.one_of(
        st.binary(max_size=140),
        st.builds(frame, st.integers(0, 255), st.binary(max_size=130), st.sampled_from([KEY, None])),
        st.builds(
            bytes.__add__, st.binary(max_size=80).map(lambda text: whole(TEXT, text)), st.binary(max_size=3)
        ),
    )
)
def test_what_is_read_at_a_glance_is_what_a_reader_reads(data: bytes) -> None:
    text = lone_text(data)
    if text is not None:
        reader = FrameReader(LARGEST)
        assert heard(data, reader) == [(TEXT, text)]
        assert reader.between


def test_one_short_frame_of_text_is_read_at_a_glance() -> None:
    for size in range(126):
        assert lone_text(whole(TEXT, b"x" * size)) == b"x" * size
    assert lone_text(whole(TEXT, "größer".encode())) == "größer".encode()
    assert lone_text(whole(TEXT, bytes(126))) is None
    assert lone_text(whole(TEXT, b"12")[:-1]) is None
    assert lone_text(whole(TEXT, b"12") + b"\x81") is None


@pytest.mark.parametrize(
    "data", [b"\xff\xff", *(whole(kind, b"12") for kind in (BINARY, CLOSE, PING, PONG)), whole(TEXT, b"\xff")]
)
def test_whatever_else_comes_is_left_to_the_reader(data: bytes) -> None:
    assert lone_text(data) is None


def test_a_reader_in_the_middle_of_something_is_not_between_messages() -> None:
    reader = FrameReader(LARGEST)
    assert reader.between
    assert heard(whole(TEXT, b"hello")[:3], reader) == []
    assert not reader.between
    reader = FrameReader(LARGEST)
    assert heard(frame(TEXT, b"begun"), reader) == []
    assert not reader.between
    assert heard(frame(0x80, b" and ended"), reader) == [(TEXT, b"begun and ended")]
    assert reader.between


sizes = st.sampled_from((125, 126, 127, 65_535, 65_536)).map(bytes)
payloads = {
    TEXT: st.one_of(st.text(max_size=100).map(str.encode), sizes),
    BINARY: st.one_of(st.binary(max_size=200), sizes),
}


@st.composite
def conversations(draw: st.DrawFn) -> tuple[list[Message], bytes]:
    """Messages, and the frames of a client that splits them as it likes, with control frames in between."""
    said: list[Message] = []
    data = b""

    def control() -> None:
        nonlocal data
        if draw(st.booleans()):
            kind, payload = draw(st.sampled_from((PING, PONG))), draw(st.binary(max_size=125))
            said.append((kind, payload))
            data += whole(kind, payload)

    for _ in range(draw(st.integers(0, 5))):
        control()
        kind = draw(st.sampled_from((TEXT, BINARY)))
        payload = draw(payloads[kind])
        cuts = sorted(draw(st.lists(st.integers(0, len(payload)), max_size=3)))
        pieces = [payload[a:b] for a, b in zip([0, *cuts], [*cuts, len(payload)], strict=True)]
        for number, piece in enumerate(pieces):
            final = 0x80 if number == len(pieces) - 1 else 0
            data += frame(
                final | (kind if number == 0 else 0), piece, draw(st.binary(min_size=4, max_size=4))
            )
            if not final:
                control()
        said.append((kind, payload))
    return said, data


@given(conversations(), st.lists(st.integers(0, 300_000), max_size=6))
def test_messages_arrive_whole_and_in_order_however_the_bytes_come(
    conversation: tuple[list[Message], bytes], cuts: list[int]
) -> None:
    said, data = conversation
    ends = sorted(cut % (len(data) + 1) for cut in cuts)
    reader = FrameReader(LARGEST)
    arrived = [
        message
        for a, b in zip([0, *ends], [*ends, len(data)], strict=True)
        for message in heard(data[a:b], reader)
    ]
    assert arrived == said


def test_byte_by_byte() -> None:
    data = whole(TEXT, b"hello") + whole(PING) + frame(BINARY, b"ab") + frame(0x80, b"c")
    reader = FrameReader(LARGEST)
    arrived = [message for byte in data for message in heard(bytes((byte,)), reader)]
    assert arrived == [(TEXT, b"hello"), (PING, b""), (BINARY, b"abc")]


@pytest.mark.parametrize(
    "data",
    [
        frame(0x80 | TEXT, b"hi", key=None),
        frame(0xC0 | TEXT, b"hi"),
        frame(0xA0 | TEXT),
        frame(0x90 | TEXT),
        frame(0x83),
        frame(0x8B),
        frame(0x8F),
        frame(PING, b"in pieces"),
        frame(0x80 | PING, bytes(126)),
        frame(0x80, b"of nothing"),
        frame(TEXT, b"a") + frame(0x80 | TEXT, b"b"),
        frame(TEXT, b"a") + frame(BINARY, b"b"),
    ],
    ids=str,
)
def test_what_breaks_the_rules_is_told_after_what_came_before(data: bytes) -> None:
    reader = FrameReader(LARGEST)
    messages = iter(reader.feed(whole(BINARY, b"before") + data))
    assert next(messages) == (BINARY, b"before")
    with pytest.raises(Violation) as violated:
        list(messages)
    assert violated.value.code == 1002


@pytest.mark.parametrize(
    "frames",
    [
        [whole(TEXT, b"\xff")],
        [whole(TEXT, b"\xce\xba\xe1\xbd\xb9\xed\xa0\x80")],
        [whole(TEXT, b"cut off \xe2\x82")],
        [frame(TEXT, b"fine so far"), frame(0, b"\xc0")],
        [frame(TEXT, b"\xe2\x82"), frame(0x80, b"")],
        [frame(TEXT, b"\xe2"), frame(0, b"\x28")],
    ],
    ids=str,
)
def test_text_that_is_not_utf8_is_refused_at_the_frame_that_shows_it(frames: list[bytes]) -> None:
    reader = FrameReader(LARGEST)
    for data in frames[:-1]:
        heard(data, reader)
    with pytest.raises(Violation) as violated:
        heard(frames[-1], reader)
    assert violated.value.code == 1007


def test_a_character_may_be_cut_between_frames() -> None:
    reader = FrameReader(LARGEST)
    assert heard(frame(TEXT, b"\xf0\x9f") + frame(0, b"") + frame(0, b"\x90"), reader) == []
    assert heard(frame(0x80, b"\x8c"), reader) == [(TEXT, "\U0001f40c".encode())]


@pytest.mark.parametrize(
    "head",
    [
        b"\x82\xfe" + (125).to_bytes(2, "big"),
        b"\x82\xff" + (125).to_bytes(8, "big"),
        b"\x82\xff" + (65_535).to_bytes(8, "big"),
        b"\x82\xff" + (2**63).to_bytes(8, "big"),
    ],
    ids=str,
)
def test_a_size_is_written_in_as_few_bytes_as_it_needs(head: bytes) -> None:
    with pytest.raises(Violation) as violated:
        heard(head)
    assert violated.value.code == 1002


def test_every_frame_is_seen_also_one_that_completes_nothing() -> None:
    reader = FrameReader(LARGEST)
    seen = list(reader.feed(frame(TEXT, b"a") + frame(0) * 3 + whole(PONG) + frame(0x80, b"b")))
    assert seen == [(PART, b"")] * 4 + [(PONG, b""), (TEXT, b"ab")]
    with pytest.raises(TooBig):
        heard(whole(TEXT, bytes(LARGEST + 1)), reader)
    assert list(reader.feed(whole(TEXT, b"skipped"))) == [(PART, b"")]


def test_whoever_stops_early_goes_on_where_they_stopped() -> None:
    reader = FrameReader(LARGEST)
    assert next(iter(reader.feed(whole(TEXT, b"one") + whole(TEXT, b"two")))) == (TEXT, b"one")
    assert not reader.between
    assert list(reader.feed(b"")) == [(TEXT, b"two")]
    assert reader.between


@pytest.mark.parametrize("pieces", [(LARGEST + 1,), (LARGEST, 1), (1, 1, LARGEST)])
def test_what_is_too_big_is_skipped_and_closing_is_still_heard(pieces: tuple[int, ...]) -> None:
    reader = FrameReader(LARGEST)
    frames = [
        frame((0x80 if number == len(pieces) - 1 else 0) | (0 if number else TEXT), bytes(size))
        for number, size in enumerate(pieces)
    ]
    with pytest.raises(TooBig):
        for data in frames:
            heard(data[:100], reader)
            heard(data[100:], reader)
    rest = frames[-1][100:] if len(pieces) == 1 or pieces[-1] > 100 else b""
    assert heard(rest, reader) == []
    assert heard(whole(TEXT, b"more") + whole(CLOSE), reader) == [(CLOSE, b"")]


def test_as_large_as_allowed() -> None:
    assert heard(whole(TEXT, bytes(LARGEST))) == [(TEXT, bytes(LARGEST))]


def test_a_size_that_never_comes_costs_nothing() -> None:
    reader = FrameReader(LARGEST)
    with pytest.raises(TooBig):
        heard(bytes((0x82, 0xFF)) + (2**63 - 1).to_bytes(8, "big") + KEY, reader)
    for _ in range(3):
        assert heard(bytes(1000), reader) == []


@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=4))
def test_any_bytes_are_messages_or_a_violation(data: bytes, cuts: list[int]) -> None:
    reader = FrameReader(LARGEST)
    ends = sorted(cut % (len(data) + 1) for cut in cuts)
    with suppress(Violation):
        for a, b in zip([0, *ends], [*ends, len(data)], strict=True):
            for kind, payload in reader.feed(data[a:b]):
                assert kind in (PART, TEXT, BINARY, CLOSE, PING, PONG)
                assert len(payload) <= len(data)


@pytest.mark.parametrize(
    ("payload", "code"),
    [(b"", None), (b"\x03\xe8", 1000), (b"\x03\xe9bye", 1001), (b"\x0f\xa0", 4000), (b"\x0b\xb8", 3000)],
)
def test_codes_to_close_with(payload: bytes, code: int | None) -> None:
    assert close_code(payload) == code


@pytest.mark.parametrize(
    "payload",
    [b"\x03", b"\x00\x00", b"\x03\xe7", b"\x03\xec", b"\x03\xed", b"\x03\xee", b"\x07\xd0", b"\xff\xff"],
)
def test_codes_that_may_not_be_sent(payload: bytes) -> None:
    with pytest.raises(Violation) as violated:
        close_code(payload)
    assert violated.value.code == 1002


def test_a_reason_is_text() -> None:
    with pytest.raises(Violation) as violated:
        close_code(b"\x03\xe8\xff")
    assert violated.value.code == 1007


@given(st.integers(1000, 4999), st.text(max_size=200))
def test_a_reason_is_cut_to_what_fits(code: int, reason: str) -> None:
    closing = closing_frame(code, reason)
    assert closing[0] == 0x80 | CLOSE
    assert closing[1] == len(closing) - 2 <= 125
    assert int.from_bytes(closing[2:4], "big") == code
    assert reason.startswith(closing[4:].decode())
    assert len(closing[4:]) > 119 or closing[4:] == reason.encode()
