"""Which external engines there are: the operator's file, and what `gamut engine add` has put into the data folder."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from gamut.engines.protocols import JSON

_STORED = "engines.json"


class EngineSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the operator describes one engine."""

    command: Annotated[tuple[str, ...], Meta(min_length=1)]
    title: Annotated[str, Meta(min_length=1, max_length=40)]
    seconds: Annotated[float, Meta(gt=0, le=60)] = 5.0
    """An engine that has not answered after so long hangs, and is started anew."""
    protocol: str = JSON
    """The language it speaks: one that its game names, or that of all games."""
    memory: Annotated[int, Meta(ge=16, le=1_048_576)] = 2048
    """Megabytes of address space, each for the program and for all that it starts."""
    directory: str = ""
    """Where it runs; if that is not said, where the server does."""


Name = Annotated[str, Meta(pattern="^[a-z0-9_-]{1,32}$")]
Described = Mapping[str, Mapping[str, EngineSettings]]
"""By game and name."""
_Written = dict[str, dict[Name, EngineSettings]]


def read_engines(file: str) -> Described:
    """What the operator's file says, or ValueError; nothing without a file."""
    if not file:
        return {}
    try:
        text = Path(file).read_bytes()
    except OSError as error:
        raise ValueError(f"the file cannot be read ({error.strerror})") from None
    try:
        return msgspec.toml.decode(text, type=_Written)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"the file is not right ({error})") from None


def read_stored(data: Path) -> _Written:
    """What was added to the data folder. ValueError if the file cannot be read."""
    try:
        return msgspec.json.decode((data / _STORED).read_bytes(), type=_Written)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{data / _STORED} cannot be read ({error})") from None


def write_stored(data: Path, engines: Described) -> None:
    """All of it anew. Whoever reads it meanwhile gets the old or the new, and nobody else may read it."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Checked as it would be when it is read: names and numbers that will not do are not stored.
    checked = msgspec.convert(msgspec.to_builtins(engines), _Written)
    new = data / f"{_STORED}.new"
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(checked)) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    new.replace(data / _STORED)


def all_engines(file: str, data: Path) -> Described:
    """The engines of both; ValueError if one of them cannot be read, or both have one of the same name."""
    found = {game: dict(engines) for game, engines in read_engines(file).items()}
    for game, engines in read_stored(data).items():
        others = found.setdefault(game, {})
        for name, settings in engines.items():
            if name in others:
                raise ValueError(f"there are two engines {name} for {game}: one in {file}, one added")
            others[name] = settings
    return found
