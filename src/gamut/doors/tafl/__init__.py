"""The door for clients of Tafl: lines over TCP, in three dialects."""
