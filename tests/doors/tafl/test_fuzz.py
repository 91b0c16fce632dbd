"""Whatever is said at the Tafl door, by whomever and in whatever order: an answer, never a fault, nothing broken."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.doors.support.tafl_inn import (
    BRANDUB,
    RECORDS,
    TIMED,
    Client,
    TaflInn,
    create,
    game_password,
    guid,
    join,
    spectate,
    tafl_inn,
)
from tests.doors.test_fuzz import check

from gamut.doors.tafl.from_client import WORDS
from gamut.hall.people.prehash import prehashed

WORD = game_password("abc")
VALID = [
    f'login "Zoe" {prehashed("Zoe", "secret")}',
    'lobby-chat "Zoe" hello there',
    "get-game-list",
    "game-list",
    "client-list",
    f"create-game {guid(9)} attackers open {BRANDUB}",
    f"create-game {guid(9)} defenders {WORD} {BRANDUB}",
    f"create-game {guid(8)} attackers open {TIMED} grace:30 {BRANDUB}",
    f"create-game {guid(7)} combinechat:true allowreplay:false defenders none {TIMED} {BRANDUB}",
    *(
        f"join-game {guid(number)} {word}".strip()
        for number in (1, 2, 3, 9)
        for word in ("", WORD, "false none")
    ),
    *(f"spectate-game {guid(number)}" for number in (1, 2, 3, 9)),
    *(f"spectate {guid(number)} true none" for number in (1, 2, 3, 9)),
    *(f"leave-game {guid(number)}" for number in (1, 2, 3, 7, 8, 9)),
    *(f"resume {guid(number)}" for number in (1, 2)),
    "ready-for-game",
    *(f"move {record}" for record in (*RECORDS, "d3-c3", "c3-d3", "---")),
    *(f"move-record {record}" for record in (*RECORDS, "d3-c3", "c3-d3", "---")),
    "end-game",
    "game-ended",
    'game-chat "Zoe" a "b" | c',
    'spectator-chat "Zoe" psst',
    "history",
    "history 7 a4-a3 0|0/0|0||d3-c3 0|0/0|0||",
    "clock-update",
    f"clock-update {TIMED} {TIMED}",
    "resign",
    "draw-offer",
    "draw-accept",
    "draw-decline",
    "ping x",
]
"""Each message of each dialect, right in every respect."""

_WORDS = (
    "success",
    "error",
    "game-list",
    "client-list",
    "lobby-chat",
    "game-chat",
    "spectator-chat",
    "start-game",
)
_MORE = ("history", "clock-update", "move", "move-record", "move-result", "await-move", "victory", "end-game")
KNOWN = {*_WORDS, *_MORE, "game-ended", "draw-offer", "draw-decline", "pong"}
OLD_ERRORS = {
    *("invalid-login", "already-hosting", "game-canceled", "bad-save", "game-ended", "game-full"),
    *("invalid-game-password", "opponent-left", "desync", "version-mismatch", "unknown-error"),
}


def test_every_message_of_every_dialect_is_tried() -> None:
    words = {line.partition(" ")[0] for line in VALID}
    assert words == {word for known in WORDS.values() for word in known}


def cast(inn: TaflInn) -> list[Client]:
    """People of every dialect in every situation."""
    ann, bob = inn.playing(kinds=("", "7"))
    people = [ann, bob]
    for name, kind in (("Cid", ""), ("Dot", "7"), ("Eve", "ext")):
        people.append(inn.client(name, kind))
        spectate(people[-1])
    host, old = inn.client("Fay", "ext"), inn.client("Gus", "7")
    create(host, 2, time=TIMED)
    create(old, 3, "defenders", password=WORD, combine=True)
    loose = [inn.client("Hal", kind="ext"), inn.client("Ida", "7"), inn.client("Jo"), Client(inn)]
    return [*people, host, old, *loose]


def sound(client: Client) -> None:
    """All that was heard is of the protocol's kind, and of its dialect."""
    for line in client.read():
        word, _, rest = line.partition(" ")
        assert word in KNOWN, line
        assert "\r" not in line
        assert "\0" not in line
        if client.session.dialect == "O":
            assert word not in ("move", "end-game", "spectator-chat", "draw-offer", "pong"), line
            assert word != "error" or rest in OLD_ERRORS, line


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_messages_in_any_order(data: st.DataObject) -> None:
    with tafl_inn(waiting=True) as inn:
        people = cast(inn)
        for _ in range(data.draw(st.integers(1, 12))):
            person = data.draw(st.sampled_from(people))
            what = data.draw(st.sampled_from(["say", "say", "say", "say", "bot", "wait", "hang up"]))
            if what == "say":
                person.say(data.draw(st.sampled_from(VALID)))
            elif what == "bot":
                asked = data.draw(st.sampled_from(people))
                asked.session.text(b"game-list" if asked.session.dialect == "O" else b"get-game-list")
                games = [game.guid for one in people for game in one.session.state.bot_games]
                waiting = data.draw(st.sampled_from(games or [guid(1)]))
                word = data.draw(st.sampled_from(["join-game", "spectate-game", "leave-game", "resume"]))
                person.say(f"{word} {waiting}" + " false none" * (person.session.dialect == "O"))
            elif what == "wait":
                inn.advance(data.draw(st.sampled_from([0, 100, 5_000, 700_000])))
            else:
                person.hang_up()
            check(inn)
        for person in people:
            sound(person)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_valid_messages_with_something_wrong_in_them(data: st.DataObject) -> None:
    with tafl_inn() as inn:
        people = cast(inn)
        for _ in range(data.draw(st.integers(1, 6))):
            line = bytearray(data.draw(st.sampled_from(VALID)).encode())
            how = data.draw(st.sampled_from(["cut", "flip", "insert", "words", "double"]))
            at = data.draw(st.integers(0, len(line) - 1))
            if how == "cut":
                line = line[:at]
            elif how == "flip":
                line[at] = data.draw(st.integers(0, 255))
            elif how == "insert":
                line[at:at] = data.draw(st.text(max_size=8)).encode("utf-8", "replace")
            elif how == "words":
                words = bytes(line).split(b" ")
                words.pop(data.draw(st.integers(0, len(words) - 1)))
                line = bytearray(b" ".join(words))
            else:
                line += b" " + line
            person = data.draw(st.sampled_from(people))
            person.inn.run(person.session.binary(bytes(line).replace(b"\n", b"")))
            inn.settle()
        for person in people:
            sound(person)
        check(inn)


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=60), place=st.integers(0, 10))
@example(text="\x85\u2028 x", place=0)
def test_arbitrary_text_is_answered_or_unknown(text: str, place: int) -> None:
    with tafl_inn() as inn:
        people = cast(inn)
        for prefix in ("", "move ", "create-game ", "login ", "history "):
            people[place].raw_say((prefix + text.replace("\n", "")).encode("utf-8", "replace"))
        for person in people:
            sound(person)
        check(inn)


def test_what_is_said_twice_at_once_is_done_once() -> None:
    with tafl_inn() as inn:
        ann, bob = inn.client("Ann"), inn.client("Bob")
        create(ann)
        join(bob)
        for _ in range(3):
            ann.say("ready-for-game"), bob.say("ready-for-game")
        assert sum(line.startswith("start-game") for line in ann.wire.data.decode().splitlines()) == 1
        check(inn)
