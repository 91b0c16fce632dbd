"""How long the ledger waits for another program that holds the database."""

BUSY_MILLIS = 10_000
