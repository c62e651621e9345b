"""What happens in a game of Azul Duel, as sentences with points and rule ids; and why a move is refused."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from mozaika.games.azul_duel.chips import next_to_turn, pay_chips
from mozaika.games.azul_duel.dome import placement_points
from mozaika.games.azul_duel.lines import broken_tiles, pay_broken, penalty, shatter
from mozaika.games.azul_duel.names import (
    count_colored,
    name_chip,
    name_color,
    name_kind,
    name_objective,
    name_plate,
    name_source,
)
from mozaika.games.azul_duel.notation import list_order, list_payment, split_placing, split_take
from mozaika.games.azul_duel.objectives import objective_points, objective_spaces
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    AIMS,
    ALL_PLATES,
    BACKS,
    CHIP_LETTERS,
    CHIP_TAKES,
    CHOICE,
    CORNERS,
    DRAW,
    FACE_UP,
    FACES,
    KIND,
    LAST_PLATES,
    LINES,
    LOOK,
    MARKER_PENALTY,
    MOON,
    ON_LARGE,
    OVER,
    PAYMENTS,
    PENALTIES,
    PLACINGS,
    RETURN,
    RETURNS,
    SETUP,
    STACKS,
    START_POINTS,
    STARTS,
    STATE,
    STAYS,
    STOP,
    TILES,
    TILINGS,
    TURNS,
    UNDER,
)
from mozaika.games.azul_duel.rules import act, apply, can_act
from mozaika.games.azul_duel.tiling import BREAKS, CHOSEN, MOVES, fate, only_column, settle_line, tile
from mozaika.kernel import swift_rule
from mozaika.places import joined
from mozaika.scene import part
from mozaika.sentence import Sentence, add_up, multiply
from mozaika.state import CHANCE, State, copy_of, read_state
from mozaika.words import Words, later

SENTENCE = later("Build a dome, plate by plate, and fill it with tiles: a duel for two.")

LABELS = {
    "objectives": later("Objectives"),
    "3": later("three"),
    "4": later("four"),
    "first_game": later("those of a first game"),
    "plate_1": later("Objective plate 1"),
    "plate_2": later("Objective plate 2"),
    "plate_3": later("Objective plate 3"),
    "plate_4": later("Objective plate 4"),
    "random": later("drawn by lot"),
    "out": later("not in this game"),
    "rows": later("complete rows"),
    "five_colors": later("rows with five colours"),
    "columns": later("complete columns"),
    "edge": later("tiles on the edge"),
    "diagonals": later("long diagonals"),
    "corners": later("corner plates"),
    "wild": later("all wild spaces"),
    "empty_specials": later("empty special spaces"),
    "start": later("Who starts"),
    "1": later("seat 1"),
    "2": later("seat 2"),
}

REFUSALS = {
    "AD-S1": later("Objectives, plates and tiles are laid out before anybody plays."),
    "AD-S3": later("First each player takes one of the shown plates and places it, the second player first."),
    "AD-1": later("It is not your turn."),
    "AD-A1": later("There is a plate on this slot already; a plate never moves again."),
    "AD-A2": later("This plate is not on the display."),
    "AD-A3": later(
        "Drawing plates goes step by step: draw and pay, stop, look, place one, put the others back."
    ),
    "AD-A5": later("You have no token left: two plates in each of rounds 1 to 4, and none in round 5."),
    "AD-T1": later("No tile of this colour lies on that sun side, or the rest must be stacked first."),
    "AD-T2": later("A chip is turned when the last tile leaves its factory."),
    "AD-T3": later("No tile of this colour lies on top of a moon side."),
    "AD-D1": later("Take a chip that lies face up, two in each round and not a third."),
    "AD-L1": later("This line is full or holds another colour."),
    "AD-E1": later("That belongs to another phase of the round."),
    "AD-W1": later(
        "Lines are tiled from 1 to 6; a complete one goes to a free space of its colour or a wild one."
    ),
    "AD-W4": later(
        "A missing tile costs two chips of the colour or any three, and a payment has no chip too many."
    ),
    "AD-W6": later("You have finished tiling in this round."),
    "AD-N2": later("Tiles are drawn only while the factories are being filled."),
    "AD-F1": later("The game is over."),
}

WORTH_OF_OBJECTIVE = (3, 4, 7, 1, 10, 0, 2, -3)
"""What one of them brings; of corners each its own."""
RULE_OF_OBJECTIVE = ("AD-O1", "AD-O5", "AD-O2", "AD-O6", "AD-O3", "AD-O7", "AD-O4", "AD-O8")


def tell(state: State, seat: int, move: int, viewer: int, words: Words) -> list[Sentence]:
    """What a move does, in the order in which it happens, as far as the viewer sees it."""
    looker = int(state["turn"]) if seat == CHANCE else seat
    secret = state["phase"] in (LOOK, CHOICE, RETURN)  # CHANCE, who deals, sees everything
    sees = bool(secret) and viewer in (looker, CHANCE)
    return list(_tell(state.tobytes(), seat, move, sees, words))


@part
def _tell(kept: bytes, seat: int, move: int, sees: bool, words: Words) -> tuple[Sentence, ...]:
    """The same for all who see the plates that somebody looks at, and for all others."""
    state, after = read_state(kept, STATE), read_state(kept, STATE)
    swift_rule(apply)(after, seat, move)
    if move >= AIMS:
        now, sentences = state, list(_tell_draw(state, after, move, sees, words))
    else:
        now = copy_of(state)
        sentences = list(_tell_turn(state, now, seat, move, sees, words))
    if after["phase"] == OVER:
        told = [*sentences, *_tell_end(after, now, 0, words), *_tell_end(after, now, 1, words)]
        sentences = [*told[:-1], replace(told[-1], closes=True)]
    elif after["round"] > state["round"]:
        text = words.say("starts round {n}.", n=int(after["round"]))
        if after["round"] > LAST_PLATES:
            text = words.say("starts the last round, in which no plates are taken.")
        rule = "AD-N5" if now["marker"] != ON_LARGE else "AD-T5"
        sentences.append(Sentence(text, rule, int(after["starter"]), closes=True))
    return tuple(sentences)


def _tell_turn(
    state: State, now: State, seat: int, move: int, sees: bool, words: Words
) -> Iterator[Sentence]:
    """What a player does, and what follows by itself up to the end of the round; `now` goes along."""
    if move >= TILINGS:
        yield from _tell_choice(state, seat, move, words)
        settle_line(now, seat, move)
        yield from _tell_tiling(now, seat, words)
        return
    ends = act(now, seat, move)
    yield from _tell_action(state, now, seat, move, sees, words)
    if not ends or can_act(now, 1 - seat):
        return
    if not can_act(now, seat):
        now["next_line"][:] = 0
        yield from _tell_tiling(now, 0, words)
        yield from _tell_tiling(now, 1, words)
    elif can_act(state, 1 - seat):
        yield Sentence(words.say("can do nothing more in this phase."), "AD-E2", 1 - seat)


def _tell_draw(state: State, after: State, move: int, sees: bool, words: Words) -> Iterator[Sentence]:
    if move >= TILES:
        yield from _tell_tile_dealt(state, after, words)
    elif move >= TURNS:
        chip, factory = name_chip(move - TURNS, words), next_to_turn(state) + 1
        text = words.say("The chip of factory {n} is turned: {chip}.", n=factory, chip=chip)
        yield Sentence(text, "AD-N4" if state["phase"] == SETUP else "AD-T2")
    elif move >= FACES:
        plate, seat = move - FACES + 1, int(state["turn"])
        if state["phase"] != LOOK:
            text = words.say("On display: {plate}.", plate=name_plate(plate, words))
            yield Sentence(text, "AD-S3" if state["round"] == 1 else "AD-N1")
        elif sees:
            text = words.say("sees: {plate}.", plate=name_plate(plate, words))
            yield Sentence(text, "AD-A3", seat)
    elif move >= BACKS:
        if int(state["unseen"]) == ALL_PLATES:  # the first thing that is drawn in every game
            for seat in range(2):
                text = words.count("begins with {n} point.", "begins with {n} points.", START_POINTS)
                yield Sentence(text, "AD-B4", seat, START_POINTS, ("score",))
    elif move >= STARTS:
        yield Sentence(
            words.say("is the start player; the other takes a plate first."), "AD-S3", move - STARTS
        )
    else:
        names = [name_objective(side, words) for side in range(8) if (move - AIMS) >> side & 1]
        yield Sentence(words.say("The objectives are: {names}.", names=", ".join(names)), "AD-S1")


def _tell_tile_dealt(state: State, after: State, words: Words) -> Iterator[Sentence]:
    if after["dealt"] == 0:
        yield Sentence(words.say("Five equal tiles on the large factory go back into the bag."), "AD-N3")
    if state["tower"].any() and not after["tower"].any():
        yield Sentence(words.say("The bag is empty; the tower is poured into it."), "AD-N2")


def _tell_action(
    state: State, after: State, seat: int, move: int, sees: bool, words: Words
) -> Iterator[Sentence]:
    """An action, by what was before it and what is right after it."""
    if move >= STACKS:
        colors = ", ".join(name_color(color, words) for color in list_order(move - STACKS))
        factory = int(state["stacking"])
        text = words.say("stacks the rest of factory {n}, bottom to top: {colors}.", n=factory, colors=colors)
        yield Sentence(text, "AD-T1", seat)
    elif move >= CHIP_TAKES:
        chip = name_chip(int(state["chip"][move - CHIP_TAKES]) - FACE_UP, words)
        yield Sentence(words.say("takes a chip: {chip}.", chip=chip), "AD-D1", seat)
    elif move >= RETURNS:
        yield from _tell_returns(state, after, seat, sees, words)
    elif move == STOP:
        yield Sentence(words.say("stops drawing."), "AD-A3", seat)
    elif move == DRAW:
        yield _tell_drawing(state, seat, words)
    elif move >= PLACINGS:
        yield from _tell_placing(state, after, seat, move, sees, words)
    else:
        yield from _tell_take(state, after, seat, move, words)


def _tell_drawing(state: State, seat: int, words: Words) -> Sentence:
    back = int(state["top"]) or int(state["plate"][UNDER, 0])
    kind = name_kind(int(KIND[back]), words)
    if state["score"][seat] == 0:
        text = words.say("draws {kind} face down; at 0 points it costs nothing.", kind=kind)
        return Sentence(text, "AD-A4", seat)
    text = words.say("pays 1 point and draws {kind} face down.", kind=kind)
    return Sentence(text, "AD-A3", seat, -1, ("stack",))


def _tell_placing(
    state: State, after: State, seat: int, move: int, sees: bool, words: Words
) -> Iterator[Sentence]:
    plate, slot, _ = split_placing(move)
    rule = {SETUP: "AD-S3", ACQUIRE: "AD-A2", CHOICE: "AD-A3"}[int(state["phase"])]
    name = name_plate(plate, words)
    yield Sentence(words.say("places {plate} on slot {n}.", plate=name, n=slot + 1), rule, seat)
    if state["phase"] == CHOICE:
        yield from _tell_returns(state, after, seat, sees, words)


def _tell_returns(state: State, after: State, seat: int, sees: bool, words: Words) -> Iterator[Sentence]:
    """The plates that a move puts under the stack: one that is chosen, and the last one by itself."""
    for index in range(int(state["piles"][UNDER]), int(after["piles"][UNDER])):
        plate = int(after["plate"][UNDER, index])
        if sees:
            text = words.say("puts {plate} under the stack.", plate=name_plate(plate, words))
        else:
            text = words.say("puts {kind} under the stack.", kind=name_kind(int(KIND[plate]), words))
        yield Sentence(text, "AD-A3", seat)


def _tell_take(state: State, after: State, seat: int, move: int, words: Words) -> Iterator[Sentence]:
    source, color, target = split_take(move)
    fit = int(after["line_count"][seat, target - 1] - state["line_count"][seat, target - 1]) if target else 0
    taken = fit + _fallen(state, after, seat, color)
    tiles = count_colored(color, taken, words)
    rule = "AD-T3" if source == MOON else "AD-T1"
    place = name_source(source, words)
    if target:
        text = words.say("takes {tiles} {place} for line {line}.", tiles=tiles, place=place, line=target)
    else:
        text = words.say("takes {tiles} {place} straight to the broken tiles.", tiles=tiles, place=place)
    yield Sentence(text, rule, seat)
    if state["marker"] == ON_LARGE and after["marker"] == seat:
        text = words.say("takes the start marker as well: 2 points less at the end of the round.")
        yield Sentence(text, "AD-T4" if source == MOON else "AD-T5", seat)
    if target and taken > fit:
        yield from _tell_breaking(state, after, seat, color, taken - fit, words)


def _tell_breaking(
    state: State, after: State, seat: int, color: int, too_many: int, words: Words
) -> Iterator[Sentence]:
    broken = int(after["broken"][seat, color]) - int(state["broken"][seat, color])
    if broken:
        text = words.count("{n} tile too many breaks.", "{n} tiles too many break.", broken)
        yield Sentence(text, "AD-L1", seat)
    if too_many > broken:
        text = words.count(
            "{n} tile goes to the tower without penalty.",
            "{n} tiles go to the tower without penalty.",
            too_many - broken,
        )
        yield Sentence(text, "AD-L2", seat)


def _fallen(state: State, after: State, seat: int, color: int) -> int:
    """How many tiles of a colour have broken, those included that went on to the tower."""
    broken = int(after["broken"][seat, color]) - int(state["broken"][seat, color])
    return broken + int(after["tower"][color]) - int(state["tower"][color])


def _tell_choice(state: State, seat: int, move: int, words: Words) -> Iterator[Sentence]:
    if move >= STAYS:
        yield Sentence(words.say("leaves line {line} as it is.", line=move - STAYS + 1), "AD-W4", seat)
        return
    row, place = divmod(move - TILINGS, PAYMENTS * 6)
    payment, column = divmod(place, 6)
    if payment:
        chips = ", ".join(name_chip(CHIP_LETTERS.index(chip), words) for chip in list_payment(payment))
        text = words.say("completes line {line} with chips: {chips}.", line=row + 1, chips=chips)
        yield Sentence(text, "AD-W4", seat)
    now = copy_of(state)
    pay_chips(now, seat, payment)
    yield from _tell_tile(now, seat, row, column, words)


def _tell_tiling(now: State, seat: int, words: Words) -> Iterator[Sentence]:
    """What happens to the lines of a seat by itself, up to its next choice, and what it loses at the end.

    It changes `now` as it goes.
    """
    for row in range(int(now["next_line"][seat]), LINES):
        happens = swift_rule(fate)(now, seat, row)
        if happens == CHOSEN:
            return
        if happens == BREAKS:
            n = int(now["line_count"][seat, row])
            text = words.count(
                "Line {line} can never be placed: {n} tile breaks.",
                "Line {line} can never be placed: {n} tiles break.",
                n,
                line=row + 1,
            )
            yield Sentence(text, "AD-W3", seat)
            swift_rule(shatter)(now, seat, row)
        elif happens == MOVES:
            column = swift_rule(only_column)(now, seat, row)
            yield from _tell_tile(now, seat, row, column, words)
        elif now["line_count"][seat, row] == row + 1:
            yield Sentence(
                words.say("Line {line} waits for a plate with its colour.", line=row + 1), "AD-W2", seat
            )
    n, marked = broken_tiles(now, seat), bool(now["marker"] == seat)
    due = penalty(now, seat)
    cost = swift_rule(pay_broken)(now, seat)
    if due:
        tiles = words.count("{n} broken tile", "{n} broken tiles", n)
        text = (
            words.count(
                "loses {n} point for {tiles} and the start marker.",
                "loses {n} points for {tiles} and the start marker.",
                cost,
                tiles=tiles,
            )
            if n and marked
            else words.count(
                "loses {n} point for the start marker.", "loses {n} points for the start marker.", cost
            )
            if marked
            else words.count(
                "loses {n} point for {tiles}.", "loses {n} points for {tiles}.", cost, tiles=tiles
            )
        )
        lost = [int(PENALTIES[one] - PENALTIES[one + 1]) for one in range(n)] + [-MARKER_PENALTY] * marked
        how = add_up(lost)
        if cost < due:
            never = words.say("A score never falls below 0.")
            how = f"{how}. {never}" if how else never
        places = ("broken",) * (n > 0) + ("marker",) * marked
        yield Sentence(text, "AD-P4" if cost == due else "AD-P5", seat, -cost, places, how)


def _tell_tile(now: State, seat: int, row: int, column: int, words: Words) -> Iterator[Sentence]:
    """A tile goes to the dome, and perhaps a special tile after it; `now` changes with it."""
    color = name_color(int(now["line_color"][seat, row]), words)
    points = swift_rule(placement_points)(now, seat, row, column)
    text = words.count(
        "tiles {color} in row {row}, column {column}: {n} point.",
        "tiles {color} in row {row}, column {column}: {n} points.",
        points,
        color=color,
        row=row + 1,
        column=column + 1,
    )
    tiles = now["tile"][seat].tolist()
    across, down = joined(lambda r, c: 0 <= r < 6 and 0 <= c < 6 and bool(tiles[6 * r + c]), row, column)
    groups = [group for group in (across, down) if len(group) > 1] or [[(row, column)]]
    how = [words.say("In the row: {n}.", n=len(across))] if len(across) > 1 else []
    how += [words.say("In the column: {n}.", n=len(down))] if len(down) > 1 else []
    said = " ".join(how) or words.say("It touches no other tile.")
    places = _name_spaces(6 * r + c for r, c in {cell for group in groups for cell in group})
    yield Sentence(text, "AD-P1" if points == 1 else "AD-P2", seat, points, places, said)
    gilded = int(now["gilded"][seat])
    swift_rule(tile)(now, seat, row, column)
    if points := int(now["gilded"][seat]) - gilded:
        text = words.count(
            "fills a special plate; the special tile in row {row} brings {n} point.",
            "fills a special plate; the special tile in row {row} brings {n} points.",
            points,
            row=points,
        )
        new = [space for space in range(36) if now["tile"][seat][space] and not tiles[space]]
        places = _name_spaces(space for space in new if space != 6 * row + column)
        yield Sentence(text, "AD-W5", seat, points, places)


def _name_spaces(spaces: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"space-{space // 6 + 1}-{space % 6 + 1}" for space in sorted(spaces))


def _tell_end(after: State, now: State, seat: int, words: Words) -> Iterator[Sentence]:
    """AD-F1: the objectives of a seat."""
    brought = 0
    for side in range(8):
        if after["objectives"] >> side & 1:
            points = swift_rule(objective_points)(after, seat, side)
            brought += points
            if points:
                name = name_objective(side, words)
                text = words.count("{name}: {n} point.", "{name}: {n} points.", points, name=name)
                spaces = objective_spaces(after, seat, side)
                how = _sum_objective(side, points, spaces)
                yield Sentence(text, RULE_OF_OBJECTIVE[side], seat, points, _name_spaces(spaces), how)
    spared = int(after["score"][seat]) - int(now["score"][seat]) - brought
    if spared:
        yield Sentence(words.say("The score does not fall below 0."), "AD-P5", seat, spared, ("score",))


def _sum_objective(side: int, points: int, spaces: Sequence[int]) -> str:
    """How the points of an objective come together."""
    if side == CORNERS:  # AD-O7: plates of four spaces, in the upper half and in the lower one
        upper = sum(space < 18 for space in spaces) // 4
        return add_up([3] * upper + [8] * (len(spaces) // 4 - upper))
    each = WORTH_OF_OBJECTIVE[side]
    return multiply(points // each, each)


def tally(state: State, words: Words) -> list[tuple[str, list[int]]]:
    """Where the points of each seat came from."""
    sources = [
        (words.say("start"), [START_POINTS] * 2),
        (words.say("tiles"), [int(points) for points in state["tiled"]]),
        (words.say("special tiles"), [int(points) for points in state["gilded"]]),
        (words.say("plates drawn"), [-int(points) for points in state["paid"]]),
        (words.say("broken tiles and marker"), [-int(points) for points in state["lost"]]),
    ]
    for side in range(8):
        if state["objectives"] >> side & 1:
            over = int(state["phase"] == OVER)
            points = [swift_rule(objective_points)(state, seat, side) * over for seat in range(2)]
            sources.append((name_objective(side, words), points))
    spared = [int(state["score"][seat]) - sum(points[seat] for _, points in sources) for seat in range(2)]
    if any(spared):
        sources.append((words.say("not below 0"), spared))
    return sources
