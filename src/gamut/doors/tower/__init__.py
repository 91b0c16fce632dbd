"""The door for clients of Tower: JSON over WebSocket."""
