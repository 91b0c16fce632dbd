"""Tables at which nothing can be done just now, and what whoever comes there is told."""

from gamut.games.game import Refused


def out_of_order() -> Refused:
    return Refused(
        "out_of_order",
        "Something went wrong at this table, and it is closed for now. Nothing of it is lost.",
    )


def damaged() -> Refused:
    return Refused("damaged", "The record of this table is damaged; it cannot be opened.")
