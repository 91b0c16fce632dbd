"""How a connection ends, as a number: WebSocket's own codes (RFC 6455, section 7.4), and ours from 4000 on.

Over plain lines nothing of it is sent; the code still says why.
"""

NORMAL = 1000
GOING_AWAY = 1001
"""The server is about to stop."""
PROTOCOL_ERROR = 1002
UNSUPPORTED = 1003
"""A kind of message that the protocol does not have."""
NOT_UTF8 = 1007
POLICY = 1008
"""A limit was reached, or whoever is in charge has sent them away."""
TOO_BIG = 1009
INTERNAL_ERROR = 1011
LOGGED_OUT = 4001
