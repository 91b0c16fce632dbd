"""Tafl: attackers besiege a king, on many boards and by many rules."""
