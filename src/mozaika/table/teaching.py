"""How a lesson is played over the rules: where each step begins, what is meant there, and how it ends."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from mozaika.game import Game
from mozaika.lesson import Lesson, Step
from mozaika.moves import MoveError
from mozaika.table.exercises import find_exercise
from mozaika.table.table import Table

LEARNER = 0
"""The seat of whoever learns."""


class NotMeant(MoveError):
    """A legal move that a lesson does not mean here; its message says what the lesson says of it."""


class Moment(NamedTuple):
    """A step: the table when it begins, the first move that is meant, the table when it is done."""

    step: Step
    begun: Table
    move: str
    ended: Table


def set_out(step: Step, table: Table | None, lang: str = "en") -> Table:
    """The table at which a step begins: in its own position or at the table of the step before."""
    if step.position:
        table = Table.from_position(step.position, draws="told", lang=lang)
    if table is None:
        raise ValueError(f"The step “{step.id}” has nothing to begin with.")
    for who, played in step.plays:
        if who == "chance":
            table.draw(played)
        else:
            table.play(played, int(who) - 1)
    return table


def take(step: Step, table: Table, text: str, seat: int = LEARNER) -> str:
    """Play what the learner wants, and draw what is drawn then; NotMeant if the step wants something else."""
    seen = table.ply
    move = table.play(text, seat)
    if not step.means(move):
        table.back_to(seen)
        raise NotMeant(step.answer(move))
    for drawn in step.draws:
        table.draw(drawn)
    return move


def meant_moves(step: Step, table: Table) -> list[str]:
    """The legal moves that a step means."""
    return [move for move in table.legal_moves(LEARNER) if step.means(move)] if step.moves else []


@lru_cache(maxsize=32)
def walk_lesson(game: Game, lesson: Lesson) -> tuple[Moment, ...]:
    """A whole lesson, always with the first move that is meant."""
    return tuple(_walk(lesson))


def _walk(lesson: Lesson) -> Iterator[Moment]:
    table: Table | None = None
    for step in lesson.steps:
        table = set_out(step, table)
        begun, move = table.copy(), ""
        if step.moves:
            meant = meant_moves(step, table)
            if not meant:
                raise ValueError(f"No move is meant in the step “{step.id}”.")
            move = take(step, table, meant[0])
        yield Moment(step, begun, move, table.copy())


def options_after(game: Game, lesson: Lesson) -> dict[str, str]:
    """With what one goes on to play after a lesson: the kind of game that its last position shows."""
    last = next(step.position for step in reversed(lesson.steps) if step.position)
    return game.write_options(game.read_options(game.options_of(game.parse_position(last))))


def find_lesson(game: Game, name: str, lang: str = "en") -> Lesson | None:
    """A lesson of a game by its id, the first one if none is named; None if there is no such lesson.

    Puzzles and mistakes are lessons of one step, too.
    """
    if exercise := find_exercise(game, name, lang):
        return exercise.lesson
    lessons = game.lessons(lang)
    return next((lesson for lesson in lessons if name in ("", lesson.id)), None)
