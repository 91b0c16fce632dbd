"""The server: sockets, HTTP, settings, metrics and logs."""
