"""The pages about oneself: coming in, one's games, one's settings."""

from playwright.sync_api import Locator, Page, expect


class Account:
    def __init__(self, page: Page) -> None:
        self._page = page
        self.name = page.get_by_role("heading", level=1)

    def button(self, name: str) -> Locator:
        return self._page.get_by_role("main").get_by_role("button", name=name, exact=True)

    def fill(self, **fields: str) -> None:
        for field, value in fields.items():
            self._page.get_by_label(field.replace("_", " ").capitalize(), exact=True).fill(value)

    def register(self, name: str, password: str) -> None:
        self._page.goto("/register")
        self.fill(name=name, password=password)
        self.button("Register").click()

    def log_in(self, name: str, password: str) -> None:
        self._page.goto("/login")
        self.fill(name=name, password=password)
        self.button("Log in").click()

    def is_that_of(self, name: str) -> None:
        self._page.wait_for_url("**/me")
        expect(self.name).to_have_text(name)
        expect(self._page.get_by_role("link", name=f"You: {name}")).to_be_visible()
