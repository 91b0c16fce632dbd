"""Whatever a client of Power Chess says that is wrong: one ERROR or ILLEGAL_ACTION to it, and nothing to others."""

from pathlib import Path
from typing import Any

import msgspec
from tests.net.support.powerchess_clients import Club, Message, PowerClient, in_a_club, moved, way

E2E4 = way("e2e4")


class Watched:
    """A game in play, of which nothing may change: neither its log nor what its players hear."""

    def __init__(self, club: Club, ann: PowerClient, bob: PowerClient) -> None:
        self.ann, self.bob = ann, bob
        self._live = club.server.hall.live
        self._log = self._logged()

    def _logged(self) -> list[tuple[str, int]]:
        return [(live.id, len(live.log)) for live in self._live.values()]

    async def unchanged(self) -> None:
        await self.ann.hears_nothing()
        await self.bob.hears_nothing()
        assert self._logged() == self._log


async def gets(client: PowerClient, kind: int, message: Any) -> None:
    """It is answered with this type alone, and a sentence."""
    text = message if isinstance(message, str) else msgspec.json.encode(message).decode()
    await client.raw(text)
    answer = await client.receive()
    assert answer["type"] == kind, (text, answer)
    assert answer["message"].endswith("."), answer
    assert answer.keys() == {"type", "message"}
    await client.hears_nothing()


def test_what_is_no_message_is_an_error_and_an_empty_frame_is_nothing(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        ann, bob = await club.pair()
        game = Watched(club, ann, bob)
        for text in (
            *("{", "[]", "null", "7", '"x"', "{}", "{nope", '{"type":null}', '{"type":true}', '{"type":[]}'),
            *('{"type":-1}', '{"type":10}', '{"type":42}', '{"type":1.5}', '{"type":"x"}', '{"type":""}'),
            *('{"type":5,"updates":[]}', '{"type":6}', '{"type":1e300}', '{"type":99999999999999999999}'),
            *("[" * 2000, '{"type":' + "[" * 2000, '{"x":' + "{" * 900, '{"type":4,"name":"\\ud800"}'),
        ):
            await gets(ann, 7, text)
        for text in ("", '{"type":7}', '{"type":7,"message":"what?"}'):
            await ann.raw(text)
            await ann.hears_nothing()
        for debug in (
            {"type": 8, "gameId": ann.game, "row": 3, "col": 3, "rarity": 0},
            {
                "type": 9,
                "gameId": ann.game,
                "rarity": 0,
                "id1": 0,
                "id2": 1,
                "whereCaptured": {"row": 1, "col": 1},
            },
        ):
            await gets(ann, 7, debug)
        await game.unchanged()
        await moved(ann, bob, "e2e4")

    in_a_club(tmp_path / "data", story)


def these(*values: Any) -> tuple[Any, ...]:
    """Values of all kinds."""
    return values


def each(name: str, *values: Any) -> list[Message]:
    """A field with each of these in it."""
    return [{name: value} for value in values]


def without(message: Message, name: str) -> Message:
    return {key: value for key, value in message.items() if key != name}


def test_a_field_that_is_missing_or_of_the_wrong_kind_is_an_error(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        ann, bob = await club.pair()
        game = Watched(club, ann, bob)
        new = await club.client()
        create = {"type": 0, "name": "Cid", "color": True, "timeControl": 0, "public": True}
        for wrong in (
            *(without(create, name) for name in ("name", "color", "timeControl", "public")),
            *(create | wrong for wrong in each("timeControl", 3, -1, "3", "", 1.5, None, True, "one", [0])),
            *(create | wrong for wrong in each("color", None, "", "white", 1, 0, {}, "True")),
            *(create | wrong for wrong in each("public", None, "", "yes", 1, [])),
            *(create | wrong for wrong in each("name", None, 7, True, ["Cid"], {"name": "Cid"})),
        ):
            await gets(new, 7, wrong)
        join = {"type": 1, "gameId": ann.game, "name": "Cid"}
        for wrong in (
            *(without(join, name) for name in ("gameId", "name")),
            *(join | wrong for wrong in each("gameId", None, "", "x", -1, "-1", 1.5, True, 2**53, [1])),
            *(join | wrong for wrong in each("name", None, 7, [])),
            *(join | wrong for wrong in each("key", "x", 7)),
        ):
            await gets(new, 7, wrong)
        own: Message = {"gameId": ann.game, "playerId": ann.player}
        move = {"type": 4, "action": 1, "move": E2E4, **own}
        corner = {"row": 0, "col": 0}
        for wrong in (
            *(without(move, name) for name in ("gameId", "playerId", "action", "move")),
            *(move | {"action": value} for value in these(0, 3, 4, 9, "x", None, True, 1.5)),
            *(
                move | {"move": value}
                for value in these(None, [], 7, "e2e4", {}, {"from": corner}, {"to": corner})
            ),
            *(
                move | {"move": {"from": corner, "to": bad}}
                for bad in (
                    *({"row": value, "col": 0} for value in these(8, -1, 1.5, "1", None, True)),
                    *({"row": 0, "col": value} for value in these(8, -1, 1.5, "1", None, True)),
                    *({"row": 0}, {"col": 0}, {}, None, 7),
                )
            ),
            *(move | {"move": {**E2E4, "promotion": value}} for value in these(0, 5, "x", True, [])),
            {"type": 4, "action": 2, **own},
            *(
                {"type": 4, "action": 2, "selection": value, **own}
                for value in these(2, -1, "2", "x", None, [], 0.5)
            ),
            *({"type": 2, "reason": value, **own} for value in these(0, 3, -1, "x", None, True)),
            {"type": 2, **own},
            *({"type": 3, **without(own, name)} for name in own),
        ):
            await gets(ann, 7, wrong)
        await game.unchanged()
        await moved(ann, bob, "e2e4")

    in_a_club(tmp_path / "data", story)


def test_nobody_acts_for_another_seat_or_in_another_game(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        ann, bob = await club.pair()
        cid, dot = await club.pair()
        stranger = await club.client()
        game = Watched(club, ann, bob)
        for thief in (bob, cid, dot, stranger):
            for message in (
                {"type": 4, "action": 1, "move": E2E4},
                {"type": 4, "action": 2, "selection": True},
                {"type": 3},
                {"type": 2, "reason": 1},
                {"type": 2, "reason": 2},
            ):
                await gets(thief, 7, {**message, "gameId": ann.game, "playerId": ann.player})
        for number in (ann.game + 1, 0, str(cid.game), 999_999):
            await gets(
                ann, 7, {"type": 4, "action": 1, "move": E2E4, "gameId": number, "playerId": ann.player}
            )
        for number in (bob.player, cid.player, 0, "0"):
            await gets(ann, 7, {"type": 4, "action": 1, "move": E2E4, "gameId": ann.game, "playerId": number})
        # Nor does anybody come back as somebody else.
        for key in ("", "x" * 86, bob.key, cid.key, ann.key[:-1]):
            resume = {"type": 1, "gameId": ann.game, "playerId": ann.player, "key": key}
            await gets(stranger, 7, resume)
        await game.unchanged()
        await moved(ann, bob, "e2e4")

    in_a_club(tmp_path / "data", story)


def test_nothing_is_played_before_the_other_has_joined_or_after_the_end(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        ann, bob, home = await club.client(), await club.client(), await club.client("/home")
        await home.hears(0, games={})
        await ann.create(public=True)
        await home.hears(1, gameId=ann.game)
        own = {"gameId": ann.game, "playerId": ann.player}
        for message in ({"type": 4, "action": 1, "move": E2E4}, {"type": 3}):
            await gets(ann, 7, {**message, **own})
        await bob.join(ann.game)
        await ann.hears(1, name="Bob")
        await bob.hears(1)
        await home.hears(2, gameId=ann.game)
        await bob.say(2, reason=1, result={"WIN": 0, "LOSS": 1})
        await ann.hears(2, reason=1, result=0)
        for client in (ann, bob):
            own = {"gameId": client.game, "playerId": client.player}
            for message in ({"type": 4, "action": 1, "move": E2E4}, {"type": 3}):
                await gets(client, 7, {**message, **own})
            # A game that is over is given up by clients whose own clock has just run out.
            await client.say(2, reason=2)
            await client.hears_nothing()

    in_a_club(tmp_path / "data", story)


def test_a_game_that_is_given_up_before_anybody_joins_is_gone(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        ann, bob, home = await club.client(), await club.client(), await club.client("/home")
        await home.hears(0)
        await ann.create(public=True)
        await home.hears(1, gameId=ann.game)
        gone = ann.game
        await ann.say(2, reason=1)
        await home.hears(2, gameId=gone)
        await gets(bob, 7, {"type": 1, "gameId": gone, "name": "Bob"})
        # Whoever gave it up may play again, and the new game has another number.
        await ann.create()
        assert ann.game != gone

    in_a_club(tmp_path / "data", story)


def test_nobody_joins_what_is_not_there_is_full_is_over_or_is_the_own_game(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        ann, bob = await club.pair()
        cid, dot = await club.client(), await club.client()
        game = Watched(club, ann, bob)
        for number in (123456, 0, ann.game + 1, 2**53 - 1):
            await gets(cid, 7, {"type": 1, "gameId": number, "name": "Cid"})
        await gets(cid, 7, {"type": 1, "gameId": ann.game, "name": "Cid"})
        for client in (ann, bob):
            await gets(client, 7, {"type": 1, "gameId": ann.game, "name": "Me"})
            await gets(client, 7, {"type": 0, "name": "Me", "color": True, "timeControl": 0, "public": False})
        await game.unchanged()
        await dot.create("Dot")
        await gets(dot, 7, {"type": 1, "gameId": dot.game, "name": "Dot"})
        await gets(ann, 7, {"type": 1, "gameId": dot.game, "name": "Ann"})
        await ann.say(2, reason=1)
        await bob.hears(2, reason=1, result=0)
        await gets(cid, 7, {"type": 1, "gameId": ann.game, "name": "Cid"})
        # After the end the sockets may play again.
        await ann.join(dot.game, "Ann")
        await dot.hears(1, name="Ann")
        await ann.hears(1, name="Dot", color=False)
        await bob.create("Bob")

    in_a_club(tmp_path / "data", story)


def test_a_piece_that_cannot_go_there_is_put_back_and_the_wrong_turn_is_an_error(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        ann, bob = await club.pair()
        game = Watched(club, ann, bob)
        own = {"gameId": ann.game, "playerId": ann.player}
        for move in ("e2e5", "e4e5", "e7e5", "e2e2", "a1a3", "e1g1", "b1d2"):
            await gets(ann, 6, {"type": 4, "action": 1, "move": way(move), **own})
        await gets(ann, 6, {"type": 4, "action": 1, "move": {**E2E4, "promotion": 2}, **own})
        await gets(
            bob, 7, {"type": 4, "action": 1, "move": way("e7e5"), "gameId": bob.game, "playerId": bob.player}
        )
        await gets(ann, 7, {"type": 4, "action": 2, "selection": True, **own})
        await game.unchanged()
        await moved(ann, bob, "e2e4")

    in_a_club(tmp_path / "data", story)


def test_a_follow_up_of_the_wrong_shape_is_an_error_and_one_that_is_not_allowed_is_put_back(
    tmp_path: Path,
) -> None:
    async def story(club: Club) -> None:
        ann, bob = await club.pair()
        e2, e3 = {"row": 1, "col": 4}, {"row": 2, "col": 4}

        async def offered(rarity: int, first: int, second: int) -> None:
            await ann.send(
                {
                    "type": 9,
                    "gameId": ann.game,
                    "rarity": rarity,
                    "id1": first,
                    "id2": second,
                    "whereCaptured": e2,
                }
            )
            await ann.hears(5, action=2, updates=[], id1=first, id2=second)
            await bob.hears(5, action=0, updates=[])

        await offered(0, 0, 4)  # Adjust and Swap
        game = Watched(club, ann, bob)
        own = {"type": 4, "action": 2, "gameId": ann.game, "playerId": ann.player}
        await gets(ann, 7, {"type": 4, "action": 1, "move": E2E4, "gameId": ann.game, "playerId": ann.player})
        for wrong in these(None, [], 7, "e3", {}, {"row": 2}, {"row": 8, "col": 0}, {"from": e2}, {"to": e3}):
            await gets(ann, 7, {**own, "selection": True, "followUp": wrong})
        for wrong in these(None, {"from": e2, "to": e3}, {"row": "2", "col": 4}):
            await gets(ann, 7, {**own, "selection": False, "followUp": wrong})
        await gets(ann, 7, {**own, "selection": True})
        d2 = {"row": 1, "col": 3}
        for target in (
            {"from": d2, "to": e3},
            {"from": e2, "to": d2},
            {"from": e2, "to": {"row": 5, "col": 5}},
            d2,
        ):
            await gets(ann, 6, {**own, "selection": True, "followUp": target})
        for target in (e2, e3, {"row": 6, "col": 0}):
            await gets(ann, 6, {**own, "selection": 1, "followUp": target})
        await game.unchanged()
        # The short form says only where the piece goes.
        await ann.choose("0", e3)
        await ann.hears(5, updates=[], action=0)
        await bob.hears(5, updates=[], action=1, move={"from": e2, "to": e3}, rarity=0, power=0)

    in_a_club(tmp_path / "data", story, debug=True)


def test_a_frame_that_is_too_large_or_binary_ends_the_connection_after_an_error(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        ann, bob = await club.pair()
        await ann.raw('{"type":3,"x":"' + "y" * 4096 + '"}')
        await ann.hears(7)
        assert await ann.closed() == 1009
        await bob.socket.send_bytes(b'{"type":3}')
        await bob.hears(7)
        assert await bob.closed() == 1003

    in_a_club(tmp_path / "data", story)


def test_names_carry_no_markup_whatever_door_they_come_from(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        for said, told in (
            ("<script>alert(1)</script>", "scriptalert(1)/script"),
            ("<b>&amp;\"'`</b>", "bamp;/b"),
            ("  Ann\u0000\u001b Lee \n", "Ann Lee"),
            ("", "Guest"),
            ("<>", "Guest"),
            ("x" * 300, "x" * 32),
            ("\u202eevil", "evil"),
            ("Gamut", "Guest"),
            ("Zoë 王", "Zoë 王"),
        ):
            ann, bob, home = await club.client(), await club.client(), await club.client("/home")
            await home.hears(0)
            await ann.create(said, public=True)
            await home.hears(1, name=told)
            await bob.join(ann.game, said)
            await ann.hears(1, name=told)
            await bob.hears(1, name=told)
            await home.socket.close()
        async with club.http.ws_connect("/hall") as page:
            await page.send_json({"type": "hello", "name": "<i>Pat</i>"})
            await page.send_json({"type": "open", "id": 1, "game": "powerchess"})
            bob, home = await club.client(), await club.client("/home")
            listed = await home.hears(0)
            if not listed["games"]:
                listed = {"games": {str((added := await home.hears(1))["gameId"]): added}}
            ((game, entry),) = listed["games"].items()
            assert entry["name"] == "iPat/i"
            await bob.join(int(game))
            await bob.hears(1, name="iPat/i")

    in_a_club(tmp_path / "data", story)
