"""Which tables somebody may see over HTTP, in whichever wing of the hall they are: there is nothing done at one."""

from aiohttp import web

from gamut.games.game import Refused
from gamut.hall.hall import Hall
from gamut.hall.ids import TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.people import People
from gamut.net.api.accounts import visitor
from gamut.net.http.answers import NotVisible


async def visible_table(request: web.Request, hall: Hall, people: People) -> LiveTable:
    """The table that the address names, or NotVisible."""
    try:
        live = await hall.look(TableId(request.match_info["table"]))
    except Refused as refused:
        raise NotVisible(500, refused.code, refused.reason) from None
    if live is None:
        raise _nothing()
    table = live.table
    person = visitor(request, people)
    inside = person is not None and table.knows_of_it(person.id)
    invited = request.query.get("key") == table.key
    if table.private and not (inside or invited):
        # The same answer as for a table that does not exist: private means that nobody knows of it.
        raise _nothing()
    if not table.watchable and table.phase != "over" and not (inside or invited):
        raise NotVisible(403, "not_watchable", "This table wants no watchers.")
    if table.guards_watching and table.phase != "over" and not (inside or invited):
        raise NotVisible(403, "locked", "This table has a password: who watches must know it.")
    return live


async def readable_table(hall: Hall, table_id: TableId) -> LiveTable | None:
    """The table, or None also if its log is damaged, which the hall has reported."""
    try:
        return await hall.look(table_id)
    except Refused:
        return None


def _nothing() -> NotVisible:
    return NotVisible(404, "no_such_table", "There is no such table.")
