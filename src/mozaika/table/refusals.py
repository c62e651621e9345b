"""Why something cannot be done at a table, each time with a sentence that can be said in any language."""

from mozaika.words import Translatable, later


class NotAllowed(Translatable):
    """A guest may not do that."""


class NotNow(Translatable):
    """The game has not come to that, or is past it."""


class NotThere(Translatable):
    """There is no such thing at this table."""


class BadWish(Translatable, ValueError):
    """Nobody could have that."""


class Shut(NotNow):
    """Nobody plays on at a table: the operator has closed it, perhaps with a reason, or it was given up."""

    def __init__(self, reason: str = "", *, given_up: bool = False) -> None:
        if given_up:
            super().__init__(later("This game was given up."))
        elif reason:
            sentence = later("The operator of this server has closed this table: {reason}")
            super().__init__(sentence, reason=reason)
        else:
            super().__init__(later("The operator of this server has closed this table."))


class Stale(NotNow):
    """Somebody was faster: the game has gone on to another seq."""

    def __init__(self, seq: int) -> None:
        super().__init__(later("The game has gone on meanwhile."))
        self.seq = seq
