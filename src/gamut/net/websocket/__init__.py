"""WebSocket connections, from the handshake to frames."""
