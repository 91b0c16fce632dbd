"""The binary board message of Topple, against recorded ones."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.doors.support.topple_boards import BadFrame, read_board_frame

from gamut.doors.topple.boards import board_frame, required_bits
from gamut.games.topple.topology import field

VECTORS = Path(__file__).parents[2] / "vectors" / "topple"


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))["cases"]


def test_bits_per_tile_are_as_recorded() -> None:
    for case in vectors("topologies.json"):
        assert list(required_bits(case["t"], **case["d"])) == case["bits"]


def test_recorded_boards_are_written_and_read_byte_for_byte() -> None:
    cases = vectors("frames.json")
    assert len(cases) == 200
    for case in cases:
        shape = case["topology"]["t"], case["topology"]["x"], case["topology"]["y"]
        board, owners = bytes(case["board"]), bytes(case["teamboard"])
        frame = bytes.fromhex(case["frame"])
        assert board_frame(*shape, board, owners) == frame
        assert read_board_frame(*shape, frame) == (board, owners)


def test_the_example_of_the_protocol() -> None:
    frame = bytes.fromhex("009181200000000000")
    assert board_frame(0, 2, 2, bytes([2, 1, 1, 2]), bytes([1, 0, 0, 2])) == frame


@st.composite
def boards(draw: st.DrawFn) -> tuple[tuple[int, int, int], bytes, bytes]:
    shape = draw(st.integers(0, 3)), draw(st.integers(1, 36)), draw(st.integers(1, 36))
    chance = Random(draw(st.integers(0, 2**32)))
    on = field(*shape)
    owners: list[int] = []
    while len(owners) < on.tiles:
        owners += [chance.randint(0, 6)] * chance.choice((1, 2, 16, 17, 33, 100))
    return shape, bytes(chance.randint(1, limit or 1) for limit in on.limits), bytes(owners[: on.tiles])


@settings(deadline=None, derandomize=True)
@given(boards())
def test_every_board_survives(case: tuple[tuple[int, int, int], bytes, bytes]) -> None:
    shape, board, owners = case
    frame = board_frame(*shape, board, owners)
    assert len(frame) % 8 == 1
    assert read_board_frame(*shape, frame) == (board, owners)


def test_a_run_of_one_may_be_written_as_a_run_and_padding_does_not_matter() -> None:
    # One tile, one piece: 0, then team 3 as a run of 0 further tiles: 1 011 0000.
    bits = "0" + "10110000"
    for padding in ("0" * 7, "1" * 7, "1" * 55):
        frame = b"\0" + int(bits + padding, 2).to_bytes((len(bits) + len(padding)) // 8, "big")
        assert read_board_frame(0, 1, 1, frame) == (b"\1", b"\3")


@pytest.mark.parametrize(
    "frame",
    [b"", b"\1\0\0\0\0\0\0\0\0", b"\0", b"\0\x91", bytes.fromhex("0091ff200000000000"), b"\0\xff\xff"],
    ids=["empty", "another message", "no board", "cut off", "a run too long", "no such team"],
)
def test_what_is_no_board_is_refused(frame: bytes) -> None:
    with pytest.raises(BadFrame):
        read_board_frame(0, 2, 2, frame)


@settings(deadline=None, derandomize=True)
@given(st.binary(max_size=60), st.integers(0, 3), st.integers(1, 6), st.integers(1, 6))
def test_whatever_comes_it_is_a_board_or_refused(data: bytes, topology: int, x: int, y: int) -> None:
    try:
        board, owners = read_board_frame(topology, x, y, b"\0" + data)
    except BadFrame:
        return
    assert len(board) == len(owners) == x * y
    assert read_board_frame(topology, x, y, board_frame(topology, x, y, board, owners)) == (board, owners)
