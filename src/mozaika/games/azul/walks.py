"""The legal moves of Azul as walks over spots, each with a ghost of what it would do and its points."""

from functools import cache

from mozaika.games.azul import rules
from mozaika.games.azul.artwork import MARKER_SYMBOL, TILE_SYMBOLS
from mozaika.games.azul.layout import SOURCE_SPOTS, TARGET_SPOTS, WALL_SPOTS, Seating
from mozaika.games.azul.notation import write_move
from mozaika.games.azul.pieces import CENTRE, FLOOR, LINES, OFFER, ON_CENTRE, PLACES, TARGETS, TILING
from mozaika.scene import Sprite, Walk
from mozaika.state import State

_move_text = cache(write_move)

Ghost = tuple[Sprite, ...]


def walk(view: State, seat: int, seating: Seating) -> list[Walk]:
    """All that a seat may do now, in the order of `rules.legal`."""
    if view["phase"] == OFFER and view["turn"] == seat:
        return _Takes(view, seat, seating).walk()
    if view["phase"] == TILING and view["next_line"][seat] < LINES:
        return _walk_places(view, seat, seating)
    return []


def move_along(view: State, seat: int, spots: tuple[str, ...]) -> int:
    """The move of a walk, whether it is legal or not."""
    if spots not in _MOVES:
        raise ValueError(f"No move goes over {', '.join(spots)}.")
    return _MOVES[spots]


_MOVES = {
    (SOURCE_SPOTS[source][color], TARGET_SPOTS[target]): (source * 5 + color) * TARGETS + target
    for source in range(10)
    for color in range(5)
    for target in range(TARGETS)
} | {(WALL_SPOTS[row][column],): PLACES + row * 5 + column for row in range(LINES) for column in range(5)}


class _Takes:
    """The takes of one turn. Many do the same to the board, which is worked out once."""

    def __init__(self, view: State, seat: int, seating: Seating) -> None:
        self.view, self.seat, self.seating = view, seat, seating
        self.after = view.copy()  # one for all takes: a copy costs more than the outlook
        self.counts: list[int] = view["line_count"][seat].tolist()
        self.fallen = int(view["fallen"][seat])
        self.marked = bool(view["marker"] == ON_CENTRE)
        self.before = rules.outlook(view, seat)
        self.effects: dict[tuple[int, int, int, bool], tuple[Ghost, int]] = {}
        self.outlooks: dict[tuple[int, int, int], int] = {}

    def walk(self) -> list[Walk]:
        rows = rules.open_rows(self.view, self.seat)
        fits = [rules.targets(rows, color) for color in range(5)]
        walks: list[Walk] = []
        for source, counts in enumerate(self.view["sources"].tolist()):
            marked = source == CENTRE and self.marked
            for color, n in enumerate(counts):
                for target in range(TARGETS if n else 0):
                    if fits[color] >> target & 1:
                        text = _move_text((source * 5 + color) * TARGETS + target)
                        spots = (SOURCE_SPOTS[source][color], TARGET_SPOTS[target])
                        take = (color, n, target, marked)
                        if take not in self.effects:
                            self.effects[take] = self.foresee(*take)
                        walks.append(Walk(text, spots, *self.effects[take]))
        return walks

    def foresee(self, color: int, n: int, target: int, marked: bool) -> tuple[Ghost, int]:
        """What a take would do: the sprites that would appear, and how the outlook would change."""
        symbol, fallen, ghost, fit, completed = TILE_SYMBOLS[color], self.fallen, [], 0, 0
        if target:
            held = self.counts[target - 1]
            fit = min(n, target - held)  # AZ-A4
            ghost = [place.hold(symbol) for place in self.seating.lines[target - 1][held : held + fit]]
            completed = target if held + fit == target else 0
        if marked:  # AZ-A3, AZ-A8
            ghost.append((*self.seating.floor, self.seating.held)[fallen].hold(MARKER_SYMBOL))
            fallen = min(FLOOR, fallen + 1)
        after = min(FLOOR, fallen + n - fit)  # AZ-A7
        ghost += [place.hold(symbol) for place in self.seating.floor[fallen:after]]
        key = (completed, color if completed else 0, after)
        if key not in self.outlooks:
            self.outlooks[key] = self.outlook(*key)
        return tuple(ghost), self.outlooks[key] - self.before

    def outlook(self, completed: int, color: int, fallen: int) -> int:
        """The outlook when a line has been completed and so many floor spaces are occupied."""
        after, line = self.after, (self.seat, completed - 1)
        after["fallen"][self.seat] = fallen
        if not completed:
            return rules.outlook(after, self.seat)
        after["line_count"][line], after["line_color"][line] = completed, color
        outlook = rules.outlook(after, self.seat)
        after["line_count"][line] = self.counts[completed - 1]
        return outlook


def _walk_places(view: State, seat: int, seating: Seating) -> list[Walk]:
    row = int(view["next_line"][seat])
    color = int(view["line_color"][seat, row])
    columns, filled = rules.free_columns(view, seat, row, color), rules.occupied(view, seat)
    return [
        Walk(
            _move_text(PLACES + row * 5 + column),
            (WALL_SPOTS[row][column],),
            (seating.wall[row][column].hold(TILE_SYMBOLS[color]),),
            rules.placement_points(filled, row, column),
        )
        for column in range(5)
        if columns >> column & 1
    ]
