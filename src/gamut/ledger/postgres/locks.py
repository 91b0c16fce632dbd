"""Which advisory locks there are: the first of their two numbers."""

SCHEMA = 0x67616D01
"""Held while the schema is brought up to date."""
NODE = 0x67616D02
"""Held by a node as long as its process lives; the second number is the node's."""
MOVE = 0x67616D03
"""Held while a hall is moved into this store."""
