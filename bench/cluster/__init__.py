"""Two nodes on one PostgreSQL behind a proxy, with people at all doors, through kills, freezes and fail-overs."""
