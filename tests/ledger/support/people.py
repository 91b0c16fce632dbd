"""People for tests of the ledger."""

from msgspec.structs import replace

from gamut.hall.ids import Millis, PersonId
from gamut.hall.people.person import PersonRow

ANNA = PersonRow(
    id=PersonId("anna-id"),
    name="Anna",
    name_key="anna",
    password=None,
    created=Millis(1_700_000_000_000),
    last_seen=Millis(1_700_000_000_001),
    epoch=1,
)
BERTA = replace(ANNA, id=PersonId("berta-id"), name="Berta", name_key="berta", password="$argon2id$hash")
