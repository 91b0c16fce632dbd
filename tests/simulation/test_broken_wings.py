"""Wings of a hall that are broken on purpose: the simulation notices each of them, as it does broken gateways."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from tests.simulation.noticing import Noticed

from gamut.cluster.annex_feed import AnnexFeed
from gamut.cluster.distant_session import DistantSession
from gamut.cluster.distant_wire import DistantWire
from gamut.cluster.gateway import Gateway
from gamut.cluster.messages import Attached, Elsewhere, Frame, Point, ToOwner
from gamut.cluster.owner import Owner
from gamut.cluster.roaming_session import RoamingSession
from gamut.doors.annex import from_annex as f
from gamut.doors.annex import to_annex as t
from gamut.doors.annex.door import AnnexDoor
from gamut.hall.ids import PersonId
from gamut.hall.live.audience import LobbyNews
from gamut.hall.people.known import KnownPeople

pytestmark = pytest.mark.faults


@pytest.fixture
def noticed(request: pytest.FixtureRequest) -> Noticed:
    return Noticed(request)


def test_an_owner_that_sends_a_frame_elsewhere_and_does_not_count_it_as_dealt_with(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = DistantWire._is_elsewhere

    def is_elsewhere(self: DistantWire, frame: Frame | None, wing: int) -> None:
        before = self._handled
        real(self, frame, wing)
        self._handled = before

    monkeypatch.setattr(DistantWire, "_is_elsewhere", is_elsewhere)
    noticed(r"connection \d+ of g\d\S* has frames that nobody deals with", wings=True)


def test_an_owner_that_goes_on_before_the_gateway_has_the_state_for_a_part_elsewhere(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    monkeypatch.setattr(DistantWire, "_is_to_be_sent_on", False)
    noticed(r"g\d has hung up on somebody who was to go on in another wing", wings=True)


def test_a_gateway_that_does_not_let_go_of_a_session_that_goes_elsewhere(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = RoamingSession._go

    def go(self: RoamingSession, part: DistantSession, *elsewhere: Any) -> None:
        with patch.object(Gateway, "forget"):
            real(self, part, *elsewhere)

    monkeypatch.setattr(RoamingSession, "_go", go)
    noticed(r"g\d\S* has the connections", wings=True)


def test_an_owner_that_does_not_let_go_of_a_session_that_goes_elsewhere(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = DistantWire._goes_elsewhere

    def goes_elsewhere(self: DistantWire, session: Any) -> None:
        with patch.object(type(session), "hand_over"):
            real(self, session)

    monkeypatch.setattr(DistantWire, "_goes_elsewhere", goes_elsewhere)
    noticed(r"\d+ people are here, and the main wing counts", wings=True)


def test_a_gateway_that_says_again_all_that_was_said_by_somebody_who_came_from_another_wing(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    """And an owner that takes that for new, since it comes again."""
    real, is_at = Gateway._all, DistantSession.is_at
    dealt_with: dict[tuple[Gateway, int], list[Frame]] = {}

    def remembering(self: DistantSession, point: Point) -> None:
        if self._came_with is not None:
            said = dealt_with.setdefault((self._gateway, self.number), [])
            said += [frame for frame in self.frames if frame.count <= point.handled]
        is_at(self, point)

    def again(self: Gateway) -> Iterator[ToOwner]:
        for item in real(self):
            if type(item) is Attached and (self, item.connection) in dealt_with:
                yield self.sessions[item.connection].coming()
                yield from dealt_with[self, item.connection]
            else:
                yield item

    monkeypatch.setattr(DistantSession, "is_at", remembering)
    monkeypatch.setattr(Gateway, "_all", again)
    monkeypatch.setattr(Owner, "_may_be_late", lambda self, item: False)
    noticed(r"web .* had heard event \d+ of table \w+, and was told those", wings=True)


def test_a_gateway_that_does_not_say_in_another_wing_what_is_to_be_said_there(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = DistantSession.is_elsewhere

    def is_elsewhere(self: DistantSession, word: Elsewhere) -> None:
        if not word.stays:
            real(self, word)

    monkeypatch.setattr(DistantSession, "is_elsewhere", is_elsewhere)
    noticed(r".* has got no answer to", wings=True)


def test_an_annex_that_does_not_say_which_tables_are_gone(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = AnnexFeed._lobby_changed

    def lobby_changed(self: AnnexFeed, news: LobbyNews) -> None:
        real(self, LobbyNews(news.changed, [], news.here, news.said))

    monkeypatch.setattr(AnnexFeed, "_lobby_changed", lobby_changed)
    noticed(r"the main wing shows table \w+ of wing [12]", wings=True)


def test_an_annex_that_says_what_is_not_stored_yet(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    def tell(self: AnnexFeed, wire: Any) -> None:
        if self._wire is None or wire is not self._wire:
            return
        message = self._next()
        if message is None:
            self._is_telling = False
        else:
            self._say(wire, f.encode(message))

    monkeypatch.setattr(AnnexFeed, "_tell", tell)
    noticed(r"table \w+ was never like this", wings=True)


def test_a_main_wing_that_does_not_tell_annexes_who_is_logged_out(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    def logged_out(self: AnnexDoor, id: PersonId) -> None:
        pass

    monkeypatch.setattr(AnnexDoor, "logged_out", logged_out)
    noticed(r"wing [12] knows people otherwise than they are stored", wings=True)


def test_an_annex_that_does_not_read_who_was_renamed_while_it_was_not_told(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    async def refresh(self: KnownPeople) -> None:
        pass

    monkeypatch.setattr(KnownPeople, "refresh", refresh)
    noticed(r"wing [12] knows people otherwise than they are stored", wings=True)


def test_an_annex_that_answers_before_it_has_erased_somebody(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    async def erase_and_answer(self: AnnexFeed, asked: t.Erase) -> None:
        if self._wire is not None:
            self._session.text(f.encode(f.Erased(asked.number, fine=True)))
        await self._erase(asked.person)

    monkeypatch.setattr(AnnexFeed, "_erase_and_answer", erase_and_answer)
    noticed(r".* was deleted, and is left in", wings=True)
