"""Connections that speak lines over TCP: PROXY headers, TLS, and lines."""
