"""What a link shows in a chat before anybody opens it: a title, a sentence, and a picture of the position.

Whoever fetches that is nobody in particular, whatever cookies they have: they see what everybody may see. A private
table with its key shows that there is an invitation, and no more; without the key it does not exist.
"""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Collection
from functools import partial
from html import escape
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from aiohttp import web

from gamut.games.game import AnyGame
from gamut.games.picture import Mark, Picture, shaped
from gamut.hall.hall import Hall
from gamut.hall.ids import Seq, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table.standing import StandingPlays, standing
from gamut.hall.table.state import Table
from gamut.net.api.canvas import Canvas
from gamut.net.api.lobby_picture import draw_all
from gamut.net.api.visible import readable_table
from gamut.net.http.answers import answering, error_answer
from gamut.net.http.guard import AddressOf
from gamut.net.http.headers import came_by_https
from gamut.net.http.origin import is_host

WIDTH, HEIGHT = 1200, 630
"""What chats and networks show without cutting anything off."""
_MARGIN = 40
_PAPER = 0xFBF9F6
_SIGN = 44
_KEPT = 200
"""Pictures, of some 20 KB each: those that were asked for last."""
_SETTLED = "public, max-age=86400"
_FOR_A_MOMENT = "public, max-age=60"
_ADDRESS = re.compile(r"/t/(?P<table>[\w-]{1,32})(?:/(?P<move>[0-9]{1,6}))?/?", re.ASCII)
_MOVE = re.compile(r"[0-9]{1,6}", re.ASCII)
_STATUS = {"too_many_tries": 429}
_Name = tuple[str | int, ...]
"""Of a picture: no two that differ have the same."""


class Preview(msgspec.Struct, frozen=True):
    title: str
    description: str
    picture: str
    """Its path."""


_LOBBY = Preview(
    title="gamut",
    description="Board games with friends, strangers and bots. No account needed.",
    picture="/api/lobby/picture.png",
)


class Previews:
    def __init__(self, hall: Hall, address_of: AddressOf) -> None:
        self._hall = hall
        self._address_of = address_of
        self._drawn: OrderedDict[_Name, bytes] = OrderedDict()
        self._drawing: dict[_Name, asyncio.Future[bytes]] = {}
        """Pictures that are being drawn: whoever asks for one of them waits for it, and it is drawn once."""
        self._plays: WeakKeyDictionary[LiveTable, StandingPlays] = WeakKeyDictionary()
        """Of tables about whose past somebody has asked, as long as they are in memory."""

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/api/tables/{table}/picture.png", answering(self._table_picture, _STATUS)),
            web.get("/api/lobby/picture.png", answering(self._lobby_picture, _STATUS)),
            web.get("/api/games/{game}/picture.png", answering(self._game_picture, _STATUS)),
        ]

    async def head(self, request: web.Request) -> str | None:
        """What the head of the page says at this address; None if it is neither the lobby nor a table that whoever
        asks may know of."""
        preview = await self._preview(request) if is_host(request.host) else None
        if preview is None:
            return None
        scheme = "https" if came_by_https(request) else "http"
        return _tags(preview, f"{scheme}://{request.host}")

    async def _preview(self, request: web.Request) -> Preview | None:
        if request.path == "/":
            return _LOBBY
        asked = _ADDRESS.fullmatch(request.path)
        # If it cannot be read, the page itself says so.
        live = None if asked is None else await readable_table(self._hall, TableId(asked["table"]))
        if asked is None or live is None:
            return None
        return _preview(live, asked["move"], request.query.get("key"))

    async def _lobby_picture(self, request: web.Request) -> web.Response:
        return await self._answer(request, (), _SETTLED, _draw_lobby, self._hall.games.values())

    async def _table_picture(self, request: web.Request) -> web.Response:
        move = request.query.get("move")
        if move is not None and not _MOVE.fullmatch(move):
            return error_answer(400, "bad_request", "move is a whole number.")
        live = await readable_table(self._hall, TableId(request.match_info["table"]))
        if live is None or not _shown_to_all(live.table):
            return error_answer(404, "no_such_table", "There is no such table, or it has no picture.")
        table = live.table
        state = live.state_for(None)
        if state is None:
            return await self._answer(request, (table.game,), _FOR_A_MOMENT, _draw_mark, live.game.mark)
        plays = [] if move is None else self._plays.setdefault(live, StandingPlays()).numbers(live.log)
        is_past = move is not None and int(move) + 1 < len(plays)
        settled = table.phase == "over" or (is_past and not live.game.traits.takes_back)
        cached = _SETTLED if settled else _FOR_A_MOMENT
        if move is None or not is_past:
            name = _position(live, table.last_play)
            return await self._answer(request, name, cached, _draw, live.game, state)
        name = _position(live, plays[int(move)])
        # A log may be long: it is looked through only for a picture that is not there yet.
        # As everybody saw it: of a game that is over and hides nothing any more, all of it.
        past = [] if self._has(name) else standing(live.visible(None, Seq(0)))[: int(move) + 1]
        return await self._answer(request, name, cached, _draw_past, live.game, past)

    async def _game_picture(self, request: web.Request) -> web.Response:
        game = self._hall.games.get(request.match_info["game"])
        if game is None:
            return error_answer(404, "no_such_game", "There is no such game.")
        return await self._answer(request, (game.traits.name,), _SETTLED, _draw_mark, game.mark)

    def _has(self, name: _Name) -> bool:
        """Whether this picture is there, or being drawn."""
        return name in self._drawn or name in self._drawing

    async def _answer(
        self, request: web.Request, name: _Name, cached: str, draw: Callable[..., bytes], *about: Any
    ) -> web.Response:
        picture = self._drawn.get(name)
        if picture is None:
            picture = await self._draw_once(name, self._address_of(request), draw, *about)
        else:
            self._drawn.move_to_end(name)
        return web.Response(body=picture, content_type="image/png", headers={"Cache-Control": cached})

    async def _draw_once(self, name: _Name, address: str, draw: Callable[..., bytes], *about: Any) -> bytes:
        drawing = self._drawing.get(name)
        if drawing is None:
            drawing = asyncio.ensure_future(self._hall.slow_work.run(None, address, draw, *about))
            self._drawing[name] = drawing
            drawing.add_done_callback(partial(self._keep, name))
        # It is drawn to its end for the others, also if who asked first goes away.
        return await asyncio.shield(drawing)

    def _keep(self, name: _Name, drawing: asyncio.Future[bytes]) -> None:
        del self._drawing[name]
        if drawing.cancelled() or drawing.exception() is not None:
            return
        self._drawn[name] = drawing.result()
        if len(self._drawn) > _KEPT:
            self._drawn.popitem(last=False)


def _shown_to_all(table: Table) -> bool:
    """Whether anybody may look at it."""
    if table.private:
        return False
    return table.phase == "over" or (table.watchable and not table.guards_watching)


def _position(live: LiveTable, play: int) -> _Name:
    """The position after this event, as everybody sees it now: it has the same name however the game goes on."""
    return (live.id, play, live.hides)


def _preview(live: LiveTable, move: str | None, key: str | None) -> Preview | None:
    table, title = live.table, live.game.traits.title
    if not _shown_to_all(table):
        if table.private and key != table.key:
            return None
        return Preview(
            title=f"An invitation to {title}" if table.phase == "setup" else f"A game of {title}",
            description="Open the link to come in.",
            picture=f"/api/games/{table.game}/picture.png",
        )
    holders = table.players if table.phase == "over" and table.players else table.seats
    names = [holder.name for holder in holders if holder is not None]
    asked = f"move={int(move)}" if move is not None else f"at={table.last_play}"
    return Preview(
        title=f"{title}: {_listed(names)}" if names else title,
        description=_how_it_stands(table),
        picture=f"/api/tables/{live.id}/picture.png?{asked}",
    )


def _how_it_stands(table: Table) -> str:
    if table.phase == "setup":
        free = len(table.seats) - len(table.present())
        return f"{free} {'seat is' if free == 1 else 'seats are'} free. Open the link to join or to watch."
    if table.phase != "over":
        return "Being played. Open the link to watch."
    if table.outcome is None:
        return "This game was not played to its end."
    players = table.players or table.seats
    winners = [holder.name for seat in table.outcome.winners if (holder := players[seat]) is not None]
    who = f"{_listed(winners)} won" if winners else "Nobody won"
    return f"{who}. Open the link to see how."


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _tags(preview: Preview, origin: str) -> str:
    said = {
        "og:site_name": "gamut",
        "og:type": "website",
        "og:title": preview.title,
        "og:description": preview.description,
        "og:image": origin + preview.picture,
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
    }
    tags = [f'<meta property="{name}" content="{escape(content)}" />' for name, content in said.items()]
    # Without this one of the networks shows the picture as a stamp.
    return "".join([*tags, '<meta name="twitter:card" content="summary_large_image" />'])


def _draw(game: AnyGame, state: Any) -> bytes:
    picture: Picture | None = game.picture(state)
    if picture is None:
        return _draw_mark(game.mark)
    canvas = Canvas(WIDTH, HEIGHT, _PAPER)
    room = WIDTH - 2 * _MARGIN, HEIGHT - 2 * _MARGIN
    scale = min(room[0] / picture.width, room[1] / picture.height)
    left, top = (WIDTH - picture.width * scale) / 2, (HEIGHT - picture.height * scale) / 2
    canvas.draw(picture.shapes, scale, left, top)
    corner = HEIGHT - _MARGIN - _SIGN
    canvas.draw([shaped(game.mark.points, _MARGIN, corner, _SIGN, game.mark.colour)])
    return canvas.png()


def _draw_past(game: AnyGame, plays: list[Any]) -> bytes:
    return _draw(game, game.replay(happened for play in plays for happened in play.events))


def _draw_lobby(games: Collection[AnyGame]) -> bytes:
    canvas = Canvas(WIDTH, HEIGHT, _PAPER)
    draw_all(canvas, games)
    return canvas.png()


def _draw_mark(mark: Mark) -> bytes:
    canvas = Canvas(WIDTH, HEIGHT, _PAPER)
    size = HEIGHT / 2
    canvas.draw([shaped(mark.points, (WIDTH - size) / 2, (HEIGHT - size) / 2, size, mark.colour)])
    return canvas.png()
