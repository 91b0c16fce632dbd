"""The door at which annexes are: what they say is for the hall, and they are told what becomes of people.

It has no entrance: whoever is a gateway opens a session here by the door's name, for the annex in its own process.
"""

from functools import partial
from typing import Any

from gamut.doors.annex import to_annex as t
from gamut.doors.annex.session import AnnexSession
from gamut.doors.offer import Offer
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, PersonId
from gamut.hall.people.people import People
from gamut.hall.people.person import Person

ANNEX = "annex"
"""The name of the door."""
_SEEN_EVERY = Millis(60_000)


class AnnexDoor:
    name = ANNEX

    def __init__(self, hall: Hall, people: People) -> None:
        self.hall = hall
        self._people = people
        self._see_later()

    # What becomes of people

    def changed(self, person: Person) -> None:
        self._tell(t.Changed(person))

    def logged_out(self, id: PersonId) -> None:
        person = self._people.person(id)
        if person is not None:
            self._tell(t.Changed(person))

    def deleted(self, id: PersonId) -> None:
        self._tell(t.Gone(id))

    def _tell(self, message: t.ToAnnex) -> None:
        """An annex that takes in too little is let go by its wire, and reads everything anew when it is back."""
        frame: bytes | None = None
        for line in tuple(self.hall.annexes.lines):
            if isinstance(line, AnnexSession):
                frame = t.framed(message) if frame is None else frame
                line.tell(frame)

    # Who is connected to annexes

    def _see_later(self) -> None:
        self.hall.time.later(_SEEN_EVERY, self._see)

    def _see(self) -> None:
        """The names of people who stay connected do not become free."""
        for person in tuple(self.hall.annexes.connected):
            self._people.saw(person)
        self._see_later()


def annex_offer(hall: Hall, people: People) -> Offer:
    """For the main wing of a hall that has several. From now on annexes are told what becomes of people, and whoever
    deletes themself is taken out of the tables of annexes first, and then of those of the main wing."""
    door = AnnexDoor(hall, people)

    def guarded(call: Any) -> Any:
        return partial(hall.faults.guard, "annex", call)

    people.on_add.append(guarded(door.changed))
    people.on_change.append(guarded(door.changed))
    people.on_logout.append(guarded(door.logged_out))
    people.on_delete.append(guarded(door.deleted))
    people.erasers.insert(0, hall.annexes.erase)
    return Offer(name=ANNEX, door=door, session_type=AnnexSession)
