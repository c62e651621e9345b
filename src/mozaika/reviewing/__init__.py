"""After a game: what each decision was worth, and how much was luck."""

from mozaika.reviewing.calibration import Like
from mozaika.reviewing.review import Decision, Draw, Player, Possible, Review, Reviewer, Value
from mozaika.reviewing.steps import review

__all__ = ["Decision", "Draw", "Like", "Player", "Possible", "Review", "Reviewer", "Value", "review"]
