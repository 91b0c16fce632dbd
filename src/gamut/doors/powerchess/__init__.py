"""The door for clients of Power Chess: frames over WebSocket at /play and /home."""
