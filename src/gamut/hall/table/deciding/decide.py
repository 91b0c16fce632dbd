"""What a table says to a command: the events that happen, or Refused. The table itself is never touched."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from gamut.games.game import AnyGame, Refused
from gamut.hall.ids import Millis
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.deciding import beginning, play, presence, rematch, seating, taking_back
from gamut.hall.table.deciding.draft import Draft, Timeouts
from gamut.hall.table.deciding.talk import MOST_LINES, cleaned
from gamut.hall.table.state import Table


def decide(
    game: AnyGame,
    table: Table,
    command: c.Command,
    now: Millis,
    chance: Random,
    timeouts: Timeouts,
    log: Sequence[Any] = (),
) -> Draft:
    """The events that the command causes and the table after them; Refused changes nothing.

    `log`: all that has happened at the table, of which only those ask who take something back.
    """
    draft = Draft(game, table, now if now > table.at else table.at, chance, timeouts, log)
    _RULES[type(command)](draft, command)
    return draft


def say(draft: Draft, command: c.Say) -> None:
    seated = draft.table.seat_of(command.person) is not None
    if command.channel == "table" and not seated and not draft.table.one_chat:
        raise Refused("not_seated", "Only players talk at the table; watchers have their own room.")
    if command.channel == "kibitz" and seated:
        raise Refused("seated", "Players do not talk among the watchers.")
    if draft.table.said >= MOST_LINES:
        raise Refused("talked_out", "So much has been said at this table that there is room for no more.")
    draft.add(
        e.Said(
            at=draft.now,
            person=command.person,
            name=command.name,
            text=cleaned(command.text),
            channel=command.channel,
        )
    )


_RULES: dict[type, Callable[[Draft, Any], None]] = {
    c.Sit: seating.sit,
    c.SeatBot: seating.seat_bot,
    c.Unseat: seating.unseat,
    c.Swap: beginning.swap,
    c.Leave: seating.leave,
    c.Ready: beginning.ready,
    c.Start: beginning.start,
    c.Promote: seating.promote,
    c.Configure: beginning.configure,
    c.Decorate: beginning.decorate,
    c.Close: play.close,
    c.CallOff: beginning.call_off,
    c.Act: play.act,
    c.BotAct: play.bot_act,
    c.Resign: play.resign,
    c.ReportFlag: play.report_flag,
    c.TakeBack: taking_back.take_back,
    c.OfferDraw: play.offer_draw,
    c.DeclineDraw: play.decline_draw,
    c.BotAnswer: play.bot_answer,
    c.Pause: play.pause,
    c.Resume: play.resume,
    c.Rematch: rematch.rematch,
    c.Succeed: rematch.succeed,
    c.Say: say,
    c.Drop: presence.drop,
    c.Return: presence.come_back,
    c.Rename: seating.rename,
    c.Tick: presence.tick,
    c.Wake: presence.wake,
    c.CutOff: presence.cut_off,
}
