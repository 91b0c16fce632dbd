"""Recorded games of Power Chess: text like that of chess, and JSON."""
