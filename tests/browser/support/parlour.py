"""The card table of Parlour as somebody sees it, and what their browser was told."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from playwright.sync_api import Locator, WebSocket, WebSocketRoute, expect
from tests.browser.support.person import Person

_OF_CARDS = {"cards", "card", "gave", "drew", "hands", "laid", "spent"}
"""The fields of states, events and actions in which numbers are cards."""

_NOTE_CARDS = """() => {
    window.cardsSeen = new Set();
    const look = () => {
        for (const shown of document.querySelectorAll(".piece text")) window.cardsSeen.add(Number(shown.textContent));
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


class CardTable:
    def __init__(self, person: Person, seat: int) -> None:
        self.person = person
        self.seat = seat
        self.board = person.table.board
        self.controls = person.page.get_by_role("group", name="What to choose from")

    # What is to be seen

    def hand(self) -> list[int]:
        """The own cards, as they lie before one."""
        found = self.board.locator("[data-square^=card-]")
        squares = found.evaluate_all("cards => cards.map(card => card.dataset.square)")
        return [int(square.removeprefix("card-")) for square in squares]

    def holds(self, count: int) -> list[int]:
        expect(self.board.locator("[data-square^=card-]")).to_have_count(count)
        return sorted(self.hand())

    def faces(self, count: int) -> list[int]:
        """Every number on the whole board, wherever it stands; as many as there should be in the end."""
        texts = self.board.locator("text")
        expect(texts).to_have_count(count)
        return sorted(int(text) for text in texts.all_text_contents())

    def card(self, card: int) -> Locator:
        return self.board.locator(f"[data-square=card-{card}]")

    def place(self, seat: int) -> Locator:
        return self.board.locator(f"[data-square=place-{seat}]")

    def has(self, seat: int, what: str) -> None:
        """What is said of the place of a seat."""
        expect(self.place(seat)).to_have_accessible_name(re.compile(what))

    def note_cards(self) -> None:
        """From now on, remember every card whose face is to be seen, if only for a moment."""
        self.person.page.evaluate(_NOTE_CARDS)

    def cards_noted(self) -> set[int]:
        return set(self.person.page.evaluate("[...window.cardsSeen]"))

    # What is done

    def may_lay(self) -> None:
        expect(self.board.get_by_role("gridcell", name=re.compile("you can pick this")).first).to_be_visible()

    def pick(self, card: int) -> None:
        self.may_lay()
        self.card(card).click()
        expect(self.card(card)).to_have_accessible_name(re.compile(", picked$"))

    def lay(self, card: int) -> None:
        self.pick(card)
        self.place(self.seat).click()
        expect(self.card(card)).to_have_count(0)

    def drag(self, card: int) -> None:
        self.may_lay()
        start, end = self.card(card).bounding_box(), self.place(self.seat).bounding_box()
        assert start is not None
        assert end is not None
        mouse = self.person.page.mouse
        mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        mouse.down()
        mouse.move(end["x"] + 20, end["y"] + 40, steps=4)
        expect(self.card(card)).to_have_accessible_name(re.compile(", picked$"))
        mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2)
        mouse.up()
        expect(self.card(card)).to_have_count(0)

    def control(self, name: str) -> Locator:
        return self.controls.get_by_role("button", name=name, exact=True)

    def take(self) -> None:
        self.control("Take the point").click()
        expect(self.control("Take the point")).to_have_count(0)

    def is_chooser(self) -> bool:
        """Whether one has won the round that has just been turned over."""
        expect(self.person.table.headline).to_have_text(re.compile("^(Your turn|.+'s turn)$"))
        return self.person.table.headline.text_content() == "Your turn"


class Wiretap:
    """Everything that goes over somebody's connection from now on."""

    def __init__(self, person: Person) -> None:
        self.heard: list[Any] = []
        self.said: list[Any] = []
        person.page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.heard.append(msgspec.json.decode(frame)))
        socket.on("framesent", lambda frame: self.said.append(msgspec.json.decode(frame)))

    def cards(self) -> set[int]:
        """Every card that was named in anything heard."""
        return {card for message in self.heard for card in _cards(message) if card != 0}

    def asked(self, kind: str) -> list[Any]:
        return [message for message in self.said if message["type"] == kind]


def _cards(told: Any, are_cards: bool = False) -> Iterator[int]:
    match told:
        case dict():
            for name, value in told.items():
                yield from _cards(value, name in _OF_CARDS)
        case list():
            for value in told:
                yield from _cards(value, are_cards)
        case int() if are_cards and not isinstance(told, bool):
            yield told


class Gate:
    """Between browsers and the server: holds what they want to do until it is opened, or cuts the connection then."""

    def __init__(self) -> None:
        self.held: list[tuple[WebSocketRoute, str | bytes]] = []
        self.shut = False

    def stands_before(self, person: Person) -> None:
        person.page.route_web_socket("**/hall", self._relay)

    def _relay(self, here: WebSocketRoute) -> None:
        server = here.connect_to_server()

        def say(text: str | bytes) -> None:
            if self.shut and '"act"' in str(text):
                self.held.append((server, text))
            else:
                server.send(text)

        here.on_message(say)
        server.on_message(here.send)

    def open(self) -> None:
        self.shut = False
        for server, text in self.held:
            server.send(text)
        self.held = []
