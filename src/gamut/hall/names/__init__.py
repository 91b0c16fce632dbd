"""What people and tables are called, and when two names are the same or look alike."""
