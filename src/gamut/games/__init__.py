"""The rules of the games: pure code that knows nothing of servers."""
