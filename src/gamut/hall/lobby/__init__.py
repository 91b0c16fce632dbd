"""The lobby: the list of tables, how each is summed up, and what is said there."""
