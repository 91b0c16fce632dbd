"""The doors: each protocol as messages and sessions, without sockets, and what they share."""
