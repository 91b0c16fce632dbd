"""Guests and accounts: who they are, their passwords and their sessions."""
