"""Making things durable: the journal, the interface to a ledger, and how tables come back into memory."""
