"""Two nodes on one PostgreSQL, or owners and gateways, behind a proxy, with people at all doors, through all faults."""
