"""Which advisory locks there are: the first of their two numbers."""

SCHEMA = 0x67616D01
"""Held while the schema is brought up to date."""
NODE = 0x67616D02
"""Held by a node as long as its process lives; the second number is the node's."""
HAS_ITS_LOCK = f"""EXISTS (
    SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = {NODE} AND objid = nodes.id::oid AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"""
"""Of a row of `nodes`: its process lives, and the database knows that it does."""
MOVE = 0x67616D03
"""Held while a hall is moved into this store."""
