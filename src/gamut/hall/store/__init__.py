"""Making things durable: the journal, and the interface to a ledger."""
