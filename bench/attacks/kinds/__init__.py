"""The attacks themselves: each is a function of a target, with its first sentence for people."""
