"""External engines: programs that play seats of this server, and our own bots as such programs."""
