"""Recorded games of Tafl: `.otg` and JSON."""
