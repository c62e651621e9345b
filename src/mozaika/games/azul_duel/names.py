"""What colours, plates, chips, objectives and phases are called."""

from mozaika.games.azul_duel.pieces import CHIP_SHOWS, LARGE, MOON, SPACES
from mozaika.state import State
from mozaika.words import Words


def name_color(color: int, words: Words) -> str:
    return (
        words.say("blue"),
        words.say("yellow"),
        words.say("red"),
        words.say("black"),
        words.say("turquoise"),
        words.say("wild"),
        words.say("special"),
    )[color]


def count_colored(color: int, n: int, words: Words) -> str:
    """So many tiles of a colour, as the object of a sentence."""
    match color:
        case 0:
            return words.count("{n} blue tile", "{n} blue tiles", n)
        case 1:
            return words.count("{n} yellow tile", "{n} yellow tiles", n)
        case 2:
            return words.count("{n} red tile", "{n} red tiles", n)
        case 3:
            return words.count("{n} black tile", "{n} black tiles", n)
        case _:
            return words.count("{n} turquoise tile", "{n} turquoise tiles", n)


def name_source(source: int, words: Words) -> str:
    """Where tiles are taken from."""
    if source == MOON:
        return words.say("from the moon sides")
    if source == LARGE:
        return words.say("from the large sun side")
    return words.say("from the sun side of factory {n}", n=source + 1)


def name_objective(side: int, words: Words) -> str:
    return (
        words.say("complete rows"),
        words.say("rows with five colours"),
        words.say("complete columns"),
        words.say("tiles on the edge"),
        words.say("long diagonals"),
        words.say("corner plates"),
        words.say("all wild spaces"),
        words.say("empty special spaces"),
    )[side]


def name_kind(kind: int, words: Words) -> str:
    """What the back of a plate shows."""
    return (words.say("a special plate"), words.say("a wild plate"))[kind]


def name_chip(chip: int, words: Words) -> str:
    """The one or two colours of a bonus chip."""
    colors = [name_color(color, words) for color in range(5) if CHIP_SHOWS[chip] >> color & 1]
    return "/".join(colors)


def name_plate(plate: int, words: Words) -> str:
    """A plate by its number and what it shows."""
    spaces = ", ".join(name_color(int(space), words) for space in SPACES[plate, 0])
    return words.say("plate {n} ({spaces})", n=plate, spaces=spaces)


def name_phase(view: State, words: Words) -> str:
    return (
        words.say("drawing the objectives"),
        words.say("drawing the start player"),
        words.say("showing plates"),
        words.say("filling the factories"),
        words.say("first plates"),
        words.say("acquiring"),
        words.say("stacking the rest"),
        words.say("drawing plates"),
        words.say("looking at plates"),
        words.say("choosing a plate"),
        words.say("returning plates"),
        words.say("tiling"),
        words.say("game over"),
    )[view["phase"]]
