"""One node on SQLite and one on PostgreSQL in turns: moves a second, what they cost, and how soon one is heard."""
