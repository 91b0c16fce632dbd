"""The servers under load: `gamut serve`, and plain Node servers beside it."""
