"""What news of a table tells beside the events: enough that no client must know the rules to go on."""

from tests.doors.support.inn import Inn


def test_news_says_how_the_game_ended(inn: Inn) -> None:
    ann, bob, cy = (inn.guest(name) for name in ("Ann", "Bob", "Cy"))
    table = ann.open()
    bob.sure("sit", table=table)
    cy.sure("sit", table=table)
    marks = [(ann, 0), (bob, 8), (cy, 16), (ann, 1), (bob, 9), (cy, 17)]
    for guest, tile in marks:
        guest.sure("act", table=table, action={"type": "place", "tile": tile})
    cy.read()
    ann.sure("act", table=table, action={"type": "place", "tile": 2})
    (last,) = cy.read()
    assert last["phase"] == "over"
    assert last["outcome"] == {"winners": [0], "reason": "line", "scores": None, "places": None}
    bob.read()
    again = bob.sure("watch", table=table, since=0)[0]
    assert again["outcome"]["winners"] == [0], "whoever comes back later is told as well"


def test_news_says_which_seats_wait_for_somebody(inn: Inn) -> None:
    ann, bob, cy = (inn.guest(name) for name in ("Ann", "Bob", "Cy"))
    table = ann.open()
    bob.sure("sit", table=table)
    cy.sure("sit", table=table)
    ann.read()
    bob.sure("leave", table=table)
    (left,) = (news for news in ann.read() if news["type"] == "events")
    assert left["waiting"] == [1]
    ann.sure("bot", table=table, level="casual")
    news = [message for message in cy.read() if message["type"] == "events"]
    assert "waiting" not in news[-1]
