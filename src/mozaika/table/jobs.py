"""Thoughts as plain data: what a bot is asked, by anybody, so that any process can think about it.

A job has the view of a seat and nothing that the seat may not know. The same job has the same answer wherever
it is done, as far as its budget counts nodes and not time. A step of a review is a job, too; the games that
are reviewed have no secrets any more.
"""

from collections.abc import Callable
from hashlib import sha256
from math import inf, isinf
from typing import Literal, ParamSpec, TypeVar

import msgspec

from mozaika.game import Game
from mozaika.games import find_game
from mozaika.kernel import never_waiting, new_random, swift_game, warmer
from mozaika.reviewing.steps import Part, Step, take_far
from mozaika.state import State, read_state
from mozaika.table import advice
from mozaika.thought import Alternative, Budget, Thought

Kind = Literal["move", "hint", "evaluation"]
SECONDS_TO_COMPILE = 0.3
"""Kernels that are not ready are waited for in such portions."""

P = ParamSpec("P")
T = TypeVar("T")


class Limits(msgspec.Struct, frozen=True, array_like=True):
    """A budget, as JSON can have it."""

    nodes: int
    milliseconds: float | None


class Job(msgspec.Struct, frozen=True, array_like=True, tag="think"):
    """What a bot thinks for a seat, or of a game from what a viewer knows."""

    kind: Kind
    game: str
    bot: str
    view: bytes
    seat: int
    luck: int = 0
    """Where the random numbers of a move begin; those of advice follow from the view."""
    limits: Limits | None = None


Work = Job | Step


def key_of(work: Work) -> str:
    """The same for the same question."""
    return sha256(msgspec.json.encode(work)).hexdigest()[:32]


def new_job(
    kind: Kind, game: Game, bot: str, view: State, seat: int, budget: Budget | None, luck: int = 0
) -> Job:
    """Something to think about."""
    limits = None
    if budget is not None:
        limits = Limits(budget.nodes, None if isinf(budget.milliseconds) else budget.milliseconds)
    return Job(kind, game.id, bot, view.tobytes(), seat, luck, limits)


def can_answer(job: Job, thought: Thought) -> bool:
    """Whether somebody can have come to this: a worker may be of another version, or broken."""
    game = find_game(job.game)
    view = read_state(job.view, game.state)
    told: list[Thought | Alternative] = [thought] if thought.other is None else [thought, thought.other]
    whole = all(len(each) in (0, view["seats"]) for each in (thought.shares, thought.points))
    alike = {(len(one.shares), len(one.points)) for one in told}  # they are compared
    return (whole and len(alike) == 1) and (
        job.kind == "evaluation"
        or {each.move for each in told} <= set(swift_game(game).legal_moves(view, job.seat))
    )


def load_kernels(game: Game) -> None:
    """Somebody will have to think about a game."""
    warmer.load(game)


def think_about(game: Game, question: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What is found while nobody waits for a compiler; the kernels of the game are loaded meanwhile."""
    warmer.load(game)
    with never_waiting():
        return question(*arguments, **named)


def do(work: Work) -> Thought | Part | None:
    """Think, or take a step of a review, if its game is ready for that."""
    return think_about(find_game(work.game), perform, work) if isinstance(work, Job) else take(work)


def take(step: Step) -> Part | None:
    """A step counts nodes, not time: without kernels it would take for ever, so there is nothing before they
    are ready.
    """
    game = find_game(step.game)
    warmer.load(game)
    return think_about(game, take_far, step) if warmer.is_warm(game) else None


def perform(job: Job) -> Thought:
    """Think."""
    game = find_game(job.game)
    view, limits = read_state(job.view, game.state), job.limits
    budget = None
    if limits is not None:
        budget = Budget(limits.nodes, inf if limits.milliseconds is None else limits.milliseconds)
    match job.kind:
        case "move":
            return game.bots[job.bot](game, view, job.seat, new_random(job.luck), budget)
        case "hint":
            return advice.think(game, job.bot, view, job.seat, budget)
        case "evaluation":
            return advice.evaluate(game, job.bot, view, job.seat, budget or Budget())
