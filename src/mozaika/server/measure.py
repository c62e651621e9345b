"""How large views are and how long they take, over the recorded games."""

from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from time import thread_time

import msgspec

from mozaika import kernel
from mozaika.game import Game
from mozaika.record import Record
from mozaika.server.garbage import small_portions
from mozaika.server.views import Viewer, build_view
from mozaika.state import CHANCE
from mozaika.store import Event, Header
from mozaika.table.events import DRAW, MOVE, SIT, Occupant
from mozaika.table.shared import SharedTable

MOST_BYTES = 24_000
"""No view is larger than this."""
ROUNDS = 3
"""So often each view is made for its time."""


@dataclass(frozen=True)
class ViewCost:
    """What the views of a game take, for a number of seats: bytes of JSON, milliseconds of CPU."""

    game: str
    seats: int
    bytes_mean: float
    bytes_max: int
    ms_mean: float
    ms_max: float


def measure_views(game: Game, step: int = 1, lang: str = "en") -> list[ViewCost]:
    """For each number of seats: what the seat that is to move sees, at every `step`-th ply of the records.

    Each view is made three times, every time in a process that has kept nothing yet, and the least CPU
    counts: on a shared machine the same work now and then takes several times as long.
    """
    if game.folder is None:
        return []
    kernel.warm(game)
    records = sorted((game.folder / "tests" / "records").glob("*.txt"))
    with get_context("fork").Pool(1, maxtasksperchild=1) as processes:
        rounds = processes.starmap(_view_records, [(records, step, lang)] * ROUNDS, chunksize=1)
    costs: dict[int, list[tuple[int, float]]] = {}
    for tries in zip(*rounds, strict=True):
        seats, size, _ = tries[0]
        costs.setdefault(seats, []).append((size, min(time for _, _, time in tries)))
    return [_sum_up(game.id, seats, found) for seats, found in sorted(costs.items())]


def _view_records(paths: list[Path], step: int, lang: str) -> list[tuple[int, int, float]]:
    """Seats, bytes and seconds of all views."""
    found = []
    with small_portions():  # as in the server
        for path in paths:
            record = Record.read(path.read_text("utf-8"))
            seats = int(record.start()["seats"])
            found += [(seats, size, time) for size, time in view_costs(record, step, lang)]
    return found


def view_costs(record: Record, step: int, lang: str) -> Iterator[tuple[int, float]]:
    """Bytes and seconds of a first look at the table, at every `step`-th ply of a game."""
    shared = _sit_down(record)
    for ply, (seat, move) in enumerate(record.entries, 1):
        kind = DRAW if seat == CHANCE else MOVE
        shared.adopt(Event(shared.seq + 1, seat, kind, record.game.write_move(move)))
        if ply % step and ply != len(record.entries):
            continue
        mover = next((each for each in shared.table.movers if each != CHANCE), 0)
        viewer = Viewer(_guest(mover), admitted=True, lang=lang, shape="wide")
        start = thread_time()
        text = msgspec.json.encode(build_view(shared, viewer))
        yield len(text), thread_time() - start


def _sit_down(record: Record) -> SharedTable:
    """A shared table before the first entry of a record."""
    game, seats = record.game, int(record.start()["seats"])
    people = [Occupant("person", f"Player {seat + 1}", _guest(seat)) for seat in range(seats)]
    events = [
        Event(seat + 1, seat, SIT, msgspec.json.encode(who).decode()) for seat, who in enumerate(people)
    ]
    header = Header(
        id="measured",
        game=game.id,
        version=game.version,
        options=game.write_options(record.options),
        seats=seats,
        owner=_guest(0),
        link="",
        position=record.position,
    )
    return SharedTable(header, events, None)  # type: ignore[arg-type]  # nothing is kept


def _guest(seat: int) -> str:
    return f"guest {seat}"


def _sum_up(game: str, seats: int, found: list[tuple[int, float]]) -> ViewCost:
    sizes, times = [size for size, _ in found], [1_000 * time for _, time in found]
    return ViewCost(game, seats, sum(sizes) / len(sizes), max(sizes), sum(times) / len(times), max(times))
