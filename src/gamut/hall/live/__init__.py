"""Tables in memory: their listeners, alarms and successors."""
