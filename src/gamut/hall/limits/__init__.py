"""How often, how much and how fast: rate limits, pace, and what happens when the disk is slow."""
