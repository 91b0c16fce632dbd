"""Recorded games of Topple: `.topl`, `.stpl` and JSON."""
