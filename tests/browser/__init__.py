"""A package, unlike its neighbours: so one browser serves all of it, and is gone before the next folder's tests."""
