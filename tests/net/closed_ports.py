"""Doors without ports of their own: for servers within the tests, of which several may run at once."""

from gamut.doors.tafl.offer import TaflSettings
from gamut.doors.tower.offer import TowerSettings

CLOSED = {"tower": TowerSettings(tower_port=0), "tafl": TaflSettings(tafl_port=0)}
