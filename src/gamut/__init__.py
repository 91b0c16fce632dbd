"""Gamut, an online board-game server: five games, one hall, every protocol a door."""
