"""Mozaika: an open digital table for tile-laying games."""

from importlib.metadata import version

from mozaika.doors.batch import Batch, batch, random_games
from mozaika.epochs import Epoch, Party
from mozaika.features import Facts, Feature, Features
from mozaika.game import Bot, Game
from mozaika.games import GAMES, UnknownGame
from mozaika.judgement import Judgement, Net
from mozaika.lab.results import simulate
from mozaika.lesson import Lesson, Step
from mozaika.moves import AmbiguousMove, IllegalMove, MoveError, UnknownMove
from mozaika.options import BadOption, Brush, Drawing, Options
from mozaika.rating import Measured, Meeting, Rating, Ratings
from mozaika.record import Entry, Proof, Record, RecordError, Unreadable
from mozaika.reviewing import Decision, Draw, Like, Player, Possible, Review, Value, review
from mozaika.scene import Glimpse, Hold, Label, Layer, NoSuchArea, Scene, Shape, Spot, Sprite, Theme, Walk
from mozaika.sentence import Argument, Hindsight, Sentence, Suggestion
from mozaika.stages import Stage, Stages
from mozaika.state import CHANCE, WATCHER, State
from mozaika.table import Table
from mozaika.thought import LEVELS, Alternative, Budget, Thought
from mozaika.words import Words

__version__ = version("mozaika")

__all__ = [
    "CHANCE",
    "GAMES",
    "LEVELS",
    "WATCHER",
    "Alternative",
    "AmbiguousMove",
    "Argument",
    "BadOption",
    "Batch",
    "Bot",
    "Brush",
    "Budget",
    "Decision",
    "Draw",
    "Drawing",
    "Entry",
    "Epoch",
    "Facts",
    "Feature",
    "Features",
    "Game",
    "Glimpse",
    "Hindsight",
    "Hold",
    "IllegalMove",
    "Judgement",
    "Label",
    "Layer",
    "Lesson",
    "Like",
    "Measured",
    "Meeting",
    "MoveError",
    "Net",
    "NoSuchArea",
    "Options",
    "Party",
    "Player",
    "Possible",
    "Proof",
    "Rating",
    "Ratings",
    "Record",
    "RecordError",
    "Review",
    "Scene",
    "Sentence",
    "Shape",
    "Spot",
    "Sprite",
    "Stage",
    "Stages",
    "State",
    "Step",
    "Suggestion",
    "Table",
    "Theme",
    "Thought",
    "UnknownGame",
    "UnknownMove",
    "Unreadable",
    "Value",
    "Walk",
    "Words",
    "__version__",
    "batch",
    "random_games",
    "review",
    "simulate",
]
