"""What happens in a game of FITS, as sentences with points and rule ids; and why a move is refused."""

from collections.abc import Iterator

from mozaika.games.fits.pieces import (
    BOARD_NAMES,
    BY_FIELDS,
    BY_PAIRS,
    BY_ROWS,
    BY_SQUARES,
    CARDS,
    COLUMNS,
    DEAL,
    DECLINE,
    LETTERS,
    NAMES,
    ORDERS,
    OVER,
    PAIR_POINTS,
    PLAIN,
    ROWS,
    STARTS,
    SYMBOLS,
    WAYS,
    ZERO,
)
from mozaika.games.fits.rules import apply, has_title, landing, movers, piece_of, ranks, total, write_field
from mozaika.kernel import swift_rule
from mozaika.places import point_at
from mozaika.sentence import Sentence, add_up, with_minus
from mozaika.state import State, copy_of
from mozaika.words import Words, later

SENTENCE = later("Slide your pieces down the ramp and leave open only what pays: everyone at the same time.")

LABELS = {
    "boards": later("Boards, in this order"),
    "order": later("Order"),
    "given": later("as written"),
    "random": later("drawn by lot"),
    "own": later("Boards of your own"),
}

HINTS = {
    "boards": later(
        "1 to 4 are Mozaika's own design, A to D are yours, drawn below. Leave some out for a short game."
    ),
    "own": later(
        "Twelve rows of six squares each, from the top: a dot is a plain square, a number from -9 to 9 is "
        "what the field brings uncovered, a letter is a symbol and stands on the board twice. With the word "
        "rows above them, full rows score. Leave an empty line between two boards; they are A, B, C and D."
    ),
}

REFUSALS = {
    "FI-V1": later("The order of the boards is drawn before the first round."),
    "FI-R1": later("That is not the piece to place now."),
    "FI-R2": later("The start cards are dealt at the beginning of a round."),
    "FI-R2 first": later("First everybody gets a start card."),
    "FI-R2 taken": later("That is no start card, or somebody has it already."),
    "FI-R3": later("You have placed this piece; the next card is turned when everybody has."),
    "FI-R3 next": later("First the next card is turned."),
    "FI-R3 players": later("Only who sits at the table places pieces."),
    "FI-R3 start": later(
        "The first card is turned when everybody has placed the piece of the start card or set it aside."
    ),
    "FI-R3 turned": later("This card has been turned already."),
    "FI-R3 waits": later("The next card is turned when everybody has placed this piece or set it aside."),
    "FI-R4": later("You had this piece on your start card, so you skip this card."),
    "FI-P2": later("There the piece would stick out of the ramp."),
    "FI-P3": later("There the piece would cover no square of the board."),
    "FI-E1": later("The game is over."),
}


def tell(state: State, seat: int, move: int, viewer: int, words: Words) -> list[Sentence]:
    """What a move does, in the order in which it happens; everybody sees all of it."""
    after = copy_of(state)
    swift_rule(apply)(after, seat, move)
    if move >= ORDERS:
        text = words.say("The next board is {name}.", name=BOARD_NAMES[move - ORDERS])
        return [Sentence(text, "FI-V1")]
    if move >= STARTS:
        return list(_tell_start(state, after, NAMES[move - STARTS], words))
    if move >= CARDS:
        sentences = [Sentence(words.say("The card shows {piece}.", piece=NAMES[move - CARDS]), "FI-R3")]
        skipping = [other for other in range(after["seats"]) if after["start"][other] == move - CARDS + 1]
        text = words.say("skips {piece}: it was on the start card.", piece=NAMES[move - CARDS])
        sentences += [Sentence(text, "FI-R4", other) for other in skipping]
    else:
        sentences = [_tell_placing(state, seat, move, words)]
    return sentences + list(_tell_round(state, after, words))


def _tell_start(state: State, after: State, piece: str, words: Words) -> Iterator[Sentence]:
    if after["round"] != state["round"]:
        text = words.say("Round {n} is played on board {name}.", n=after["round"], name=board_name(after))
        yield Sentence(text, "FI-R1")
    seat = next(
        seat
        for seat in range(after["seats"])
        if after["start"][seat] != state["start"][seat] or after["round"] != state["round"]
    )
    yield Sentence(words.say("gets the start card {piece}.", piece=piece), "FI-R2", seat)


def _tell_placing(state: State, seat: int, move: int, words: Words) -> Sentence:
    piece = NAMES[piece_of(state, seat)]
    if move == DECLINE:
        return Sentence(words.say("sets {piece} aside.", piece=piece), "FI-R5", seat)
    way, column = divmod(move, COLUMNS)
    row = landing(state, seat, way, column) + 1
    text = words.say(
        "lays {piece}: column {column}, row {row}.", piece=piece, column=LETTERS[column], row=row
    )
    return Sentence(text, "FI-P1", seat)


def _tell_round(state: State, after: State, words: Words) -> Iterator[Sentence]:
    """The points of a round that has ended, and of the game."""
    if after["phase"] not in (DEAL, OVER):
        return
    at = int(after["round"]) - 1
    for seat in range(after["seats"]):
        squares, rows, fields, pairs = after["tally"][seat, at].tolist()
        uncovered = _list_uncovered(after, seat)
        if squares:
            text = words.count("{n} uncovered square.", "{n} uncovered squares.", -squares)
            plain = tuple(place for place, field in uncovered if field == PLAIN)
            yield Sentence(text, "FI-S1", seat, squares, plain)
        if rows:
            text = words.count("{n} full row.", "{n} full rows.", rows)
            yield Sentence(text, "FI-S2", seat, rows, _full(after, seat))
        if fields:
            threats = any(PLAIN < field < ZERO for field in after["fields"][at].tolist())
            text = words.say("uncovered special fields.")
            special = [(place, field) for place, field in uncovered if field != PLAIN and field < SYMBOLS]
            values = sorted((field - ZERO for _, field in special), reverse=True)
            how = add_up(values) or with_minus(fields)
            places = tuple(place for place, _ in special)
            yield Sentence(text, "FI-S4" if threats else "FI-S3", seat, fields, places, how)
        if pairs:
            symbols = tuple(place for place, field in uncovered if field >= SYMBOLS)
            signs = [field for _, field in uncovered if field >= SYMBOLS]
            values = [PAIR_POINTS if signs.count(sign) > 1 else -PAIR_POINTS for sign in set(signs)]
            how = add_up(sorted(values, reverse=True)) or with_minus(pairs)
            yield Sentence(words.say("uncovered symbols."), "FI-S5", seat, pairs, symbols, how)
        points = squares + rows + fields + pairs
        text = words.count(
            "has {points} point in this round.",
            "has {points} points in this round.",
            abs(points),
            points=with_minus(points),
        )
        last = seat == after["seats"] - 1 and after["phase"] != OVER
        yield Sentence(text, "FI-S6", seat, closes=bool(last))
    if after["phase"] == OVER:
        yield from _tell_end(after, words)


def _list_uncovered(state: State, seat: int) -> list[tuple[str, int]]:
    """The uncovered squares, each as its column and its row, and what is printed there."""
    fields = state["fields"][int(state["round"]) - 1].tolist()
    columns = state["columns"][seat].tolist()
    return [
        (name, field)
        for name, field, place in zip(_SQUARE_NAMES, fields, range(len(fields)), strict=True)
        if not columns[place % COLUMNS] >> place // COLUMNS & 1
    ]


_SQUARE_NAMES = tuple(f"{letter}{row + 1}" for row in range(ROWS) for letter in LETTERS[:COLUMNS])


def _full(state: State, seat: int) -> tuple[str, ...]:
    """The squares of rows that are covered completely."""
    columns = state["columns"][seat].tolist()
    full = [row for row in range(ROWS) if all(column >> row & 1 for column in columns)]
    return tuple(f"{letter}{row + 1}" for row in full for letter in LETTERS[:COLUMNS])


def _tell_end(after: State, words: Words) -> Iterator[Sentence]:
    if has_title(after):
        text = words.say("earns the title: {title}.", title=name_title(total(after, 0), words))
        yield Sentence(text, "FI-E2", 0, closes=True)
    else:
        yield Sentence(words.say("The game is over."), "FI-E1", closes=True)


def name_title(points: int, words: Words) -> str:
    """FI-E2: what a solo player may call themselves."""
    titles = (
        (31, words.say("grandmaster")),
        (26, words.say("master")),
        (21, words.say("expert")),
        (16, words.say("specialist")),
        (11, words.say("novice")),
        (6, words.say("trainee")),
    )
    return next((title for least, title in titles if points >= least), words.say("pupil"))


def verdict(state: State, words: Words) -> str:
    """How a solo game ended; with others the winner says it all."""
    if state["seats"] > 1:
        return ""
    made = total(state, 0)
    points = words.count("{points} point", "{points} points", abs(made), points=with_minus(made))
    return f"{points}: {name_title(made, words)}" if has_title(state) else points


def tally(state: State, words: Words) -> list[tuple[str, list[int]]]:
    """Where the points of each seat came from, board by board."""
    seats = range(state["seats"])
    rows = []
    for at in range(state["rounds"]):
        name = BOARD_NAMES[state["boards"][at] - 1]
        for source, text in enumerate(_name_sources(words, name)):
            if source in sources_of(state, at):
                rows.append((text, [int(state["tally"][seat, at, source]) for seat in seats]))
    return rows


def sources_of(state: State, at: int) -> list[int]:
    """What can bring points on a board."""
    fields = state["fields"][at]
    found = [BY_ROWS] if state["rows_score"][at] else []
    if ((fields != PLAIN) & (fields < SYMBOLS)).any():
        found.append(BY_FIELDS)
    if (fields >= SYMBOLS).any():
        found.append(BY_PAIRS)
    return [BY_SQUARES, *found]


def _name_sources(words: Words, name: str) -> tuple[str, str, str, str]:
    return (
        words.say("board {name}: squares", name=name),
        words.say("board {name}: rows", name=name),
        words.say("board {name}: special fields", name=name),
        words.say("board {name}: pairs", name=name),
    )


def board_name(view: State) -> str:
    """The name of the board on the ramps; of the first one before the game."""
    return BOARD_NAMES[view["boards"][max(int(view["round"]), 1) - 1] - 1]


def name_phase(view: State, words: Words) -> str:
    return (
        words.say("drawing the order of boards"),
        words.say("dealing the start cards"),
        words.say("turning the next card"),
        words.say("placing"),
        words.say("game over"),
    )[view["phase"]]


pointed_at = point_at(movers, ranks)


def name_field(field: int, words: Words) -> str:
    """A special field as it looks: the first five symbols have a shape, others their letter."""
    shapes = (
        words.say("star"),
        words.say("circle"),
        words.say("triangle"),
        words.say("square"),
        words.say("diamond"),
    )
    if SYMBOLS <= field < SYMBOLS + len(shapes):
        return shapes[field - SYMBOLS]
    return write_field(field).replace("-", "−")


def say_manner(way: int, words: Words) -> str:
    """How a piece lies."""
    _, turns, flipped, _ = WAYS[way]
    turned = (
        words.say("as on the card"),
        words.say("turned once"),
        words.say("turned twice"),
        words.say("turned three times"),
    )[turns]
    return words.say("flipped, {turned}", turned=turned) if flipped else turned
