"""Moving a hall from one store to another: from SQLite to PostgreSQL, back, or from one PostgreSQL to another."""
