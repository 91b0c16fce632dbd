"""Clock, penalty and scoring of a table, as the protocol puts them."""

from typing import Any

import msgspec

from gamut.doors.topple.from_client import RulesChange
from gamut.games.topple.files.clock import control_of, idle_rounds
from gamut.games.topple.files.tables import is_scored
from gamut.games.topple.options import ToppleOptions
from gamut.hall.files.clocks import setting_of
from gamut.hall.ids import PersonId
from gamut.hall.table import commands as c
from gamut.hall.table.clock import Bank, Overtime, PerTurn
from gamut.hall.table.state import Table


def rules_of(table: Table) -> dict[str, Any]:
    """`scoring` is there only if somebody has said how to score."""
    setting, options = table.clock_setting, table.options
    style, limit = table.decor.get("style", "per turn"), None
    if isinstance(setting, PerTurn):
        style, limit = "per turn", setting.limit
    elif isinstance(setting, Bank | Overtime):
        style, limit = "chess", setting.main
    rules: dict[str, Any] = {"turnTime": {"style": style, "limit": limit, "penalty": options.penalty}}
    if scored(table):
        rules["scoring"] = {"style": options.scoring}
    return rules


def scored(table: Table) -> bool:
    return is_scored(table.options, table.decor)


def configuring(table: Table, by: PersonId, change: RulesChange) -> c.Configure | None:
    """The command that makes this change to a table's rules; None if it changes nothing."""
    before = rules_of(table)
    turn_time, options = before["turnTime"], table.options
    wanted = change.turnTime
    style = turn_time["style"] if wanted.style is msgspec.UNSET else wanted.style
    limit = turn_time["limit"] if wanted.limit is msgspec.UNSET else wanted.limit
    penalty = turn_time["penalty"] if wanted.penalty is msgspec.UNSET else wanted.penalty
    after: dict[str, Any] = {"turnTime": {"style": style, "limit": limit, "penalty": penalty}}
    scoring = options.scoring
    if change.scoring is not None:
        scoring = options.scoring if change.scoring.style is msgspec.UNSET else change.scoring.style
    if change.scoring is not None or scored(table):
        after["scoring"] = {"style": scoring}
    if after == before:
        return None
    chosen = msgspec.structs.replace(
        options, penalty=penalty, scoring=scoring, idle_rounds=idle_rounds(style, penalty)
    )
    return c.Configure(
        by,
        options=msgspec.to_builtins(chosen),
        clock=setting_of(control_of(style, limit, penalty)),
        decor={"style": style, "scored": "scoring" in after},
    )


def switching(table: Table, seat: int, team: int) -> c.Configure:
    """The command that puts a seat into another team. The protocol lets everybody choose their own."""
    options: ToppleOptions = table.options
    teams = list(options.teams_of(len(table.seats)))
    teams[seat] = team
    assert table.host is not None
    chosen = msgspec.structs.replace(options, teams=tuple(teams))
    return c.Configure(table.host, options=msgspec.to_builtins(chosen))
