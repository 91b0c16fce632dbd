"""Which addresses name a cluster, and what is said of the others."""

import pytest

from gamut.cluster.nats_address import NatsAddress, Place


def test_what_is_left_out_is_the_usual() -> None:
    address = NatsAddress.read("nats://one")
    assert (address.scheme, address.places, address.name) == ("nats", (Place("one", 4222),), "gamut")
    assert (address.user, address.password, address.token) == (None, None, None)


def test_several_servers_have_one_user() -> None:
    address = NatsAddress.read("tls://gamut:wo%40rd%3A@one:1,10.0.0.2,[::1]:3/house_2")
    assert address.places == (Place("one", 1), Place("10.0.0.2", 4222), Place("::1", 3))
    assert (address.user, address.password, address.token) == ("gamut", "wo@rd:", None)
    assert address.shown == "tls://one:1,10.0.0.2:4222,[::1]:3/house_2"


def test_a_user_without_a_password_is_a_token() -> None:
    address = NatsAddress.read("nats://s3%2Fcret@one")
    assert (address.user, address.password, address.token) == (None, None, "s3/cret")


@pytest.mark.parametrize(
    ("url", "wrong"),
    [
        ("", "begins with nats://"),
        ("one:4222", "begins with nats://"),
        ("http://one:4222", "begins with nats://"),
        ("nats://", "host:port"),
        ("nats://one:4222,", "host:port"),
        ("nats://one:0", "host:port"),
        ("nats://one:65536", "host:port"),
        ("nats://::1", "host:port"),
        ("nats://user:secret", "host:port"),
        ("nats://one two", "host:port"),
        ("nats://one?tls", "host:port"),
        ("nats://one/", "cluster's name"),
        ("nats://one/a.b", "cluster's name"),
        ("nats://one/*", "cluster's name"),
        (f"nats://one/{33 * 'a'}", "cluster's name"),
        ("nats://a:b@one,a:b@two", "before all servers"),
    ],
)
def test_a_bad_address_is_one_clear_line(url: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong) as refused:
        NatsAddress.read(url)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("password", ["sec@ret", "sec/ret", "sec:ret", "sec@ret/x", "sec/ret@x", "sec:ret@x"])
@pytest.mark.parametrize("host", ["@one:4222/gamut", "@one:x", "@"])
def test_of_a_password_that_is_not_escaped_nothing_is_shown(password: str, host: str) -> None:
    with pytest.raises(ValueError) as refused:
        NatsAddress.read(f"nats://user:{password}{host}")
    assert not any(part in str(refused.value) for part in ("sec", "ret"))
