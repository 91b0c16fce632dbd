"""Acquire: hotel chains, shares and hidden tiles."""
