"""Boxes and offers on demand, with which clients are tried. Only where the operator has asked for it."""

from typing import TYPE_CHECKING

from gamut.doors.powerchess import from_client as f
from gamut.doors.powerchess.playing import check_begun
from gamut.games.game import Refused
from gamut.games.powerchess.debugging import Arrangement, OfferPowers, PlaceBox
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.doors.powerchess.session import PowerChessSession


def spawn(session: "PowerChessSession", message: f.Spawn) -> None:
    _arrange(session, message.game_id, PlaceBox(message.square, f.rarity(message.rarity)))


def give(session: "PowerChessSession", message: f.Give) -> None:
    rarity = f.rarity(message.rarity)
    powers = f.power(rarity, message.id1), f.power(rarity, message.id2)
    _arrange(session, message.game_id, OfferPowers(message.where_captured.square, rarity, powers))


def _arrange(session: "PowerChessSession", game: f.Number, wish: Arrangement) -> None:
    if session.live is None or f.number(game) != session.state.game:
        raise Refused("not_yours", "That is another game.")
    check_begun(session.live)
    session.hall.do(session.live, c.Act(session.person, wish))
