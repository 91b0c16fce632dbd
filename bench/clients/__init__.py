"""Clients of every door, as cheap as they can be: they put a load on a server and check all that they hear."""
