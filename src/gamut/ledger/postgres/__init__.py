"""The ledger on PostgreSQL: every commit is one statement that is refused as a whole once the node was ended."""
