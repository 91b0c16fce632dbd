"""Gateways and owners that are broken on purpose: the simulation notices each of them, as it does broken servers."""

from collections.abc import Iterator, Sequence
from typing import Any
from unittest.mock import ANY

import pytest
from tests.simulation.disk import Disk
from tests.simulation.noticing import Noticed

from gamut.cluster.distant_session import DistantSession
from gamut.cluster.gateway import Gateway
from gamut.cluster.messages import (
    After,
    Attached,
    Frame,
    OwnerHere,
    Point,
    Say,
    State,
    ToGateway,
    ToOwner,
    here,
)
from gamut.cluster.owner import Owner
from gamut.cluster.peer import Peer
from gamut.hall.ids import Millis
from gamut.hall.store.storage import Entry, LedgerError, Row

pytestmark = pytest.mark.faults

NOT_STORED = ".* which is not on the disk"
NO_ANSWER = ".* has got no answer to"
OTHERWISE_ON_DISK = r"table \w+ is not in memory what it is on the disk"
TOLD_TWICE_OR_NOT_AT_ALL = r"web .* had heard event \d+ of table \w+, and was told those"


@pytest.fixture
def noticed(request: pytest.FixtureRequest) -> Noticed:
    return Noticed(request)


def known_before_it_is_stored(kinds: tuple[type, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what the gateway holds until it is stored this counts at once."""
    real = Gateway._take

    def take(self: Gateway, unit: list[ToGateway]) -> None:
        if unit and type(unit[0]) is After:
            self._do([item for item in unit if type(item) in kinds])
            unit = [item for item in unit if type(item) not in kinds]
        real(self, unit)

    monkeypatch.setattr(Gateway, "_take", take)


def test_a_gateway_that_takes_a_frame_for_dealt_with_before_what_it_did_is_stored(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    known_before_it_is_stored((State, Point), monkeypatch)
    noticed(NO_ANSWER, gateways=True)


def test_a_gateway_that_tells_what_may_not_be_stored(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    known_before_it_is_stored((Say,), monkeypatch)
    noticed(NOT_STORED, gateways=True)


def test_a_gateway_that_tells_what_it_holds_whether_or_not_it_was_stored(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = Gateway._somebody_is_here

    def somebody_is_here(self: Gateway, data: bytes) -> None:
        who = here(data)
        if type(who) is OwnerHere and who.node > self.node:
            self._let_out(1 << 60)
        real(self, data)

    monkeypatch.setattr(Gateway, "_somebody_is_here", somebody_is_here)
    noticed(NOT_STORED, gateways=True)


def test_an_owner_at_which_everybody_goes_on_however_little_they_were_told(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    class Anything(dict[Any, Any]):
        def get(self, key: Any, default: Any = None) -> Any:
            return ANY

    real = Owner._take_up

    def take_up(self: Owner, peer: Peer) -> None:
        peer.told = Anything()
        real(self, peer)

    monkeypatch.setattr(Owner, "_take_up", take_up)
    noticed(TOLD_TWICE_OR_NOT_AT_ALL, gateways=True)


def test_a_gateway_that_forgets_what_was_said_while_there_was_no_owner(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = Gateway._all

    def without_frames(self: Gateway) -> Iterator[ToOwner]:
        return (item for item in real(self) if type(item) is not Frame)

    monkeypatch.setattr(Gateway, "_all", without_frames)
    noticed(r"connection \d+ of g\d+ has frames that nobody deals with", gateways=True)


def test_a_gateway_that_says_again_what_is_dealt_with(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real, is_at = Gateway._all, DistantSession.is_at
    dealt_with: dict[tuple[Gateway, int], Frame] = {}

    def remembering(self: DistantSession, point: Point) -> None:
        if self.frames and self.frames[0].count <= point.handled:
            dealt_with[self._gateway, self.number] = self.frames[0]
        is_at(self, point)

    def again(self: Gateway) -> Iterator[ToOwner]:
        for item in real(self):
            yield item
            if type(item) is Attached and (self, item.connection) in dealt_with:
                yield dealt_with[self, item.connection]

    monkeypatch.setattr(DistantSession, "is_at", remembering)
    monkeypatch.setattr(Gateway, "_all", again)
    noticed(r"(line \d+ of the lobby was told as|'line \d+ .*' was said twice)", gateways=True)


def test_a_gateway_that_follows_an_owner_which_was_ended(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = Gateway._somebody_is_here

    def somebody_is_here(self: Gateway, data: bytes) -> None:
        who = here(data)
        if type(who) is OwnerHere and who.node != self.node:
            self.node = who.node - 1
        real(self, data)

    monkeypatch.setattr(Gateway, "_somebody_is_here", somebody_is_here)
    noticed(r"g\d+ went from owner \d+ back to \d+", gateways=True)


def test_an_owner_at_which_the_people_of_a_gateway_that_is_gone_are_neither_there_nor_away(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    monkeypatch.setattr(Owner, "_cut_off", lambda self, tables, heard: None)
    noticed(r".* in seat \d of table \w+ is there and away, or neither", gateways=True)


def test_an_owner_that_hears_again_what_was_said_in_the_lobby(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    monkeypatch.setattr(Owner, "_unheard_speakers", lambda self, peer: ())
    noticed(r"line \d+ of the lobby was told as", gateways=True)


def test_an_owner_that_does_not_see_what_sessions_forget_by_themselves(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    monkeypatch.setattr(Owner, "_look_around", lambda self: None)
    noticed(r"g\d+ does not know the state of connection", gateways=True)


def test_a_store_that_looks_at_the_fence_when_it_has_stored(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = Disk._store

    def store(self: Disk, rows: Sequence[Row], entries: Sequence[Entry]) -> None:
        if self._ended:
            self._medium.storage.append(rows, entries)
        real(self, rows, entries)

    monkeypatch.setattr(Disk, "_store", store)
    noticed("An event is stored once", LedgerError, gateways=True)


def test_an_owner_that_begins_before_the_one_before_it_is_ended(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = Disk.end
    monkeypatch.setattr(Disk, "end", lambda self: self._time.later(Millis(3_000), lambda: real(self)))
    noticed(OTHERWISE_ON_DISK, gateways=True)
