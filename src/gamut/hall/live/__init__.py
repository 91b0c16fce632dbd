"""Tables in memory: how they come there, their listeners, alarms and successors."""
