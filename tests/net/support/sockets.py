"""Where the servers of these tests hold their sockets."""

at_gateways = False
"""With `--through gateway`; set before any test is loaded."""
