"""A plain picture of any game: its sketch in large letters, and below it a spot for each legal move."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from mozaika.game import Game
from mozaika.scene import Label, Scene, Shape, Spot, Walk, shorten
from mozaika.sketch import plain, plain_name
from mozaika.state import State
from mozaika.words import Words

FEW = 48
"""So many moves have a spot each; of more, one points at the words of a move one after the other."""
ADVANCE = 0.6
"""How wide a letter of a typewriter is to its size."""
NARROWEST = 40
"""A sketch with fewer columns is not drawn larger: then it need not change its size during a game."""

STYLE = (
    ".mz-plain-table{{fill:#FDFAF3}}.mz-plain-row,.mz-plain-move{{fill:#1E2F52;"
    'font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}}'
    ".mz-plain-row{{font-size:{row:.4g}px}}.mz-plain-move{{font-size:{move:g}px;text-anchor:middle}}"
)
DARK_STYLE = ".mz-plain-table{fill:#14203A}.mz-plain-row,.mz-plain-move{fill:#E3EAF6}"


class Sheet(NamedTuple):
    """How a picture is laid out, in the pixels of a phone or of a window."""

    width: int
    height: int
    margin: int
    largest: int
    """No letter of a sketch is larger."""
    letter: int
    """The size of the letters on a spot."""
    spot: int
    """The height of a spot."""

    @property
    def room(self) -> int:
        return self.width - 2 * self.margin


SHEETS: dict[Shape, Sheet] = {
    "wide": Sheet(800, 480, 24, 20, 17, 44),
    "tall": Sheet(360, 360, 12, 16, 15, 48),
}
GAP = 8


def picture_of(game: Game) -> Callable[[State, int, tuple[str, ...], Words, Shape], Scene]:
    """The picture of a game that has none of its own."""

    def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
        sheet = SHEETS[shape]
        rows = plain(game.sketch(view, tuple(map(plain_name, names)), words)).splitlines()
        columns = max(NARROWEST, -(-max(map(len, rows), default=0) // 10) * 10)
        size = min(sheet.largest, sheet.room / ADVANCE / columns)
        texts = [game.write_move(move) for move in game.legal_moves(view, seat)]
        walks = [Walk(text, _spots_of(parts)) for text, parts in zip(texts, _split(texts), strict=True)]
        top = sheet.margin + len(rows) * size * 1.4 + 2 * GAP
        spots = list(_lay_spots([walk.spots for walk in walks], top, sheet))
        height = max(
            [sheet.height, *(round(spot.y + spot.height + sheet.margin) for spot in spots), round(top)]
        )
        return Scene(
            width=sheet.width,
            height=height,
            title=game.name,
            style=STYLE.format(row=size, move=sheet.letter),
            dark_style=DARK_STYLE,
            symbols="",
            ground=f'<rect class="mz-plain-table" width="{sheet.width}" height="{height}"/>',
            sprites=(),
            labels=(*_write_rows(rows, size, sheet), *(_write_spot(spot, sheet) for spot in spots)),
            spots=tuple(spots),
            walks=tuple(walks),
        )

    return scene


def move_along(parse_move: Callable[[str], int]) -> Callable[[State, int, tuple[str, ...]], int]:
    """The move whose words were pointed at."""
    return lambda _view, _seat, spots: parse_move(" ".join(map(_part, spots)))


def _split(texts: list[str]) -> list[tuple[str, ...]]:
    """Each move as what one points at: whole, or where there are many word by word, all in as many parts."""
    if len(texts) <= FEW:
        return [(text,) for text in texts]
    words = min(len(text.split()) for text in texts)
    return [tuple(text.split(maxsplit=words - 1)) for text in texts]


def _spots_of(parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{place}:{part}" for place, part in enumerate(parts, 1))


def _part(spot: str) -> str:
    return spot.partition(":")[2]


def _lay_spots(walks: list[tuple[str, ...]], top: float, sheet: Sheet) -> Iterator[Spot]:
    """Equal spots in rows, those of each step of the walks by themselves."""
    for step in zip(*walks, strict=True):
        names = list(dict.fromkeys(step))
        longest = max(len(_part(name)) for name in names) * sheet.letter * ADVANCE + 24
        in_row = max(1, int((sheet.room + GAP) // (max(longest, sheet.spot) + GAP)))
        width = min(sheet.room, max(longest, sheet.spot))
        for index, name in enumerate(names):
            x = sheet.margin + index % in_row * (width + GAP)
            yield Spot(name, x, top + index // in_row * (sheet.spot + GAP), width, sheet.spot, _part(name))
        top += -(-len(names) // in_row) * (sheet.spot + GAP) + 2 * GAP


def _write_rows(rows: list[str], size: float, sheet: Sheet) -> Iterator[Label]:
    for number, row in enumerate(rows, 1):
        if not (kept := row.rstrip().replace(" ", "\N{NO-BREAK SPACE}")):
            continue
        yield Label(
            kept, sheet.margin, round(sheet.margin + number * size * 1.4 - size * 0.35, 1), "mz-plain-row"
        )


def _write_spot(spot: Spot, sheet: Sheet) -> Label:
    x, y = spot.x + spot.width / 2, spot.y + spot.height / 2 + sheet.letter * 0.35
    return Label(shorten(spot.label, spot.width / sheet.letter / ADVANCE), x, y, "mz-plain-move")
