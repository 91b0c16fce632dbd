"""What the operator has set, as the hall and the people in it want it."""

import os

from gamut.hall.ids import Millis
from gamut.hall.limits.allowance import Allowance
from gamut.hall.limits.attempts import Limit
from gamut.hall.limits.pace import Pace
from gamut.hall.people.people import PeopleSettings
from gamut.hall.settings import HallSettings
from gamut.hall.table.deciding.draft import Timeouts
from gamut.net.settings import Settings


def millis(seconds: float) -> Millis:
    return Millis(int(seconds * 1000))


def hall_settings(settings: Settings) -> HallSettings:
    return HallSettings(
        tables_per_person=settings.tables_per_person,
        most_tables=settings.most_tables,
        watchers_per_table=settings.watchers_per_table,
        bot_delay=millis(settings.bot_delay),
        pace=Pace(
            talk=Limit(settings.talk_burst, millis(settings.talk_burst)),
            by_person=Allowance(settings.stored_at_once, settings.stored_per_second),
            from_address=Allowance(
                settings.stored_at_once_from_address, settings.stored_per_second_from_address
            ),
        ),
        timeouts=Timeouts(
            host_grace=millis(settings.host_grace),
            setup_grace=millis(settings.setup_grace),
            room_grace=millis(settings.room_grace),
            abandoned_after=millis(settings.abandoned_after),
        ),
    )


def people_settings(settings: Settings) -> PeopleSettings:
    ten_minutes, hour = millis(600), millis(3600)
    return PeopleSettings(
        logins_per_name=Limit(settings.logins_per_name, ten_minutes),
        logins_per_address=Limit(settings.logins_per_address, ten_minutes),
        guests_per_address=Limit(settings.guests_per_address, hour),
        registrations_per_address=Limit(settings.registrations_per_address, hour),
        # Some clients give up after half a second; one core is left for everybody else.
        hashes_at_once=max(2, (os.cpu_count() or 1) - 1),
    )
