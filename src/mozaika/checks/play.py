"""What must hold while a game is played: records, views, bots, refusals."""

from collections.abc import Callable
from random import Random

from mozaika.checks.holding import hold, hold_rule
from mozaika.checks.kinds import Kind, play_table, some_state, walk
from mozaika.game import Game
from mozaika.kernel import new_random
from mozaika.moves import IllegalMove
from mozaika.record import Record
from mozaika.state import CHANCE, WATCHER, State, seats_in
from mozaika.table import Table
from mozaika.thought import Budget
from mozaika.words import LANGUAGES


def replay_equals_play(kind: Kind, seed: int) -> None:
    table = play_table(kind, seed)
    text = table.record().write()
    record = Record.read(text)
    hold(record.state().tobytes() == table.state.tobytes(), "The record leads to another state.")
    hold(record.write() == text, "The record is written otherwise when it is read again.")
    faults = record.verify()
    hold(not faults, f"The draws of the record are not confirmed: {' '.join(faults)}")
    hold(Table.from_record(record).log() == table.log(), "The record is told otherwise than the game was.")


def a_view_holds_all_that_a_guess_may_use(kind: Kind, seed: int) -> None:
    """`guess` never changes what the seat knows."""
    game, state = kind.fast, some_state(kind, seed)
    for seat in range(kind.seats):
        view = game.hide(state, seat)
        guessed = game.guess(view, seat, new_random(seed))
        hold(
            game.hide(guessed, seat).tobytes() == view.tobytes(), f"A guess of seat {seat} changes its view."
        )
        same = game.legal_moves(guessed, seat) == game.legal_moves(state, seat)
        hold(same, f"A guess of seat {seat} changes its legal moves.")


def views_leak_nothing(kind: Kind, seed: int) -> None:
    """Moves after which a viewer sees the same are told to that viewer in the same words."""
    game, random = kind.fast, Random(seed)
    names = tuple(f"Player {seat}" for seat in range(kind.seats))
    words, plies = game.words(), list(walk(kind, seed))
    hidden = [each for each in plies if any(_sees_less(game, each[0], seat) for seat in range(kind.seats))]
    some = random.sample(plies[:-1], min(8, len(plies) - 1)) + random.sample(hidden, min(8, len(hidden)))
    for state, seat, _ in some:
        before = state.tobytes()
        moves = game.legal_moves(state, seat)
        for viewer in sorted({WATCHER, *range(kind.seats)} - {seat}):
            told: dict[bytes, list[str]] = {}
            for move in random.sample(moves, min(6, len(moves))):
                after = state.copy()
                game.apply(after, seat, move)
                said = [str(sentence) for sentence in game.tell(state, seat, move, viewer, words)]
                same = told.setdefault(game.hide(after, viewer).tobytes(), said) == said
                hold(same, f"Viewer {viewer} is told of a move what cannot be seen: {' '.join(said)}")
            view = game.hide(state, viewer)
            hold(state.tobytes() == before, "`hide` changes the state it is given.")
            hold(view is not state, "A view is a copy, not the state itself.")
            game.sketch(view, names, words)


def _sees_less(game: Game, state: State, seat: int) -> bool:
    return game.hide(state, seat).tobytes() != state.tobytes()


def bots_play_legal_moves(kind: Kind, seed: int) -> None:
    if seed > 3:  # they take their time
        return
    state = some_state(kind, seed)
    for seat in seats_in(kind.game.movers(state)):
        view = kind.game.hide(state, seat)
        for name, bot in kind.game.bots.items():
            before = view.tobytes()
            move = bot(kind.game, view, seat, new_random(seed), Budget(nodes=4, milliseconds=50)).move
            hold(move in kind.game.legal_moves(state, seat), f"{name} plays {move}, which is not legal.")
            hold(view.tobytes() == before, f"{name} changes what it is shown.")


def refusals_name_their_rule(kind: Kind, seed: int) -> None:
    """Any move of the game that is not legal now is refused with a sentence and the rule behind it."""
    game, state, random = kind.fast, some_state(kind, seed), Random(seed)
    elsewhere = [move for _, seat, move in walk(kind, seed + 1) if seat >= 0]
    move = random.choice(elsewhere)
    for seat in (*range(kind.seats), CHANCE, WATCHER):
        if move not in (game.legal_moves(state, seat) if seat >= 0 else []):
            for lang in LANGUAGES:
                _hold_refusal(game, state, seat, move, lang)


def _hold_refusal(game: Game, state: State, seat: int, move: int, lang: str) -> None:
    text = game.write_move(move)
    try:
        game.read(state, seat, text, game.words(lang))
    except IllegalMove as refused:
        hold(str(refused), f"“{text}” is refused without a word.")
        hold_rule(game, refused.rule, f"Refusing “{text}”")
    else:
        hold(condition=False, sentence=f"“{text}” is not legal for seat {seat}, and it is read as a move.")


def points_told_are_points_scored(kind: Kind, seed: int) -> None:
    table = play_table(kind, seed)
    told = [0] * kind.seats
    for ply in range(table.ply):
        for sentence in table.tell(ply):
            if sentence.points:
                told[sentence.seat] += sentence.points
    hold(told == table.scores, f"The points told add up to {told}, the scores are {table.scores}.")
    tally = [sum(parts) for parts in zip(*table.tally.values(), strict=True)]
    hold(tally == table.scores, f"The tally adds up to {tally}, the scores are {table.scores}.")


def telling_changes_nothing_and_cites_rules(kind: Kind, seed: int) -> None:
    game, words = kind.game, kind.game.words()
    rules = set()
    for state, seat, move in walk(kind, seed):
        if seat >= 0:
            before = state.tobytes()
            for sentence in game.tell(state, seat, move, CHANCE, words):
                hold(sentence.text and "{" not in sentence.text, f"A blank is left in “{sentence.text}”.")
                rules.add(sentence.rule)
            hold(state.tobytes() == before, "Telling a move changes the state.")
    for rule in rules:
        hold_rule(game, rule, "Telling")


CHECKS: tuple[Callable[[Kind, int], None], ...] = (
    replay_equals_play,
    a_view_holds_all_that_a_guess_may_use,
    views_leak_nothing,
    bots_play_legal_moves,
    refusals_name_their_rule,
    points_told_are_points_scored,
    telling_changes_nothing_and_cites_rules,
)
