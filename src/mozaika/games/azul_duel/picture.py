"""Azul Duel as a picture: what a viewer sees of the table, set in a scene."""

from functools import lru_cache

from mozaika.games.azul_duel.artwork import DARK_STYLE
from mozaika.games.azul_duel.ground import STYLE, SYMBOLS, Captions, draw_ground
from mozaika.games.azul_duel.labels import write_labels
from mozaika.games.azul_duel.layout import SPACE_SPOTS, lay_out, name_areas
from mozaika.games.azul_duel.pieces import ACQUIRE, CHOOSE, LAST_PLATES, STORE, TILING
from mozaika.games.azul_duel.seen import Seen, look
from mozaika.games.azul_duel.spots import name_spots
from mozaika.games.azul_duel.sprites import lay_sprites
from mozaika.games.azul_duel.walks import walk
from mozaika.places import Box, surround
from mozaika.scene import Scene, Shape
from mozaika.state import State
from mozaika.words import Words

FEW_TILES = 7
"""With so few tiles left a player is told of the plates that must still be placed."""


def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
    """The table as a viewer sees it; the viewer's board comes first."""
    layout, seen = lay_out(shape), look(view)
    order = (max(seat, 0), 1 - max(seat, 0))
    return Scene(
        width=layout.width,
        height=layout.height,
        title=words.say("Azul Duel, round {n}", n=seen.round),
        style=STYLE,
        dark_style=DARK_STYLE,
        symbols=SYMBOLS,
        ground=draw_ground(shape, _say_captions(words)),
        sprites=tuple(lay_sprites(view, seen, seat, order, layout)),
        labels=tuple(write_labels(seen, seat, order, names, words, layout)),
        spots=name_spots(seen, seat, layout, words) if seat >= 0 else (),
        walks=tuple(walk(view, seen, seat, layout)) if seat >= 0 else (),
        notice=_say_notice(seen, seat, words),
        areas=name_areas(shape),
        loose=(1, 1 + STORE) if seen.phase == TILING else (0, 0),  # AD-W4: the chips of a payment
    )


@lru_cache(maxsize=8)
def _say_captions(words: Words) -> Captions:
    return Captions(
        bag=words.say("bag"),
        tower=words.say("tower"),
        plates=words.say("to place"),
        chips=words.say("to take"),
        moons=words.say("all moon|sides"),
        display=words.say("plates on display"),
        objectives=words.say("objectives, and what they would bring now"),
    )


def _say_notice(seen: Seen, viewer: int, words: Words) -> str:
    """Where people misread the rules, a sentence."""
    if seen.phase <= CHOOSE or seen.phase >= TILING:
        return ""
    if seen.round > LAST_PLATES:
        return words.say("This is the last round: no plates are taken any more.")
    left = seen.boards[viewer].tokens if viewer >= 0 else 0
    if seen.phase == ACQUIRE and left and seen.tiles <= FEW_TILES:
        return words.count(
            "You must still place {n} plate in this round.",
            "You must still place {n} plates in this round.",
            left,
        )
    return ""


def boxes(view: State, viewer: int, seat: int, places: tuple[str, ...], shape: Shape) -> list[Box]:
    """Where the spaces of a dome, the broken tiles, the marker and the score of a seat lie, and the stack."""
    layout = lay_out(shape)
    board = layout.boards[0 if seat == max(viewer, 0) else 1]
    seating = board.seating
    spaces = {
        SPACE_SPOTS[row][column]: (seating.spaces[row][column],) for row in range(6) for column in range(6)
    }
    named = {**spaces, "stack": (layout.stack,), "broken": seating.broken, "marker": (seating.marker,)}
    return [board.score if place == "score" else surround(named[place]) for place in places]
