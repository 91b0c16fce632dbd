"""What `make bench` measures of the rules and the bots alone, without a server."""
