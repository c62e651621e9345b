"""How a check speaks."""

from mozaika.game import Game
from mozaika.rulebook import rule_ids


def hold(condition: object, sentence: str) -> None:
    """AssertionError with a sentence where a property does not hold."""
    if not condition:
        raise AssertionError(sentence)


def hold_rule(game: Game, rule: str, where: str) -> None:
    """A rule that is cited stands in the rulebook; none is cited where there is none."""
    known = rule_ids(game.rulebook())
    hold(rule in (known or ("",)), f"{where} cites the rule {rule!r}, which the rulebook does not have.")
