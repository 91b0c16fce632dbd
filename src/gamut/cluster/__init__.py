"""What joins the processes of one hall: gateways, which hold the sockets, and the owner of the tables."""
