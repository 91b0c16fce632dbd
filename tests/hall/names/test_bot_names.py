"""Bots have names of their own, which are nobody else's."""

import asyncio

import pytest
from msgspec.structs import replace
from tests.hall.support.townsfolk import CHEAP, PASSWORD, Clock, MemoryStore, opened
from tests.hall.table.test_table import ANN, Stage

from gamut.doors.powerchess import names as power_names
from gamut.doors.tafl import to_client as tafl_door
from gamut.doors.waiting_bots import bots_of
from gamut.games.game import Level
from gamut.games.registry import all_games
from gamut.games.topple.rules import Topple
from gamut.games.tower.rules import Tower
from gamut.hall.names.person_names import NameOfABot, clean_name
from gamut.hall.people.people import People
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.bot_names import bot_names, shown_name
from gamut.hall.table.seats import BotSitter


def test_there_is_a_name_for_every_bot_that_a_table_can_hold_and_each_belongs_to_one() -> None:
    found: list[str] = []
    for game in all_games().values():
        for level in game.traits.levels:
            assert len(level.names) >= max(game.traits.seats) - 1, (game.traits.name, level.name)
            found += level.names
    assert len(found) == len(set(found))


def test_every_door_can_say_the_names_of_bots_as_they_are() -> None:
    own = [name for game in all_games().values() for level in game.traits.levels for name in level.names]
    for name in [*own, *(name + " bot" for name in own)]:
        assert name.isascii()
        assert len(name) <= 16
        assert clean_name(name) == tafl_door.shown(name) == power_names.shown(name) == name


def test_bots_of_one_strength_have_different_names_and_nobody_else_s_at_the_table() -> None:
    stage = Stage(Topple(), ANN, seats=10)
    stage.sit("bob", name="Tаnsy")  # noqa: RUF001 - with a letter that only looks like an a
    for _ in range(8):
        stage.do(c.SeatBot(ANN, "casual"))
    bots = stage.holders()[2:]
    assert bots[:2] == ["Clover", "Fennel"]
    assert len(set(bots)) == 8


def test_where_no_name_is_left_they_are_numbered() -> None:
    class Lonely(Tower):
        traits = replace(Tower.traits, levels=(Level("casual", "Casual", ("Pebble",)),))

    stage = Stage(Lonely(), ANN)
    stage.do(c.SeatBot(ANN, "casual"))
    stage.do(c.SeatBot(ANN, "casual"))
    assert stage.holders()[1:] == ["Pebble", "Pebble 2"]


def test_protocols_that_say_only_names_say_that_a_bot_is_one_and_old_tables_are_told_as_they_were() -> None:
    assert shown_name(BotSitter("strong", "Granite")) == "Granite bot"
    assert shown_name(BotSitter("strong", "Strong bot")) == "Strong bot"


def test_the_names_under_which_bots_wait_in_lists_are_nobody_s() -> None:
    async def story() -> None:
        people = await People.open(MemoryStore(), CHEAP, Clock(), bot_names(all_games()))
        listed = [bot.name for game in all_games().values() for bot in bots_of(game)]
        assert "Puffin bot (casual)" in listed
        # A bot that is not the first of its strength would be shown in the same form.
        for name in (*listed, "puffin BOT (Casual)", "Basalt bot (strong)"):
            with pytest.raises(NameOfABot):
                await people.guest(name)
        await people.close()

    asyncio.run(story())


def test_nobody_takes_the_name_of_a_bot_and_who_has_it_keeps_it() -> None:
    async def story() -> None:
        store, clock = MemoryStore(), Clock()
        async with opened(store, clock) as people:
            await people.register("Granite", PASSWORD)
        people = await People.open(store, CHEAP, clock, bot_names(all_games()))
        guest = await people.guest("Ann")
        numbered = next(iter(all_games()["topple"].traits.levels)).names[0] + " 2"
        told = ("Strong bot", "Freya (Moderate)", numbered, numbered + " bot")
        for name in ("Basalt", "BASALT", "Basalt bot", "B\u0430salt", *told):
            for wish in (
                people.guest(name),
                people.register(name, PASSWORD),
                people.register(name, PASSWORD, guest.id),
                people.rename(guest.id, name),
            ):
                with pytest.raises(NameOfABot) as refused:
                    await wish
                assert refused.value.code == "name_taken"
            with pytest.raises(NameOfABot):
                people.check_unregistered(name)
        assert (await people.login("Granite", PASSWORD)).name == "Granite"
        assert (await people.guest("Basalt", numbered=True)).name != "Basalt"
        await people.close()

    asyncio.run(story())
