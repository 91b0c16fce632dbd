"""Event extensions: fields that a file adds to its events, and when they are there."""

from collections.abc import Callable, Mapping
from operator import eq, ge, gt, le, lt, ne

from gamut.games.files import BadFile
from gamut.games.topple.files.cursor import Cursor, damaged
from gamut.games.topple.files.record import Compared, Extension, ExtraField, Flagged

_MOST_FIELDS = 8
"""So that an event of one byte cannot ask for endless work. Known files have two fields."""


def read_extensions(cursor: Cursor, version: int) -> tuple[Extension, ...]:
    found: list[Extension] = []
    for _ in range(cursor.number(1)):
        event = cursor.number(1)
        if event > 3 or any(event == other.event for other in found):
            raise damaged("its event extensions make no sense")
        count = cursor.number(1)
        if count > _MOST_FIELDS:
            raise BadFile("unsupported", f"Its events have {count} extra fields; we read {_MOST_FIELDS}.")
        fields: list[ExtraField] = []
        for place in range(count):
            fields.append(_named(cursor, fields) if version >= 6 else _nameless(cursor, place))
        found.append(Extension(event, tuple(fields)))
    return tuple(found)


def _named(cursor: Cursor, before: list[ExtraField]) -> ExtraField:
    name = cursor.text(cursor.number(1))
    if any(name == field.name for field in before):
        raise damaged("two extra fields have the same name")
    kind = cursor.number(1)
    when: Flagged | Compared | None = None
    size = kind
    if kind >= 0xC0:
        back = kind >> 3 & 7
        if back >= len(before):
            raise damaged("an extra field depends on one that is not there")
        when = Compared(back, kind & 7, cursor.take(before[-1 - back].size))
        size = cursor.number(1)
    elif kind >= 0x80:
        packed = cursor.number(1)
        when, size = Flagged(kind & 0x3F, packed >> 5), packed & 0x1F
    return _sized(name, size, when)


def _nameless(cursor: Cursor, place: int) -> ExtraField:
    """Version 5: only sizes and flags."""
    kind = cursor.number(1)
    if kind < 0x80:
        return _sized(f"field{place}", kind, None)
    packed = cursor.number(1)
    return _sized(f"field{place}", packed & 0x1F, Flagged(kind & 0x7F, packed >> 5))


def _sized(name: str, size: int, when: Flagged | Compared | None) -> ExtraField:
    if size == 0:
        raise damaged("an extra field has no size")
    return ExtraField(name, size, when)


def written_extensions(extensions: tuple[Extension, ...]) -> bytes:
    written = bytearray([len(extensions)])
    for extension in extensions:
        written += bytes([extension.event, len(extension.fields)])
        for field in extension.fields:
            name = field.name.encode()
            written += bytes([len(name)]) + name
            match field.when:
                case None:
                    written.append(field.size)
                case Flagged(byte=byte, bit=bit):
                    written += bytes([0x80 | byte, bit << 5 | field.size])
                case Compared(back=back, check=check, value=value):
                    written += bytes([0xC0 | back << 3 | check]) + value + bytes([field.size])
    return bytes(written)


def check_extensions(extensions: tuple[Extension, ...]) -> None:
    """Raise BadFile if these cannot be written and read back."""
    if len({extension.event for extension in extensions}) < len(extensions):
        raise damaged("two extensions are for the same event")
    for extension in extensions:
        fields = extension.fields
        if len({field.name for field in fields}) < len(fields):
            raise damaged("two extra fields have the same name")
        for place, field in enumerate(fields):
            largest = 0x7F
            if isinstance(field.when, Flagged):
                largest = 0x1F
                if field.when.byte > 0x3F:
                    raise BadFile(
                        "unsupported", "An extra field depends on a flag that version 6 cannot name."
                    )
            elif isinstance(field.when, Compared):
                largest = 0xFF
                other = place - 1 - field.when.back
                if other < 0 or fields[other].size != len(field.when.value):
                    raise damaged("an extra field depends on one that is not there")
            if not 1 <= field.size <= largest or len(field.name.encode()) > 0xFF:
                raise damaged("an extra field is too large")


def present(
    field: ExtraField, place: int, fields: tuple[ExtraField, ...], flags: bytes, extra: Mapping[str, bytes]
) -> bool:
    """Whether a field is there, given those before it."""
    when = field.when
    if when is None:
        return True
    if isinstance(when, Flagged):
        return when.byte < len(flags) and bool(flags[when.byte] & 0x80 >> when.bit)
    other = extra.get(fields[place - 1 - when.back].name)
    return other is not None and _compares(other, when.check, when.value)


_CHECKS: tuple[Callable[[bytes, bytes], bool], ...] = (eq, ne, gt, lt, ge, le)


def _compares(found: bytes, check: int, value: bytes) -> bool:
    if check < len(_CHECKS):
        # Of equal length and big-endian, so that they compare as bytes as they do as numbers.
        return _CHECKS[check](found, value)
    by = int.from_bytes(value, "big")
    # Nothing is divisible by zero.
    divisible = by != 0 and int.from_bytes(found, "big") % by == 0
    return divisible == (check == 6)


def read_extra(cursor: Cursor, fields: tuple[ExtraField, ...], flags: bytes) -> dict[str, bytes]:
    extra: dict[str, bytes] = {}
    for place, field in enumerate(fields):
        if present(field, place, fields, flags, extra):
            extra[field.name] = cursor.take(field.size)
    return extra


def written_extra(extra: Mapping[str, bytes], fields: tuple[ExtraField, ...], flags: bytes) -> bytes:
    """The values of an event's extra fields; exactly those must be given that have to be there."""
    written, count = bytearray(), 0
    for place, field in enumerate(fields):
        if present(field, place, fields, flags, extra):
            value = extra.get(field.name)
            if value is None or len(value) != field.size:
                raise damaged(f"the extra field {field.name} of an event is missing or has the wrong size")
            written += value
            count += 1
    if count < len(extra):
        raise damaged("an event has extra fields that do not belong to it")
    return bytes(written)
