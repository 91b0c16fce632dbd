"""Recorded games of Acquire: review data and JSON."""
