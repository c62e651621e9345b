"""Azul Duel as a picture: what a viewer sees of the table, set in a scene."""

from functools import lru_cache

from mozaika.games.azul_duel.artwork import DARK_STYLE
from mozaika.games.azul_duel.ground import STYLE, SYMBOLS, Captions, draw_ground
from mozaika.games.azul_duel.labels import write_labels
from mozaika.games.azul_duel.layout import lay_out
from mozaika.games.azul_duel.pieces import ACQUIRE, CHOOSE, LAST_PLATES, STORE, TILING
from mozaika.games.azul_duel.spots import name_spots
from mozaika.games.azul_duel.sprites import lay_sprites
from mozaika.games.azul_duel.walks import walk
from mozaika.scene import Scene, Shape
from mozaika.state import State
from mozaika.words import Words

FEW_TILES = 7
"""With so few tiles left a player is told of the plates that must still be placed."""


def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
    """The table as a viewer sees it; the viewer's board comes first."""
    layout = lay_out(shape)
    order = (max(seat, 0), 1 - max(seat, 0))
    return Scene(
        width=layout.width,
        height=layout.height,
        title=words.say("Azul Duel, round {n}", n=int(view["round"])),
        style=STYLE,
        dark_style=DARK_STYLE,
        symbols=SYMBOLS,
        ground=draw_ground(shape, _say_captions(words)),
        sprites=tuple(lay_sprites(view, seat, order, layout)),
        labels=tuple(write_labels(view, seat, order, names, words, layout)),
        spots=tuple(name_spots(view, seat, layout, words)) if seat >= 0 else (),
        walks=tuple(walk(view, seat, layout)) if seat >= 0 else (),
        notice=_say_notice(view, seat, words),
        loose=(1, 1 + STORE) if view["phase"] == TILING else (0, 0),  # AD-W4: the chips of a payment
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


def _say_notice(view: State, viewer: int, words: Words) -> str:
    """Where people misread the rules, a sentence."""
    phase = view["phase"]
    if phase <= CHOOSE or phase >= TILING:
        return ""
    if view["round"] > LAST_PLATES:
        return words.say("This is the last round: no plates are taken any more.")
    left = int(view["tokens"][viewer]) if viewer >= 0 else 0
    tiles = int(view["sun"].sum()) + int(view["large_moon"].sum()) + int((view["moon"] > 0).sum())
    if phase == ACQUIRE and left and tiles <= FEW_TILES:
        return words.count(
            "You must still place {n} plate in this round.",
            "You must still place {n} plates in this round.",
            left,
        )
    return ""
