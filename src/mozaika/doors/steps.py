"""The steps of a batch: compiled, for any game that has stages and features.

An action is a choice of a stage. There are three other orders, below 0, that only `Batch` gives.
"""

import numpy as np
from numpy.typing import NDArray

from mozaika.kernel import (
    MOST_SEATS,
    apply,
    choices,
    join,
    kernel,
    legal,
    movers,
    not_inlined,
    observe,
    random_below,
    random_bits,
    ranks,
    rate,
    scores,
    weigh,
)
from mozaika.search.playout import CHANCE_ONLY, first_seat
from mozaika.search.simple import greediest
from mozaika.state import CHANCE, Floats, Ints, State

ANEW, LEAVE, WHOLE = -1, -2, -16
"""Instead of an action: the game begins anew; it is left as it is; a whole move is played (WHOLE - move)."""
LONGEST = 16
"""No move has more choices."""

NOTE = np.dtype(
    [
        ("random", np.uint64, (1,)),
        ("made", np.int32, (LONGEST,)),  # the choices of the move that is not finished
        ("count", np.int32),  # how many these are
        ("open", np.int32),  # how many choices there are now; 0 when the game is over
        ("points", np.int32, (MOST_SEATS,)),  # of each seat after the last step
        ("moves", np.int64),  # moves that players have made
        ("games", np.int64),  # games that have ended
    ]
)
"""What is remembered of a game beside its state."""

TERMS = np.dtype(
    [
        ("explicit", np.int8),  # whether draws are steps of their own
        ("again", np.int8),  # whether a game that ends begins anew at once
        ("points", np.int8),  # whether points are the reward, not the victory
        ("features", np.int32),  # how many numbers come from the game; the choices made come after them
    ]
)

BY_OTHERS, AT_RANDOM, GREEDY, FIRST_SIGHT = range(4)
"""Who plays a seat: whoever gives actions, or one of the compiled bots."""


@kernel
def step_games(  # noqa: C901, PLR0915  a call costs more here than a long function
    first: int,
    last: int,
    states: NDArray[np.void],
    start: NDArray[np.void],
    notes: NDArray[np.void],
    desk: State,
    terms: State,
    actions: Ints,
    seat: NDArray[np.int8],
    listed: Ints,
    mask: NDArray[np.uint8],
    reward: NDArray[np.float32],
    done: NDArray[np.uint8],
    seen: NDArray[np.float32],
    places: Ints,
) -> None:
    """Make one step in each game from `first` to before `last`, and show what comes then."""
    for index in range(first, last):
        action = int(actions[index])
        if action == LEAVE:
            continue
        note = notes[index]
        state = states[index]
        found = listed[index]
        who = int(seat[index])
        if action == ANEW:
            states[index] = start[0]
            scores(state, note["points"])
        elif note["open"] == 0:
            continue
        elif action <= WHOLE:
            play(state, who, WHOLE - action)
            note["moves"] += 1
        elif who == CHANCE:
            list_outcomes(state, desk)
            play(state, CHANCE, int(desk["moves"][action]))
        else:
            note["made"][note["count"]] = action
            note["count"] += 1
            n = open_choices(state, who, note, found)
            while n == 1:
                note["made"][note["count"]] = found[0]
                note["count"] += 1
                n = open_choices(state, who, note, found)
            if n > 0:  # what the seat sees is still the same
                show_choices(index, n, note, found, mask)
                show_made(index, note, terms, seen, places)
                continue
            play(state, who, join(state, note["made"], int(note["count"])))
            note["moves"] += 1
        note["count"] = 0
        desk["random"][0] = note["random"][0]
        going = True
        while going:
            movable = int(movers(state))
            going = False
            if movable == 0:
                pay(index, state, note, desk, terms, reward)
                done[index] = 1
                note["games"] += 1
                if terms["again"] != 0:
                    states[index] = start[0]
                    scores(state, note["points"])
                    going = True
            elif movable == CHANCE_ONLY and terms["explicit"] == 0:
                play(state, CHANCE, draw(state, desk))
                going = True
        note["random"][0] = desk["random"][0]
        if terms["points"] != 0:
            pay(index, state, note, desk, terms, reward)
        if movable == 0:
            show_choices(index, 0, note, found, mask)
            continue
        who = first_seat(movable)
        seat[index] = who
        if who == CHANCE:
            n = list_outcomes(state, desk)
            for outcome in range(n):
                found[outcome] = outcome
            show_choices(index, n, note, found, mask)
            continue
        show_choices(index, open_choices(state, who, note, found), note, found, mask)
        look(state, who, seen[index])
        show_made(index, note, terms, seen, places)


@not_inlined
def play(state: State, seat: int, move: int) -> None:
    apply(state, seat, move)


@kernel
def draw(state: State, desk: State) -> int:
    """What CHANCE does, by weight, with one copy of the rules for all who list outcomes."""
    list_outcomes(state, desk)
    rest = random_below(desk["random"], weigh(state, desk["weights"]))
    outcome = 0
    while rest >= desk["weights"][outcome]:
        rest -= desk["weights"][outcome]
        outcome += 1
    return int(desk["moves"][outcome])


@not_inlined
def list_outcomes(state: State, desk: State) -> int:
    """Put what CHANCE may do on the desk; returns how many outcomes there are."""
    return int(legal(state, CHANCE, desk["moves"]))


@not_inlined
def look(state: State, seat: int, seen: Floats) -> None:
    observe(state, seat, seen)


@not_inlined
def open_choices(state: State, seat: int, note: State, found: Ints) -> int:
    """List what a seat may choose next; returns how many choices it has."""
    return int(choices(state, seat, note["made"], int(note["count"]), found))


@kernel
def show_choices(index: int, n: int, note: State, found: Ints, mask: NDArray[np.uint8]) -> None:
    note["open"] = n
    for choice in range(mask.shape[1]):
        mask[index, choice] = 0
    for place in range(n):
        mask[index, found[place]] = 1


@kernel
def show_made(index: int, note: State, terms: State, seen: NDArray[np.float32], places: Ints) -> None:
    """The choices already made, after the features of the game: 1 for each that can be followed by others."""
    at = int(terms["features"])
    for place in range(at, seen.shape[1]):
        seen[index, place] = 0.0
    for made in range(note["count"]):
        place = places[note["made"][made]]
        if place >= 0:
            seen[index, at + place] = 1.0


@not_inlined
def pay(
    index: int, state: State, note: State, desk: State, terms: State, reward: NDArray[np.float32]
) -> None:
    """The points since the last step; or at the end of a game the share of the victory, zero in the sum."""
    seats = int(state["seats"])
    if terms["points"] != 0:
        scores(state, desk["table"])
        for each in range(seats):
            reward[index, each] += float(desk["table"][each] - note["points"][each])
            note["points"][each] = desk["table"][each]
        return
    ranks(state, desk["table"])
    winners = 0
    for each in range(seats):
        winners += 1 if desk["table"][each] == 1 else 0
    for each in range(seats):
        reward[index, each] += (seats / winners if desk["table"][each] == 1 else 0.0) - 1.0


@kernel
def make_choice(state: State, seat: int, made: Ints, count: int, choice: int, found: Ints) -> int:
    """One choice of one game, and those after it that are none. Returns how many the move has now, 0 if the
    choice is not open; or if it was complete it is played, and -1 less the seats that may move then.
    """
    n, open_now = int(choices(state, seat, made, count, found)), False
    for place in range(n):
        open_now = open_now or found[place] == choice
    if not open_now:
        return 0
    n, found[0] = 1, choice
    while n == 1:
        made[count] = found[0]
        count += 1
        n = int(choices(state, seat, made, count, found))
    if n > 0:
        return count
    play(state, seat, join(state, made, count))
    return -1 - int(movers(state))


@kernel
def make_draw(state: State, outcome: int, moves: Ints) -> int:
    """What CHANCE does in one game, counted from 0. Returns the seats that may move then; -1 if it cannot."""
    if outcome < 0 or outcome >= legal(state, CHANCE, moves):
        return -1
    play(state, CHANCE, int(moves[outcome]))
    return int(movers(state))


@kernel
def weigh_draws(state: State, moves: Ints, weights: Ints, parts: Floats) -> int:
    """How likely each outcome is; returns how many there are."""
    n = int(legal(state, CHANCE, moves))
    total = float(weigh(state, weights))
    for outcome in range(n):
        parts[outcome] = weights[outcome] / total
    return n


@kernel
def clear_rows(first: int, last: int, reward: NDArray[np.float32], done: NDArray[np.uint8]) -> None:
    """What the step before has brought is told no more."""
    for index in range(first, last):
        done[index] = 0
        for each in range(reward.shape[1]):
            reward[index, each] = 0.0


@kernel
def first_wrong(
    first: int, last: int, notes: NDArray[np.void], mask: NDArray[np.uint8], actions: Ints
) -> int:
    """The first game whose action is not open; -1 if there is none. Who is over is only begun by `reset`."""
    for index in range(first, last):
        action = int(actions[index])
        if notes[index]["open"] == 0:
            if action == ANEW:
                return index
            continue
        if action < 0 or action >= mask.shape[1] or mask[index, action] == 0:
            return index
    return -1


@kernel
def first_illegal(
    first: int,
    last: int,
    states: NDArray[np.void],
    notes: NDArray[np.void],
    desk: State,
    seat: NDArray[np.int8],
    orders: Ints,
) -> int:
    """The first game whose whole move is not legal; -1 if there is none."""
    for index in range(first, last):
        if orders[index] == LEAVE or notes[index]["open"] == 0:
            continue
        wrong = True
        for place in range(int(legal(states[index], int(seat[index]), desk["moves"]))):
            if desk["moves"][place] == WHOLE - orders[index]:
                wrong = False
        if wrong:
            return index
    return -1


@kernel
def sample_choices(first: int, last: int, notes: NDArray[np.void], listed: Ints, actions: Ints) -> None:
    """For each game one of the open choices, each as likely."""
    for index in range(first, last):
        n = int(notes[index]["open"])
        actions[index] = listed[index, random_below(notes[index]["random"], n)] if n > 0 else LEAVE


@kernel
def sample_softmax(
    first: int,
    last: int,
    notes: NDArray[np.void],
    mask: NDArray[np.uint8],
    logits: NDArray[np.float32],
    actions: Ints,
    best: int,
) -> None:
    """For each game an open choice by the softmax of its logits, or the one with the highest."""
    for index in range(first, last):
        highest = -np.inf
        chosen = LEAVE
        for choice in range(mask.shape[1]):
            if mask[index, choice] != 0 and logits[index, choice] > highest:
                highest = float(logits[index, choice])
                chosen = choice
        actions[index] = chosen
        if best != 0 or chosen == LEAVE:
            continue
        total = 0.0
        for choice in range(mask.shape[1]):
            if mask[index, choice] != 0:
                total += np.exp(logits[index, choice] - highest)
        rest = float(random_bits(notes[index]["random"]) >> 40) / 16777216.0 * total
        for choice in range(mask.shape[1]):
            if mask[index, choice] != 0:
                rest -= np.exp(logits[index, choice] - highest)
                if rest < 0.0:
                    actions[index] = choice
                    break


@kernel
def sample_outcomes(
    first: int,
    last: int,
    states: NDArray[np.void],
    notes: NDArray[np.void],
    desk: State,
    seat: NDArray[np.int8],
    actions: Ints,
) -> None:
    """Where CHANCE is to move, an outcome by its weight."""
    for index in range(first, last):
        if seat[index] == CHANCE and notes[index]["open"] > 0:
            rest = random_below(notes[index]["random"], weigh(states[index], desk["weights"]))
            outcome = 0
            while rest >= desk["weights"][outcome]:
                rest -= desk["weights"][outcome]
                outcome += 1
            actions[index] = outcome


@kernel
def move_at_random(
    first: int,
    last: int,
    states: NDArray[np.void],
    notes: NDArray[np.void],
    desk: State,
    seat: NDArray[np.int8],
    bots: NDArray[np.int8],
    actions: Ints,
) -> int:
    """A whole move for each game in which the bot that plays at random is to move; returns in how many."""
    answered = 0
    for index in range(first, last):
        who = int(seat[index])
        actions[index] = LEAVE
        if notes[index]["open"] != 0 and who != CHANCE and bots[who] == AT_RANDOM:
            n = int(legal(states[index], who, desk["moves"]))
            actions[index] = WHOLE - int(desk["moves"][random_below(notes[index]["random"], n)])
            answered += 1
    return answered


@kernel
def move_at_sight(
    first: int,
    last: int,
    states: NDArray[np.void],
    trial: NDArray[np.void],
    notes: NDArray[np.void],
    desk: State,
    seat: NDArray[np.int8],
    bots: NDArray[np.int8],
    noise: Floats,
    rates: Floats,
    actions: Ints,
) -> int:
    """The same for the bots that do not look ahead; what others do stays."""
    answered = 0
    for index in range(first, last):
        who = int(seat[index])
        if notes[index]["open"] == 0 or who == CHANCE or bots[who] < GREEDY:
            continue
        answered += 1
        random = notes[index]["random"]
        if bots[who] == GREEDY:
            actions[index] = WHOLE - greediest(states[index], who, random, desk["moves"], trial)
            continue
        n = int(legal(states[index], who, desk["moves"]))
        rate(states[index], who, desk["moves"], n, rates)
        highest = -np.inf
        chosen = 0
        for place in range(n):
            value = rates[place] + noise[who] * (float(random_bits(random) >> 40) / 16777216.0)
            if value > highest:
                highest = value
                chosen = place
        actions[index] = WHOLE - int(desk["moves"][chosen])
    return answered
