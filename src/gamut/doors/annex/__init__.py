"""An internal door of the main wing: the other wings of the hall say here what they have. No client comes to it."""
