"""A move of Azul Duel as advice: what to do, what it gains, what it denies to the other and what it risks."""

from collections.abc import Iterator

from mozaika.games.azul_duel.appraisal import special_points
from mozaika.games.azul_duel.dome import free_columns, placement_points, space_at
from mozaika.games.azul_duel.factories import top_tile
from mozaika.games.azul_duel.lines import penalty
from mozaika.games.azul_duel.names import count_colored, name_chip, name_color, name_plate, name_source
from mozaika.games.azul_duel.notation import list_order, list_payment, split_placing, split_take
from mozaika.games.azul_duel.pieces import (
    CHIP_LETTERS,
    CHIP_SHOWS,
    CHIP_TAKES,
    DRAW,
    FACE_UP,
    LINES,
    PAYMENTS,
    PLACINGS,
    RETURNS,
    SMALL,
    SPACES,
    SPECIAL,
    STACKS,
    STAYS,
    STOP,
    TILINGS,
    WILD,
)
from mozaika.games.azul_duel.rules import act
from mozaika.sentence import Argument, Suggestion
from mozaika.state import State, copy_of
from mozaika.words import Words


def suggest(view: State, seat: int, move: int, names: tuple[str, ...], words: Words) -> Suggestion:
    other = names[1 - seat]
    if move >= STAYS:
        text = words.say("Leave line {line} as it is.", line=move - STAYS + 1)
        kept = Argument("gains", words.say("Its tiles and your chips wait for a better space."))
        return Suggestion(text, [kept])
    if move >= TILINGS:
        return _suggest_tiling(view, seat, move, words)
    if move >= STACKS:
        return _suggest_order(view, seat, move, other, words)
    if move >= CHIP_TAKES:
        return _suggest_chip(view, seat, move, words)
    if move >= RETURNS:
        plate = name_plate(move - RETURNS + 1, words)
        hidden = words.say("Under the stack it is out of reach for {name}.", name=other)
        return Suggestion(
            words.say("Put {plate} under the stack.", plate=plate), [Argument("denies", hidden)]
        )
    if move >= DRAW:
        return _suggest_drawing(view, seat, move, words)
    if move >= PLACINGS:
        return _suggest_plate(view, seat, move, other, words)
    return _suggest_take(view, seat, move, other, words)


def _suggest_take(view: State, seat: int, move: int, other: str, words: Words) -> Suggestion:
    """AD-T1, AD-T3"""
    source, color, target = split_take(move)
    after = copy_of(view)
    act(after, seat, move)
    taken = _tiles(view, source, color)
    tiles, place = count_colored(color, taken, words), name_source(source, words)
    if target:
        text = words.say("Take {tiles} {place} for line {line}.", tiles=tiles, place=place, line=target)
    else:
        text = words.say("Take {tiles} {place} straight to the broken tiles.", tiles=tiles, place=place)
    arguments = [
        *(_line_gains(after, seat, target - 1, color, words) if target else ()),
        *_denied(view, after, seat, taken, color, other, words),
        *_take_risks(view, after, seat, target, color, words),
    ]
    return Suggestion(text, arguments)


def _tiles(view: State, source: int, color: int) -> int:
    """How many tiles of a colour one takes from a source; the last one are the moon sides together."""
    if source <= SMALL:
        return int(view["sun"][source, color])
    tops = sum(int(top_tile(view, factory)) == color + 1 for factory in range(SMALL))
    return int(view["large_moon"][color]) + tops


def _most(view: State, color: int) -> int:
    """The most tiles of a colour that can be taken at once."""
    return max(_tiles(view, source, color) for source in range(SMALL + 2))


def _line_gains(after: State, seat: int, row: int, color: int, words: Words) -> Iterator[Argument]:
    have = int(after["line_count"][seat, row])
    if have <= row:
        text = words.say("Line {line} then has {have} of {all} tiles.", line=row + 1, have=have, all=row + 1)
        yield Argument("gains", text)
    elif columns := free_columns(after, seat, row, color):
        best = max(_worth(after, seat, row, column) for column in range(6) if columns >> column & 1)
        text = words.count(
            "It completes line {line}: up to {n} point on the dome.",
            "It completes line {line}: up to {n} points on the dome.",
            best,
            line=row + 1,
        )
        yield Argument("gains", text)
    else:
        text = words.say("It completes line {line}, which then waits for its plate.", line=row + 1)
        yield Argument("gains", text)


def _worth(state: State, seat: int, row: int, column: int) -> int:
    """AD-P2, AD-W5: the points of a tile on a space, with those of a special tile."""
    return int(placement_points(state, seat, row, column)) + int(special_points(state, seat, row, column))


def _missing(state: State, seat: int, row: int, color: int) -> int:
    """How many tiles of a colour a line lacks that has begun with it; 0 for any other."""
    count = int(state["line_count"][seat, row])
    return row + 1 - count if count and int(state["line_color"][seat, row]) == color else 0


def _left(state: State, color: int) -> int:
    """How many tiles of a colour can still be taken in this round."""
    moon = int((state["moon"] == color + 1).sum()) + int(state["large_moon"][color])
    return int(state["sun"][:, color].sum()) + moon


def _denied(
    view: State, after: State, seat: int, taken: int, color: int, other: str, words: Words
) -> Iterator[Argument]:
    """A line that the other could have completed with these tiles and cannot any more."""
    for row in range(LINES - 1, -1, -1):
        missing = _missing(view, 1 - seat, row, color)
        if 0 < missing <= taken and _most(after, color) < missing:
            text = words.say("{name} can no longer complete line {line} in one go.", name=other, line=row + 1)
            yield Argument("denies", text)
            return


def _take_risks(
    view: State, after: State, seat: int, target: int, color: int, words: Words
) -> Iterator[Argument]:
    """AD-P4, AD-W3"""
    if cost := int(penalty(after, seat)) - int(penalty(view, seat)):
        text = words.count(
            "It costs {n} point at the end of the round.",
            "It costs {n} points at the end of the round.",
            cost,
        )
        yield Argument("risks", text)
    elif not target:  # AD-L2
        yield Argument("gains", words.say("Four tiles are broken already: it costs nothing more."))
    if not target:
        return
    row = target - 1
    if missing := _missing(after, seat, row, color):
        if missing > _left(after, color):
            text = words.say(
                "Too few tiles of this colour are left to fill line {line} in this round.", line=target
            )
            yield Argument("risks", text)
        if not free_columns(after, seat, row, color):
            text = words.say("Your dome has no space for it yet: a plate must bring one.")
            yield Argument("risks", text)


def _suggest_plate(view: State, seat: int, move: int, other: str, words: Words) -> Suggestion:
    """AD-A2, AD-A3"""
    plate, slot, turn = split_placing(move)
    after = copy_of(view)
    after["slot_plate"][seat, slot], after["slot_turn"][seat, slot] = plate, turn
    turned = (
        words.say("as it lies"),
        words.say("turned once"),
        words.say("turned twice"),
        words.say("turned three times"),
    )[turn]
    text = words.say(
        "Place {plate} on slot {n}, {turned}.", plate=name_plate(plate, words), n=slot + 1, turned=turned
    )
    arguments = [
        *_plate_gains(view, after, seat, slot, words),
        *_plate_denies(view, seat, plate, other, words),
    ]
    return Suggestion(text, arguments)


def _plate_gains(view: State, after: State, seat: int, slot: int, words: Words) -> Iterator[Argument]:
    """A space for a line that has begun; what the plate is good for."""
    served = [
        str(row + 1)
        for row in range(slot // 3 * 2, slot // 3 * 2 + 2)
        if view["line_count"][seat, row]
        and free_columns(after, seat, row, int(view["line_color"][seat, row]))
        & ~free_columns(view, seat, row, int(view["line_color"][seat, row]))
    ]
    if served:
        text = words.say("It has a space for what lies in your lines: {lines}.", lines=", ".join(served))
        yield Argument("gains", text)
    for part in range(4):
        row, column = slot // 3 * 2 + part // 2, slot % 3 * 2 + part % 2
        space = int(space_at(after, seat, row, column))
        if space == SPECIAL:
            text = words.count(
                "When it is full its special tile brings {n} point.",
                "When it is full its special tile brings {n} points.",
                row + 1,
            )
            yield Argument("gains", text)
        elif space == WILD:
            yield Argument("gains", words.say("Its wild space takes any colour."))


def _plate_denies(view: State, seat: int, plate: int, other: str, words: Words) -> Iterator[Argument]:
    """A line of the other that waits for a colour of this plate."""
    colors = {int(space) for space in SPACES[plate, 0]}
    for row in range(LINES):
        color = int(view["line_color"][1 - seat, row])
        waits = view["line_count"][1 - seat, row] and not free_columns(view, 1 - seat, row, color)
        if waits and (color in colors or WILD in colors):
            text = words.say("{name} could have used it for line {line}.", name=other, line=row + 1)
            yield Argument("denies", text)
            return


def _suggest_drawing(view: State, seat: int, move: int, words: Words) -> Suggestion:
    """AD-A3, AD-A4"""
    if move == STOP:
        spared = Argument("gains", words.say("You choose from what you have, and pay nothing more."))
        return Suggestion(words.say("Stop drawing."), [spared])
    arguments = [Argument("gains", words.say("You may find a plate that fits better than those on display."))]
    if view["score"][seat]:
        arguments.append(Argument("risks", words.say("It costs 1 point.")))
    return Suggestion(words.say("Draw a plate from the stack."), arguments)


def _suggest_chip(view: State, seat: int, move: int, words: Words) -> Suggestion:
    """AD-D1, AD-W4"""
    factory = move - CHIP_TAKES
    chip = int(view["chip"][factory]) - FACE_UP
    lines = [
        str(row + 1)
        for row in range(LINES)
        for color in range(5)
        if CHIP_SHOWS[chip] >> color & 1 and _missing(view, seat, row, color)
    ]
    text = words.say("Take the chip of factory {n}: {chip}.", n=factory + 1, chip=name_chip(chip, words))
    gain = (
        words.say("Its colour helps to complete lines: {lines}.", lines=", ".join(lines))
        if lines
        else words.say("Two chips of a colour, or any three, stand for a missing tile.")
    )
    return Suggestion(text, [Argument("gains", gain)])


def _suggest_order(view: State, seat: int, move: int, other: str, words: Words) -> Suggestion:
    """AD-T1: who comes next finds the top of the stack first."""
    order = list_order(move - STACKS)
    colors, top = ", ".join(name_color(color, words) for color in order), order[-1]
    text = words.say(
        "Stack the rest of factory {n}, bottom to top: {colors}.", n=int(view["stacking"]), colors=colors
    )
    name = name_color(top, words)
    mine, theirs = (
        [row + 1 for row in range(LINES) if _missing(view, each, row, top)] for each in (seat, 1 - seat)
    )
    arguments = []
    if mine:
        said = words.say("You can use {color} on top for line {line}.", color=name, line=mine[-1])
        arguments.append(Argument("gains", said))
    if theirs:
        said = words.say(
            "{name} can use {color} on top for line {line}.", name=other, color=name, line=theirs[-1]
        )
        arguments.append(Argument("risks", said))
    else:
        said = words.say("No line of {name} waits for {color}, which lies on top.", name=other, color=name)
        arguments.append(Argument("denies", said))
    return Suggestion(text, arguments)


def _suggest_tiling(view: State, seat: int, move: int, words: Words) -> Suggestion:
    """AD-W1, AD-W4, AD-W5"""
    row, place = divmod(move - TILINGS, PAYMENTS * 6)
    payment, column = divmod(place, 6)
    text = words.say(
        "Tile {color} in row {row}, column {column}.",
        color=name_color(int(view["line_color"][seat, row]), words),
        row=row + 1,
        column=column + 1,
    )
    points = _worth(view, seat, row, column)
    arguments = [Argument("gains", words.count("It brings {n} point.", "It brings {n} points.", points))]
    if payment:
        chips = ", ".join(name_chip(CHIP_LETTERS.index(chip), words) for chip in list_payment(payment))
        arguments.append(Argument("risks", words.say("It uses up chips: {chips}.", chips=chips)))
    if space_at(view, seat, row, column) == WILD:
        arguments.append(Argument("risks", words.say("It uses up a wild space.")))
    return Suggestion(text, arguments)
