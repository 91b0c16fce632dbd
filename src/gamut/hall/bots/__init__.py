"""Bots at tables: the processes in which they think, when they are asked, and for how long."""
