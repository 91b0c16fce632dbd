"""The durable log and the accounts in SQL."""
