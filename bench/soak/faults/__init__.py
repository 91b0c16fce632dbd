"""What goes wrong with a server from outside, on each kind of store."""
