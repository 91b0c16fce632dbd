"""Speed, attacks and long evenings: what is tried with a real server from outside."""
