"""python -m tests.browser.screenshots: pictures of every page, and those of the README."""

import argparse
import base64
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import Page, ViewportSize, sync_playwright
from tests.browser.screenshots.evening import Evening, PlainNames, pages
from tests.browser.support.browsers import Browsers, Look
from tests.browser.support.chromium import WITHOUT_WINDOWS, chromium
from tests.browser.support.elsewhere import Hall
from tests.net.support.process import ServerProcess
from tests.support.draws import draw_from

from gamut.net.api.accounts import COOKIE

ROOT = Path(__file__).parents[3]
SIZES: dict[int, ViewportSize] = {
    390: {"width": 390, "height": 844},
    820: {"width": 820, "height": 1180},
    1440: {"width": 1440, "height": 900},
}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
README = {"lobby-1440-light", "powerchess-playing-1440-dark", "tafl-review-390-light"}
"""The pictures that README.md shows."""

AT_REST = """async () => {
    await document.fonts.ready;
    const frame = () => new Promise(requestAnimationFrame);
    const look = () => document.body.innerHTML.length;
    for (let [before, same] = [look(), 0]; same < 20; await frame()) {
        const now = look();
        same = now === before ? same + 1 : 0;
        before = now;
    }
}"""
"""Resolves when nothing has come to the page, or gone, for twenty frames."""


def picture(page: Page, kind: str) -> bytes:
    session = page.context.new_cdp_session(page)
    shot = session.send(
        "Page.captureScreenshot", {"format": kind} | ({"quality": 82} if kind == "webp" else {})
    )
    session.detach()
    return base64.b64decode(shot["data"])


def take(
    browsers: Browsers, home: str, token: str, found: Sequence[tuple[str, str]], into: Path, locale: str
) -> None:
    for width, viewport in SIZES.items():
        lent = browsers.lend(home, Look(viewport, touch=width == 390, locale=locale), fresh=True)
        lent.context.add_cookies([{"name": COOKIE, "value": token, "url": home}])
        for name, path in found:
            for scheme in SCHEMES:
                lent.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                if scheme == "light":
                    lent.page.goto(f"{home}{path}")
                    lent.page.wait_for_load_state("networkidle")
                lent.page.evaluate(AT_REST)
                shown = f"{name}-{width}-{scheme}"
                (into / f"{shown}.png").write_bytes(picture(lent.page, "png"))
                if shown in README and locale == "en-GB":
                    (ROOT / "docs" / "images" / f"{shown}.webp").write_bytes(picture(lent.page, "webp"))
        for trouble in lent.troubles.found:
            sys.stdout.write(f"{width}: {trouble}\n")
        lent.context.close()


def sheet(found: Sequence[tuple[str, str]]) -> str:
    """All of them on one page, a row for each page of ours."""
    rows = (
        f"<h2>{name}</h2>"
        + "".join(
            f'<img src="{name}-{width}-{scheme}.png" height="440" alt="{width}, {scheme}"> '
            for width in SIZES
            for scheme in SCHEMES
        )
        for name, _ in found
    )
    return f"<!doctype html><title>gamut</title><body style='background:#888'>{''.join(rows)}"


@contextmanager
def hall_of_its_own() -> Iterator[tuple[str, Hall]]:
    with (
        TemporaryDirectory() as folder,
        ServerProcess(Path(folder) / "data", "--port", "0", bot_delay=0.01, message_rate=0) as server,
        Hall(server.url, PlainNames()) as hall,
    ):
        yield server.url, hall


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.browser.screenshots", description=__doc__)
    parser.add_argument(
        "--into", type=Path, default=ROOT / "build" / "screenshots", help="the folder for all of them"
    )
    parser.add_argument("--only", default="", help="pages whose name contains this")
    parser.add_argument(
        "--locale", default="en-GB", help="what the browser says of its language, such as de-DE"
    )
    parser.add_argument("--seed", type=int, default=1, help="of what is played")
    chosen = parser.parse_args(arguments)
    draw_from(str(chosen.seed))
    chosen.into.mkdir(parents=True, exist_ok=True)
    with hall_of_its_own() as (home, hall), sync_playwright() as playwright:
        me = hall.guest("Ada")
        evening = Evening(hall, me, chosen.seed)
        evening.begin()
        found = [(name, path) for name, path in pages(evening) if chosen.only in name]
        with chromium(playwright, WITHOUT_WINDOWS) as browsers:
            take(browsers, home, me.client.token, found, chosen.into, chosen.locale)
    (chosen.into / "index.html").write_text(sheet(found))
    sys.stdout.write(
        f"{len(found) * len(SIZES) * len(SCHEMES)} pictures are in {chosen.into}, all on its index.html\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
