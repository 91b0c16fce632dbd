"""A long evening on a real server, with everything that can go wrong; and a memory of all that anybody was told."""
