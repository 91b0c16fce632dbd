"""The door of the page and of bots: JSON over WebSocket, for every game."""
