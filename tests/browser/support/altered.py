"""The page's part for a game, altered on its way to the browser: what no game here does can be tried like this."""

import re

from playwright.sync_api import BrowserContext, Route


def alter(context: BrowserContext, game: str, changes: str, before: str = "") -> None:
    """The game comes as it was built, with these members of its view in place of its own (JavaScript)."""

    def altered(route: Route) -> None:
        script = f"""
            import {{ {game} as real }} from "{route.request.url}?as-built";
            {before}
            export const {game} = {{ ...real, {changes} }};
        """
        route.fulfill(content_type="text/javascript", body=script)

    context.route(part_of(game), altered)


def part_of(game: str) -> re.Pattern[str]:
    return re.compile(rf"/assets/{game}-[\w-]+\.js$")
