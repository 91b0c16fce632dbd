"""Recorded games of any kind, as tables and back."""
