"""Mozaika: an open digital table for tile-laying games."""

from importlib.metadata import version

from mozaika.doors.batch import random_games
from mozaika.game import (
    CHANCE,
    LEVELS,
    WATCHER,
    AmbiguousMove,
    BadOption,
    Bot,
    Budget,
    Game,
    Hindsight,
    IllegalMove,
    MoveError,
    Net,
    Options,
    Sentence,
    State,
    Thought,
    UnknownMove,
)
from mozaika.games import GAMES, UnknownGame
from mozaika.rating import Measured, Meeting, Rating, Ratings
from mozaika.record import Entry, Record, RecordError, Unreadable
from mozaika.scene import Hold, Label, Layer, Scene, Shape, Spot, Sprite, Theme, Walk
from mozaika.stages import Stage, Stages
from mozaika.table import Table
from mozaika.words import Words

__version__ = version("mozaika")

__all__ = [
    "CHANCE",
    "GAMES",
    "LEVELS",
    "WATCHER",
    "AmbiguousMove",
    "BadOption",
    "Bot",
    "Budget",
    "Entry",
    "Game",
    "Hindsight",
    "Hold",
    "IllegalMove",
    "Label",
    "Layer",
    "Measured",
    "Meeting",
    "MoveError",
    "Net",
    "Options",
    "Rating",
    "Ratings",
    "Record",
    "RecordError",
    "Scene",
    "Sentence",
    "Shape",
    "Spot",
    "Sprite",
    "Stage",
    "Stages",
    "State",
    "Table",
    "Theme",
    "Thought",
    "UnknownGame",
    "UnknownMove",
    "Unreadable",
    "Walk",
    "Words",
    "__version__",
    "random_games",
]
