"""How strong the bots of a game were measured to be: a file in its folder, for whoever wants to show it."""

from pathlib import Path

import msgspec

FILE = "ratings.json"


class Rating(msgspec.Struct, frozen=True):
    """A number on a scale like Elo's: who is 200 points ahead wins about 76 of 100 games for two."""

    bot: str
    rating: int
    low: int
    high: int
    """A 95 % interval, from deals drawn again and again out of those that were played."""
    games: int


class Meeting(msgspec.Struct, frozen=True):
    """What two bots made of their pairs of games."""

    first: str
    second: str
    pairs: list[int]
    """How many pairs brought the first 0, ½, 1, 1½ and 2 victories."""

    @property
    def games(self) -> int:
        return 2 * sum(self.pairs)

    @property
    def share(self) -> float:
        """The share of victories of the first."""
        return sum(halves * pairs for halves, pairs in enumerate(self.pairs)) / (4 * sum(self.pairs))


class Measured(msgspec.Struct, frozen=True):
    """What was measured: all that a run must share with an earlier one to go on with it."""

    game: str
    version: int
    signature: int
    """Of the game's bots, from `mozaika bench --signature --json`: it changes when one plays differently."""
    options: dict[str, str]
    nodes: int | None
    """How much the bots could look at; without a number they took the time of their levels."""
    milliseconds: float | None
    seed: str


class Ratings(msgspec.Struct, frozen=True):
    """The levels of a game, the weakest first, and how they met."""

    measured: Measured
    date: str
    anchor: str
    """The bot whose rating is fixed."""
    bots: list[Rating]
    meetings: list[Meeting]


def read_ratings(path: Path) -> Ratings | None:
    """The ratings in a file, or in the folder of a game; None where there are none."""
    path = path / FILE if path.is_dir() else path
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Ratings)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{path} holds no ratings: {error}.") from None


def write_ratings(ratings: Ratings, path: Path) -> None:
    """Write a file in one go, so that a run which is cut off leaves the last whole one."""
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.format(msgspec.json.encode(ratings), indent=1) + b"\n")
    new.replace(path)
