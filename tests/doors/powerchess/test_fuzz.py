"""Whatever is said at the doors of Power Chess, by whomever and in whatever order: an answer, never a fault."""

from typing import Any

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.doors.support.inn import Visitor
from tests.doors.support.powerchess_inn import Client, PowerInn, point, power_inn, way
from tests.doors.test_fuzz import check

from gamut.doors.powerchess.from_client import _DECODE
from gamut.doors.powerchess.naming import MOST

MOVES = ("e2e4", "e7e5", "d2d4", "e4d5", "d7d5", "g1f3", "b8c6", "e1e2", "e8e7", "a2a3", "h7h5")


def messages(person: Client, other: Client) -> list[dict[str, Any]]:
    """Each message of the protocol, right in every respect but perhaps not for this person, or not now."""
    own = {"gameId": person.game, "playerId": person.player}
    return [
        {"type": 0, "name": "Zoe", "color": True, "timeControl": "0", "public": "true"},
        {"type": 0, "name": "Zoe", "color": "false", "timeControl": 2, "public": False},
        *({"type": 1, "gameId": game, "name": "Zoe"} for game in (person.game, other.game, 5, MOST)),
        {"type": 1, **own, "key": person.key},
        {"type": 1, "gameId": other.game, "playerId": other.player, "key": other.key},
        *({"type": 2, **own, "reason": reason, "result": 1} for reason in (1, "2")),
        {"type": 3, **own},
        {"type": 7, "message": "nothing works"},
        {"type": 3, "gameId": other.game, "playerId": other.player},
        *({"type": 4, **own, "action": 1, "move": way(move)} for move in MOVES),
        *({"type": 4, **own, "action": 2, "selection": which} for which in (True, False, 0, "1")),
        *(
            {"type": 4, **own, "action": 2, "selection": which, "followUp": more}
            for which in (True, False)
            for more in (point("e4"), point("e7"), way("e2e3"), way("e2d3"))
        ),
        *({"type": 8, "gameId": person.game, **point(name), "rarity": 0} for name in ("e4", "e5", "d4")),
        *(
            {
                "type": 9,
                "gameId": person.game,
                "rarity": rarity,
                "id1": 0,
                "id2": 2,
                "whereCaptured": point(name),
            }
            for rarity in (0, 1, 2)
            for name in ("e2", "e7")
        ),
    ]


def cast(inn: PowerInn) -> list[Client]:
    """People in every situation: playing, waiting, done, gone, and new."""
    ann, bob = inn.pair()
    cid, dot = inn.pair(public=True)
    cid.tell(2, reason=1)
    eve = inn.client()
    eve.create("Eve", public=True)
    page, gus = inn.guest("Pat"), inn.client()
    table = page.open("powerchess")
    gus.join(int(str(inn.load(table).table.room)))
    lost, fay = inn.pair()
    lost.hang_up()
    return [ann, bob, cid, dot, eve, gus, fay, inn.client()]


KINDS = {0, 1, 2, 3, 5, 6, 7}


def sound(person: Client) -> None:
    """All that was heard is of the protocol's kind."""
    for message in person.read():
        kind = message["type"]
        assert kind in KINDS, message
        if kind == 5:
            assert message["action"] in (0, 1, 2)
            assert isinstance(message["updates"], list)
            assert (message["action"] == 2) == ("options" in message), message
        elif kind in (6, 7):
            assert message.keys() == {"type", "message"}
        elif kind == 1:
            assert ("playerId" in message) == ("key" in message)


def test_every_message_is_tried() -> None:
    with power_inn() as inn:
        ann, bob = inn.pair()
        assert {message["type"] for message in messages(ann, bob)} == set(_DECODE)


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_any_messages_in_any_order(data: st.DataObject) -> None:
    with power_inn(debug=True, waiting=True) as inn:
        people = cast(inn)
        home: Visitor = inn.home()
        for _ in range(data.draw(st.integers(1, 14))):
            person, other = (data.draw(st.sampled_from(people)) for _ in range(2))
            what = data.draw(st.sampled_from(["say", "say", "say", "say", "say", "wait", "hang up", "crash"]))
            if what == "say":
                person.say(data.draw(st.sampled_from(messages(person, other))))
            elif what == "wait":
                inn.advance(data.draw(st.sampled_from([0, 100, 5_000, 302_000, 700_000])))
            elif what == "hang up":
                person.hang_up()
            else:
                inn.restart()
                people = [inn.client() for _ in people]
            check(inn)
        for person in people:
            sound(person)
        home.read()


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_valid_messages_with_something_wrong_in_them(data: st.DataObject) -> None:
    with power_inn(debug=True) as inn:
        people = cast(inn)
        for _ in range(data.draw(st.integers(1, 6))):
            person, other = (data.draw(st.sampled_from(people)) for _ in range(2))
            message = data.draw(st.sampled_from(messages(person, other)))
            how = data.draw(st.sampled_from(["cut", "flip", "without", "other", "more"]))
            if how in ("cut", "flip"):
                text = bytearray(msgspec.json.encode(message))
                at = data.draw(st.integers(0, 200)) % len(text)
                if how == "cut":
                    text = text[:at]
                else:
                    text[at] = data.draw(st.integers(32, 126))
                person.send(bytes(text))
            else:
                changed = {**message}
                name = data.draw(st.sampled_from(sorted(message)))
                if how == "without":
                    del changed[name]
                else:
                    changed[name if how == "other" else "more"] = data.draw(ANYTHING)
                person.send(msgspec.json.encode(changed))
            check(inn)
        for person in people:
            sound(person)


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=80, deadline=None)
@given(text=st.text(max_size=80), place=st.integers(0, 7))
@example(text='{"type":4,"gameId":1e999}', place=0)
@example(text='{"type":"\\ud800"}', place=1)
def test_arbitrary_text_is_answered_with_an_error_or_nothing(text: str, place: int) -> None:
    with power_inn() as inn:
        person = cast(inn)[place]
        person.read()
        person.send(text.encode("utf-8", "replace"))
        assert [message["type"] for message in person.read()] in ([], [7])
        home = inn.home()
        home.send(text.encode("utf-8", "replace"))
        assert len(home.read()) == 1
        check(inn)
