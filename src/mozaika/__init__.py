"""Mozaika: an open digital table for tile-laying games."""

from importlib.metadata import version

from mozaika.doors.batch import random_games
from mozaika.epochs import Epoch, Party
from mozaika.game import Bot, Game
from mozaika.games import GAMES, UnknownGame
from mozaika.judgement import Judgement, Net
from mozaika.moves import AmbiguousMove, IllegalMove, MoveError, UnknownMove
from mozaika.options import BadOption, Options
from mozaika.rating import Measured, Meeting, Rating, Ratings
from mozaika.record import Entry, Proof, Record, RecordError, Unreadable
from mozaika.scene import Hold, Label, Layer, Scene, Shape, Spot, Sprite, Theme, Walk
from mozaika.sentence import Hindsight, Sentence
from mozaika.stages import Stage, Stages
from mozaika.state import CHANCE, WATCHER, State
from mozaika.table import Table
from mozaika.thought import LEVELS, Budget, Thought
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
    "Epoch",
    "Game",
    "Hindsight",
    "Hold",
    "IllegalMove",
    "Judgement",
    "Label",
    "Layer",
    "Measured",
    "Meeting",
    "MoveError",
    "Net",
    "Options",
    "Party",
    "Proof",
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
