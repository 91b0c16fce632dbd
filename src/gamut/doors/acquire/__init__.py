"""The door for clients of Acquire: JSON over WebSocket."""
