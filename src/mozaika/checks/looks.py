"""What must hold of the picture and the sketch."""

from collections.abc import Callable
from xml.etree import ElementTree as ET

from mozaika.checks.holding import hold
from mozaika.checks.kinds import Kind, some_state
from mozaika.game import Game
from mozaika.scene import Scene, Shape, Walk, write_svg
from mozaika.server.walks import along
from mozaika.state import WATCHER, State
from mozaika.table import Table
from mozaika.words import LANGUAGES

SHAPES: tuple[Shape, ...] = ("wide", "tall")
SOME = 50
"""About so many of thousands of walks are looked at one by one."""
SMALLEST = 24
"""No spot is smaller: a finger has to find it."""


def every_legal_move_is_one_walk_over_spots(kind: Kind, seed: int) -> None:
    game, state = kind.fast, some_state(kind, seed)
    names = tuple(f"Player {seat}" for seat in range(kind.seats))
    for number, seat in enumerate((WATCHER, *range(kind.seats))):
        shape = SHAPES[(seed + number) % len(SHAPES)]
        scene = game.scene(game.hide(state, seat), seat, names, game.words(), shape)
        legal = game.legal_moves(state, seat) if seat >= 0 else []
        walks = _whole_walks(game, scene, game.hide(state, seat), seat, shape)
        told = [walk.move for walk in walks]
        hold(told == [game.write_move(move) for move in legal], "The walks are not the legal moves.")
        hold(len({walk.spots for walk in walks}) == len(walks), "Two moves have one walk.")
        for walk, move in list(zip(walks, legal, strict=True))[:: max(1, len(legal) // SOME)]:
            meant = game.write_move(game.move_along(game.hide(state, seat), seat, walk.spots))
            hold(walk.move == meant, f"The walk of {walk.move} means {meant}.")
            if game.spots_of is not None:
                spots = game.spots_of(state, seat, move)
                hold(spots == walk.spots, f"`spots_of` gives {spots} for {walk.move}, not {walk.spots}.")
        _hold_spots(scene, walks)
        _hold_svg(scene)


def _whole_walks(game: Game, scene: Scene, view: State, seat: int, shape: Shape) -> list[Walk]:
    """All walks of a scene to their ends, in the order of the moves."""
    whole = {walk.spots: walk for walk in scene.walks if not walk.more}
    begun = {walk.spots[0] for walk in scene.walks} | set(scene.later)
    for opening in [each for each in scene.walks if each.more]:
        rest = game.walks_from(view, seat, opening.spots, shape) if game.walks_from else ()
        found = along(rest, opening.spots, scene.loose)
        hold(found, f"A walk over {opening.spots} has begun and does not go on.")
        ghosts = all(set(opening.ghost) <= set(walk.ghost) for walk in found)
        hold(ghosts, f"The ghosts of the walks over {opening.spots} do not begin with the same.")
        unsaid = {spot for walk in found for spot in walk.spots} - begun
        hold(not unsaid, f"It is not said that {unsaid} come later.")
        whole |= {walk.spots: walk for walk in found}
    return sorted(whole.values(), key=lambda walk: game.parse_move(walk.move))


def _hold_spots(scene: Scene, walks: list[Walk]) -> None:
    names = [spot.name for spot in scene.spots]
    hold(len(set(names)) == len(names), "Two spots have one name.")
    hold({spot for walk in walks for spot in walk.spots} <= set(names), "A walk leads over no spot.")
    for spot in scene.spots:
        hold(spot.label, f"The spot {spot.name} has no words for a screen reader.")
        hold(spot.width >= SMALLEST and spot.height >= SMALLEST, f"The spot {spot.name} is too small.")
        inside = 0 <= spot.x <= spot.x + spot.width <= scene.width
        hold(inside and 0 <= spot.y <= spot.y + spot.height <= scene.height, f"{spot.name} is outside.")


def _hold_svg(scene: Scene) -> None:
    root = ET.fromstring(write_svg(scene))  # noqa: S314  we have just written it
    symbols = {element.get("id") for element in root.iter("{http://www.w3.org/2000/svg}symbol")}
    used = {sprite.symbol for sprite in scene.sprites}
    hold(used <= symbols, f"There are no symbols {', '.join(sorted(used - symbols))}.")


def a_sketch_fits_a_terminal(kind: Kind, seed: int) -> None:
    for lang in LANGUAGES:
        table = Table.from_position(kind.game.write_position(some_state(kind, seed)), draws="told", lang=lang)
        widest = max(map(len, str(table).splitlines()), default=0)
        hold(widest < 80, f"A sketch has fewer than 80 columns, not {widest}.")


CHECKS: tuple[Callable[[Kind, int], None], ...] = (
    every_legal_move_is_one_walk_over_spots,
    a_sketch_fits_a_terminal,
)
