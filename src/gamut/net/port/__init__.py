"""Ports and who comes to them: listening, counting, limits, and the shell around every connection."""
