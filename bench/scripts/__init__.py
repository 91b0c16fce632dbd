"""Prepared games: what clients say, and what they must hear."""
