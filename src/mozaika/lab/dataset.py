"""Decisions of recorded games as a data set for programs that learn: NDJSON, or Parquet with pyarrow.

A row is a choice out of several: what the seat saw, what was open, what was chosen, and how the game ended.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from mozaika.game import Game
from mozaika.kernel import compiling, swift_game, swift_stages
from mozaika.lab.simulate import Outcome
from mozaika.record import Record
from mozaika.state import CHANCE

SUFFIXES = (".ndjson", ".parquet")
ROWS_AT_ONCE = 4_096
"""So many rows of Parquet are kept in memory."""


class Decision(NamedTuple):
    """One row."""

    game: int
    """Which game, counted from 0."""
    ply: int
    """How many moves and draws there were before the move."""
    seat: int
    """Whose choice it is, counted from 0."""
    bot: str
    observation: NDArray[np.float32]
    """What the seat saw, as in a batch: features, then the choices that it had made of the move."""
    mask: NDArray[np.uint8]
    """1 for each action that was open."""
    action: int
    """What was chosen."""
    move: str
    """The whole move, as it is written."""
    points: int
    """Of the seat, at the end."""
    place: int
    share: float
    """The part of the victory that the seat had."""


def decisions(game: Game, number: int, record: Record, bots: Sequence[str]) -> Iterator[Decision]:
    """All choices of a game in which there was one, but for those of CHANCE."""
    features = game.features
    with compiling():
        fast, stages = swift_game(game), swift_stages(game)
    if stages is None or features is None:
        raise ValueError(f"{game.name} has no stages and features, which a data set is made of.")
    points, places = game.points(record.state()), game.places(record.state())
    size, remembered = features.size(record.seats), stages.remembered
    for ply, (state, (seat, move)) in enumerate(zip(record.states(), record.entries, strict=False)):
        if seat == CHANCE:
            continue
        seen = np.zeros(size + len(remembered), np.float32)
        features.observe(fast.hide(state, seat), seat, seen)
        made: list[int] = []
        for choice in stages.split_move(move):
            found = stages.next_choices(state, seat, made)
            if len(found) > 1:
                mask = np.zeros(stages.size, np.uint8)
                mask[found] = 1
                seen[size:] = np.isin(remembered, made)
                yield Decision(
                    *(number, ply, seat, bots[seat], seen.copy(), mask, choice),
                    *(game.write_move(move), points[seat], places[seat]),
                    1 / places.count(1) if places[seat] == 1 else 0.0,
                )
            made.append(choice)


class Dataset(AbstractContextManager["Dataset"]):
    """A file of decisions that grows game by game."""

    def __init__(self, path: Path, game: Game, seats: int) -> None:
        self.path, self.game, self.rows = path, game, 0
        self._writer = Parquet(path, game, seats) if path.suffix == ".parquet" else NdJson(path)

    def add(self, number: int, record: Record, bots: Sequence[str]) -> None:
        """Write down the decisions of a game, with who sat where."""
        for decision in decisions(self.game, number, record, bots):
            self._writer.write(decision)
            self.rows += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()


def recorded(
    played: Generator[tuple[Outcome, Record]], kept: Dataset | None
) -> Generator[tuple[Outcome, Record]]:
    """The same games, each of which has been written down; who has forfeited one teaches nothing."""
    with closing(played):
        for outcome, record in played:
            if kept is not None and not outcome.forfeit:
                kept.add(outcome.game, record, outcome.bots)
            yield outcome, record


class NdJson:
    """A line of JSON for each row."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")

    def write(self, row: Decision) -> None:
        seen = [round(each, 6) for each in row.observation.tolist()]
        lists = {"observation": seen, "mask": row.mask.tolist()}
        self._file.write(msgspec.json.encode(row._asdict() | lists) + b"\n")

    def close(self) -> None:
        self._file.close()


class Parquet:
    """The same in columns; lists have a fixed length."""

    def __init__(self, path: Path, game: Game, seats: int) -> None:
        arrow, parquet = _pyarrow()
        assert game.stages is not None  # noqa: S101  it was asked for
        assert game.features is not None  # noqa: S101
        self._arrow, self._rows = arrow, list[Decision]()
        self._sizes = {
            "observation": game.features.size(seats) + len(game.stages.remembered),
            "mask": game.stages.size,
        }
        single = {"game": arrow.int32(), "ply": arrow.int32(), "seat": arrow.int8(), "bot": arrow.string()}
        lists = {
            "observation": arrow.list_(arrow.float32(), self._sizes["observation"]),
            "mask": arrow.list_(arrow.uint8(), self._sizes["mask"]),
        }
        results = {
            "action": arrow.int32(),
            "move": arrow.string(),
            "points": arrow.int32(),
            "place": arrow.int8(),
            "share": arrow.float32(),
        }
        about = {"game": game.id, "version": str(game.version), "seats": str(seats)}
        self._schema = arrow.schema(single | lists | results, metadata=about)
        self._file = parquet.ParquetWriter(path, self._schema, compression="zstd")

    def write(self, row: Decision) -> None:
        self._rows.append(row)
        if len(self._rows) == ROWS_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        columns: dict[str, Any] = dict(zip(Decision._fields, zip(*self._rows, strict=True), strict=True))
        for name, size in self._sizes.items():
            flat = self._arrow.array(np.concatenate(columns[name]))
            columns[name] = self._arrow.FixedSizeListArray.from_arrays(flat, size)
        self._file.write_table(self._arrow.table(columns, schema=self._schema))
        self._rows.clear()

    def close(self) -> None:
        if self._rows:
            self._flush()
        self._file.close()


def check_dataset(path: Path, game: Game) -> None:
    """ValueError with a sentence where nothing could be written to a file."""
    if path.suffix not in SUFFIXES:
        raise ValueError(f"A data set is written as .ndjson or .parquet, not {path.name}.")
    if game.stages is None or game.features is None:
        raise ValueError(f"{game.name} has no stages and features, which a data set is made of.")
    if path.suffix == ".parquet":
        _pyarrow()


def _pyarrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise ValueError(
            'Parquet needs pyarrow: pip install "mozaika[research]"; a data set as .ndjson needs nothing.'
        ) from None
