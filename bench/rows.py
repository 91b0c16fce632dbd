"""Figures one below the other, each with its target, if it has one."""

from collections.abc import Sequence

import msgspec


class Row(msgspec.Struct, frozen=True):
    """Without a figure it is a headline."""

    what: str
    figure: str = ""
    target: str = ""
    met: bool | None = None


def in_columns(rows: Sequence[Row]) -> list[str]:
    what = max((len(row.what) for row in rows), default=0)
    figure = max((len(row.figure) for row in rows), default=0)
    target = max((len(row.target) for row in rows), default=0)
    lines = []
    for row in rows:
        verdict = {True: "ok", False: "missed", None: ""}[row.met]
        line = f"{row.what:<{what}}  {row.figure:>{figure}}  {row.target:<{target}}  {verdict}"
        lines.append(line.rstrip() if row.figure else f"\n{row.what}")
    return lines
