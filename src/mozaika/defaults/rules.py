"""Rules as most games have them, made for a game of its own rules."""

from collections.abc import Callable

from mozaika.kernel import kernel
from mozaika.state import CHANCE, Ints, State


def weigh_alike(legal: Callable[[State, int, Ints], int]) -> Callable[[State, Ints], int]:
    """Each outcome is as likely."""

    @kernel
    def weigh(state: State, out: Ints) -> int:
        outcomes = legal(state, CHANCE, out)
        for index in range(outcomes):
            out[index] = 1
        return outcomes

    return weigh


def rank_by_points(scores: Callable[[State, Ints], None]) -> Callable[[State, Ints], None]:
    """Who has most points is first; equal points share a place."""

    @kernel
    def ranks(state: State, out: Ints) -> None:
        scores(state, out)
        seats = int(state["seats"])
        for seat in range(seats):
            out[seat] = int(out[seat]) * 16 + 1  # the place grows in the lowest bits, beside the points
        for seat in range(seats):
            for other in range(seats):
                if int(out[other]) >> 4 > int(out[seat]) >> 4:
                    out[seat] += 1
        for seat in range(seats):
            out[seat] = int(out[seat]) & 15

    return ranks
