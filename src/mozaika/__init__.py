"""Mozaika: an open digital table for tile-laying games."""

from mozaika.game import (
    CHANCE,
    WATCHER,
    AmbiguousMove,
    Budget,
    Game,
    IllegalMove,
    MoveError,
    UnknownMove,
)
from mozaika.games import GAMES
from mozaika.record import Record, RecordError
from mozaika.table import Table

__all__ = [
    "CHANCE",
    "GAMES",
    "WATCHER",
    "AmbiguousMove",
    "Budget",
    "Game",
    "IllegalMove",
    "MoveError",
    "Record",
    "RecordError",
    "Table",
    "UnknownMove",
]
