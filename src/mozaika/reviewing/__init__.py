"""After a game: what each decision was worth, and how much was luck."""

from mozaika.reviewing.review import Decision, Draw, Player, Review, Reviewer, Value, review

__all__ = ["Decision", "Draw", "Player", "Review", "Reviewer", "Value", "review"]
