"""What colours, plates, chips, objectives and phases are called."""

from mozaika.games.azul_duel.pieces import CHIP_SHOWS, LARGE, MOON, SPACES
from mozaika.scene import part
from mozaika.words import Words, later


def name_color(color: int, words: Words) -> str:
    return words.say(COLOR_NAMES[color])


COLOR_NAMES = (
    later("blue"),
    later("yellow"),
    later("red"),
    later("black"),
    later("turquoise"),
    later("wild"),
    later("special"),
)


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
    return words.say(OBJECTIVE_NAMES[side])


OBJECTIVE_NAMES = (
    later("complete rows"),
    later("rows with five colours"),
    later("complete columns"),
    later("tiles on the edge"),
    later("long diagonals"),
    later("corner plates"),
    later("all wild spaces"),
    later("empty special spaces"),
)


def name_kind(kind: int, words: Words) -> str:
    """What the back of a plate shows."""
    return (words.say("a special plate"), words.say("a wild plate"))[kind]


@part
def name_chip(chip: int, words: Words) -> str:
    """The one or two colours of a bonus chip."""
    colors = [name_color(color, words) for color in range(5) if CHIP_SHOWS[chip] >> color & 1]
    return "/".join(colors)


@part
def name_plate(plate: int, words: Words) -> str:
    """A plate by its number and what it shows."""
    spaces = ", ".join(name_color(int(space), words) for space in SPACES[plate, 0])
    return words.say("plate {n} ({spaces})", n=plate, spaces=spaces)


def name_phase(phase: int, words: Words) -> str:
    return words.say(PHASE_NAMES[phase])


PHASE_NAMES = (
    later("drawing the objectives"),
    later("drawing the start player"),
    later("showing plates"),
    later("filling the factories"),
    later("first plates"),
    later("acquiring"),
    later("stacking the rest"),
    later("drawing plates"),
    later("looking at plates"),
    later("choosing a plate"),
    later("returning plates"),
    later("tiling"),
    later("game over"),
)
