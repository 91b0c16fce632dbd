import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamut.net.http.origin import origin_allowed


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, "club.example"),
        (None, ""),
        ("http://club.example", "club.example"),
        ("https://club.example", "club.example"),
        ("http://club.example", "club.example:80"),
        ("https://club.example", "club.example:443"),
        ("https://club.example:443", "club.example"),
        ("http://club.example:8080", "club.example:8080"),
        ("https://club.example:8443", "club.example:8443"),
        ("HTTP://Club.Example", "cLUB.eXAMPLE"),
        ("http://127.0.0.1:8080", "127.0.0.1:8080"),
        ("http://[::1]:8080", "[::1]:8080"),
        ("http://[::1]", "[0:0:0:0:0:0:0:1]:80"),
        ("http://[2001:DB8::1]:8080", "[2001:db8::1]:8080"),
        ("http://my_host", "my_host"),
    ],
)
def test_our_own_page_may_act(origin: str | None, host: str) -> None:
    assert origin_allowed(origin, host, ())


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://evil.example", "club.example"),
        ("http://club.example.evil.example", "club.example"),
        ("http://evilclub.example", "club.example"),
        ("http://club.example:8080", "club.example"),
        ("http://club.example", "club.example:8080"),
        ("http://club.example", "club.example:443"),
        ("https://club.example:80", "club.example"),
        ("http://[::1]:8080", "[::2]:8080"),
        ("null", "club.example"),
        ("null", "null"),
        ("", "club.example"),
        ("", ""),
        ("http://", ""),
        ("http://club.example/", "club.example"),
        ("http://club.example/x", "club.example"),
        ("http://club.example?", "club.example"),
        ("http://club.example#", "club.example"),
        ("http://evil@club.example", "club.example"),
        ("http://club.example@evil.example", "club.example"),
        ("http://club.example\\.evil.example", "club.example"),
        ("http://club.example, http://evil.example", "club.example"),
        ("http://club.example http://evil.example", "club.example"),
        (" http://club.example", "club.example"),
        ("http://club.example\n", "club.example"),
        ("http://club.example:", "club.example"),
        ("http://club.example:x", "club.example:x"),
        ("http://club.example:99999", "club.example:99999"),
        ("http://club.example:\u0668\u0660", "club.example"),
        ("http://[::1", "[::1"),
        ("http://[:::1]", "[:::1]"),
        ("http://[1]", "[1]"),
        ("http://\u212aing.example", "king.example"),  # a Kelvin sign
        ("//club.example", "club.example"),
        ("club.example", "club.example"),
        ("file://", ""),
        ("file://club.example", "club.example"),
        ("chrome-extension://club.example", "club.example"),
    ],
)
def test_a_foreign_or_malformed_origin_may_not(origin: str, host: str) -> None:
    assert not origin_allowed(origin, host, ())


@pytest.mark.parametrize(
    ("origin", "allowed", "may"),
    [
        ("https://app.example", "https://app.example", True),
        ("https://app.example:443", "https://APP.example", True),
        ("http://app.example", "https://app.example", False),
        ("http://app.example", "app.example", True),
        ("https://app.example", "app.example", True),
        ("https://app.example:8443", "app.example", False),
        ("https://app.example:8443", "app.example:8443", True),
        ("capacitor://localhost", "capacitor://localhost", True),
        ("capacitor://localhost", "http://localhost", False),
        ("http://[::1]:3000", "http://[0::1]:3000", True),
        ("https://app.example", "https://app.example/", False),
        ("https://app.example", "*", False),
        ("null", "null", False),
    ],
)
def test_other_pages_may_act_if_the_setting_names_them(origin: str, allowed: str, may: bool) -> None:
    assert origin_allowed(origin, "club.example", ["https://other.example", allowed]) is may


@given(st.text(), st.text(), st.lists(st.text(), max_size=3))
def test_no_text_whatever_breaks_it(origin: str, host: str, allowed: list[str]) -> None:
    assert origin_allowed(origin, host, allowed) in (True, False)


@given(st.from_regex(r"[a-z0-9.-]{1,20}", fullmatch=True), st.integers(0, 65_535))
def test_every_host_and_port_is_its_own_origin_only(name: str, port: int) -> None:
    assert origin_allowed(f"http://{name}:{port}", f"{name}:{port}", ())
    assert not origin_allowed(f"http://{name}:{port}", f"x{name}:{port}", ())
    assert not origin_allowed(f"http://{name}:{port}", f"{name}:{port ^ 1}", ())
