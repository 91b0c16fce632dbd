"""What a table answers to each command: events, or a refusal."""
