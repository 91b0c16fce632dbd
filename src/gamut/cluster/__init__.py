"""Several nodes, one hall: links, gateways and the bus between them."""
