"""The hall: tables, people, the lobby and bots. It asks for time, storage and threads through interfaces."""
