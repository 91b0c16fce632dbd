"""The OpenTafl Engine Protocol, both sides of it."""
