"""A table as a decider: its state, its events, its clock, and who may see what of it. Pure code."""
