"""What only SQLite has: opening its file, damage and rescue, backups, and leaving no traces in it."""
