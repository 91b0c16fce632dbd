"""Attacks on a real server from outside, and what its quiet players feel of them."""
