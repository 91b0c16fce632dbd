"""A network namespace for each node, for PostgreSQL, for NATS and for the players, with a bridge between them."""
