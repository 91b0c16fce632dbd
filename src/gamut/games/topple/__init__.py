"""Topple: tiles that are too full topple onto their neighbours."""
