"""The door for clients of Topple: JSON and binary boards over WebSocket, and a list of rooms over HTTP."""
