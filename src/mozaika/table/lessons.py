"""Lessons at shared tables: open one, and go from step to step."""

from typing import Literal

import msgspec

from mozaika.game import Game
from mozaika.lesson import Lesson, Step
from mozaika.sentence import Argument
from mozaika.state import CHANCE
from mozaika.store import Event
from mozaika.table.course import Course
from mozaika.table.events import DRAW, MOVE, STEP, Occupant
from mozaika.table.exercises import AGAIN, Exercise, Explained, explain
from mozaika.table.plan import Plan
from mozaika.table.refusals import NotAllowed, NotNow, NotThere
from mozaika.table.seating import seat_bot
from mozaika.table.shared import SharedTable
from mozaika.table.table import Table
from mozaika.table.teaching import LEARNER, find_lesson, options_after, set_out, walk_lesson
from mozaika.words import Words, later


def plan_lesson(game: Game, name: str, learner: Occupant, words: Words) -> Plan:
    """A table for a lesson or a puzzle: the learner, and bots that play what the lesson says."""
    if name.startswith(AGAIN):  # only a review says what a mistake was
        raise NotThere(later("There is no such lesson."))
    return plan_course(game, name, learner, words)


def plan_course(game: Game, name: str, learner: Occupant, words: Words) -> Plan:
    """The same also for a mistake."""
    lesson = find_lesson(game, name) if name else None
    if lesson is None:
        raise NotThere(later("There is no such lesson."))
    positions = [game.parse_position(step.position) for step in lesson.steps if step.position]
    seats: list[Occupant] = []
    for seat in range(max(int(each["seats"]) for each in positions)):
        bot = next(iter(game.levels or game.bots))
        seats.append(learner if seat == lesson.seat else seat_bot(game, bot, [learner, *seats], words))
    return Plan(
        game,
        game.read_options(game.options_of(positions[0])),
        seats,
        learner.guest,
        position=game.write_position(positions[0]),
        hints=False,
        lesson=name,
        begins=tuple(begin(lesson.steps[0], 0, None, len(seats))),
    )


def begin(step: Step, at: int, table: Table | None, seq: int, command: str | None = None) -> list[Event]:
    """What happens when a step begins, after a seq; without a table it needs a position of its own."""
    position = step.position and Table.from_position(step.position, draws="told").position()
    events = [Event(seq + 1, LEARNER, STEP, f"{at} {position}".strip(), command)]
    before = 0 if step.position or table is None else table.ply
    played = set_out(step, table.copy() if table is not None else None)
    for number, (seat, move) in enumerate(played.entries[before:], seq + 2):
        kind = DRAW if seat == CHANCE else MOVE
        events.append(Event(number, seat, kind, played.game.write_move(move)))
    return events


async def go_to_step(shared: SharedTable, guest: str, number: int, seq: int, command: str) -> int:
    """To a step, counted from 1: the next one if this one is done, this one or any before it once more."""

    def make() -> list[Event]:
        course = shared.course
        lesson = course.lesson() if course is not None else None
        if course is None or lesson is None or not 1 <= number <= len(lesson.steps):
            raise NotThere(later("There is no such step."))
        if course.seat not in shared.seats_of(guest):
            raise NotAllowed(later("You do not sit on this seat."))
        at = number - 1
        if at > course.at + (1 if course.is_done() else 0):
            raise NotNow(later("First do what this step is about."))
        if at > course.at:
            return begin(lesson.steps[at], at, shared.table, seq, command)
        return [Event(seq + 1, LEARNER, STEP, f"{at} {_position(shared, lesson, at)}", command)]

    return (await shared.perform(seq, command, make))[0]


def _position(shared: SharedTable, lesson: Lesson, at: int) -> str:
    """Where a step begins for somebody who always did what is meant first."""
    return walk_lesson(shared.table.game, lesson)[at].begun.position()


class LessonView(msgspec.Struct):
    """A lesson as its learner sees it: where it stands, what it says, and what it points at."""

    id: str
    title: str
    step: int
    """Counted from 1."""
    steps: int
    text: str
    points: list[str]
    """Patterns of spots."""
    done: bool
    said: str
    """What the lesson says after the move; empty before it."""
    following: str
    """The id of the next lesson or puzzle of this game; empty after the last one."""
    options: dict[str, str] = {}
    """Of a lesson: the options of the game that one goes on to play."""
    kind: Literal["lesson", "puzzle", "again"] = "lesson"
    """`again`: a mistake out of a game of one's own."""
    key: str = ""
    """What the browser remembers a puzzle or a mistake by."""
    difficulty: int = 0
    """Of a puzzle, from 1 to 5."""
    arguments: list[Argument] = []
    """What speaks for the move that was found."""


def show_lesson(shared: SharedTable, lang: str) -> LessonView | None:
    """The lesson of a table in a language; None where nothing is taught."""
    course = shared.course
    if course is None:
        return None
    lesson, step = course.lesson(lang), course.step(lang)
    if lesson is None or step is None:
        return None
    if exercise := course.exercise(lang):
        return _show_exercise(shared, exercise, course, step, lang)
    names = [each.id for each in shared.table.game.lessons(lang)]
    return LessonView(
        id=lesson.id,
        title=lesson.title,
        step=course.at + 1,
        steps=len(lesson.steps),
        text=step.text,
        points=[] if course.taken else list(step.points),
        done=course.is_done(),
        said=step.then if course.taken else "",
        following="".join(names[names.index(lesson.id) + 1 :][:1]),
        options=options_after(shared.table.game, lesson),
    )


def _show_exercise(
    shared: SharedTable, exercise: Exercise, course: Course, step: Step, lang: str
) -> LessonView:
    """A puzzle or a mistake: the same card, with what speaks for the move once it is found."""
    entries = shared.table.entries
    found = _explain(shared, exercise, entries[0].move, lang) if course.taken and entries else None
    return LessonView(
        id=exercise.key,
        title=exercise.lesson.title,
        step=1,
        steps=1,
        text=step.text,
        points=[],
        done=course.is_done(),
        said=found.said if found else "",
        following=exercise.following,
        kind=exercise.kind,
        key=exercise.key,
        difficulty=exercise.difficulty,
        arguments=found.arguments if found else [],
    )


def _explain(shared: SharedTable, exercise: Exercise, move: int, lang: str) -> Explained:
    """Others are called there as they are on the board beside it."""
    game = shared.table.game
    return explain(game, exercise, move, shared.names(game.words(lang)), lang)


class Solution(msgspec.Struct):
    """What was to be found."""

    move: str
    headline: str
    arguments: list[Argument]


def show_solution(shared: SharedTable, guest: str, lang: str) -> Solution:
    """The move that a puzzle means, for whoever sits there and gives up looking."""
    course = shared.course
    exercise = course.exercise(lang) if course is not None else None
    if course is None or exercise is None:
        raise NotThere(later("There is nothing to solve at this table."))
    if course.seat not in shared.seats_of(guest):
        raise NotAllowed(later("You do not sit on this seat."))
    best = exercise.best[0]
    found = _explain(shared, exercise, course.game.parse_move(best), lang)
    return Solution(best, found.headline, found.arguments)
