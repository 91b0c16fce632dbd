"""Power Chess: chess without check, with boxes that hold powers."""
