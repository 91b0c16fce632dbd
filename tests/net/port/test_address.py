import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamut.net.port.address import UNKNOWN, client_address, is_loopback, is_trusted, networks

PROXIES = networks(["127.0.0.1", "10.0.0.0/8", "fd00::/8"])


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "client"),
    [
        ("203.0.113.7", None, "203.0.113.7"),
        ("203.0.113.7", "198.51.100.1", "203.0.113.7"),
        ("127.0.0.1", None, "127.0.0.1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", "6.6.6.6, 203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", "6.6.6.6, 203.0.113.7, 10.1.2.3", "203.0.113.7"),
        ("127.0.0.1", "6.6.6.6,203.0.113.7,10.1.2.3,10.3.2.1", "203.0.113.7"),
        ("127.0.0.1", "10.9.9.9, 10.1.2.3", "10.9.9.9"),
        ("10.0.0.1", "127.0.0.2, 203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", "203.0.113.7:4711", "203.0.113.7"),
        ("127.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
        ("127.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("fd00::1", "2001:DB8:0::1", "2001:db8::1"),
        ("::ffff:127.0.0.1", "::ffff:203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", "unknown", "127.0.0.1"),
        ("127.0.0.1", "6.6.6.6, _hidden, 10.1.2.3", "10.1.2.3"),
        ("127.0.0.1", "6.6.6.6,", "127.0.0.1"),
        (None, "203.0.113.7", UNKNOWN),
        ("", None, UNKNOWN),
        ("no address", None, UNKNOWN),
    ],
)
def test_the_client_is_the_right_most_address_that_is_no_proxy_of_ours(
    peer: str | None, forwarded_for: str | None, client: str
) -> None:
    assert client_address(peer, forwarded_for, PROXIES) == client


def test_without_trusted_proxies_the_header_is_never_believed() -> None:
    assert client_address("127.0.0.1", "203.0.113.7", ()) == "127.0.0.1"


@given(st.text(), st.ip_addresses())
def test_nothing_a_client_sends_hides_the_address_that_the_proxy_saw(made_up: str, seen: object) -> None:
    if not is_trusted(str(seen), PROXIES):
        honest = client_address("127.0.0.1", f"{seen}", PROXIES)
        assert client_address("127.0.0.1", f"{made_up}, {seen}", PROXIES) == honest


def test_a_setting_that_is_no_network_is_a_mistake() -> None:
    with pytest.raises(ValueError):
        networks(["proxy.example"])


def test_loopback_is_known_here_as_well() -> None:
    assert is_loopback("127.0.0.1")
    assert not is_loopback(UNKNOWN)
