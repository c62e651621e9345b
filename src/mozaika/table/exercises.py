"""Exercises: a puzzle, or a mistake out of a game of one's own, as a lesson of one step."""

from collections.abc import Sequence
from functools import lru_cache
from glob import escape
from math import ceil
from typing import Literal, NamedTuple

import msgspec

from mozaika.game import Game
from mozaika.kernel import swift_game
from mozaika.lesson import Lesson, Step
from mozaika.reviewing.puzzles import Puzzle, find_puzzles
from mozaika.sentence import Argument
from mozaika.state import CHANCE
from mozaika.words import Words, later

PUZZLE, AGAIN = "puzzle ", "again "
"""With these the name of an exercise begins; behind them stands the id of a puzzle, or a whole Mistake."""


class Mistake(msgspec.Struct, frozen=True):
    """A decision of a review that can be made once more."""

    table: str
    ply: int
    seat: int
    """Counted from 0."""
    position: str
    played: str
    best: str
    loss: float
    error: float
    unit: str
    """`share` of the victory, or `points` in a game alone."""


class Exercise(NamedTuple):
    """One step, and what is known of it."""

    kind: Literal["puzzle", "again"]
    key: str
    lesson: Lesson
    best: Sequence[str]
    margin: float
    error: float
    unit: str
    difficulty: int = 0
    following: str = ""
    origin: Mistake | None = None


class Explained(NamedTuple):
    """What is said of a move that solves an exercise."""

    said: str
    headline: str
    arguments: list[Argument]


@lru_cache(maxsize=256)
def find_exercise(game: Game, name: str, lang: str = "en") -> Exercise | None:
    """The exercise of a name in a language; None if it is another lesson, or there is none such any more."""
    words = game.words(lang)
    if name.startswith(PUZZLE):
        return _find_puzzle(game, name.removeprefix(PUZZLE), words)
    if name.startswith(AGAIN):
        return _set_again(game, msgspec.json.decode(name.removeprefix(AGAIN), type=Mistake), words)
    return None


def _find_puzzle(game: Game, name: str, words: Words) -> Exercise | None:
    puzzles = find_puzzles(game)
    at = next((at for at, puzzle in enumerate(puzzles) if puzzle.id == name), None)
    return None if at is None else _set_puzzle(game, puzzles, at, words)


def _set_puzzle(game: Game, puzzles: Sequence[Puzzle], at: int, words: Words) -> Exercise:
    puzzle, after = puzzles[at], puzzles[(at + 1) % len(puzzles)]
    task = words.say("One move is clearly the best here. Find it.")
    return Exercise(
        "puzzle",
        f"{game.id}/{puzzle.id}",
        _one_step(
            words.say("Puzzle {n}", n=at + 1), task, puzzle.position, puzzle.best, puzzle.seat - 1, words
        ),
        puzzle.best,
        puzzle.margin,
        puzzle.error,
        puzzle.unit,
        puzzle.difficulty,
        f"{PUZZLE}{after.id}",
    )


def _set_again(game: Game, mistake: Mistake, words: Words) -> Exercise:
    state, move = game.parse_position(mistake.position), game.parse_move(mistake.played)
    told = swift_game(game).tell(state, mistake.seat, move, CHANCE, words)
    task = words.say(
        "In the game: {move} That lost {worth}. Find something better.",
        move=told[0].text if told else f"{mistake.played}.",
        worth=tell_worth(mistake.loss, mistake.unit, words),
    )
    return Exercise(
        "again",
        f"{mistake.table}/{mistake.ply}",
        _one_step(words.say("Try again"), task, mistake.position, (mistake.best,), mistake.seat, words),
        (mistake.best,),
        mistake.loss,
        mistake.error,
        mistake.unit,
        origin=mistake,
    )


def _one_step(title: str, task: str, position: str, best: Sequence[str], seat: int, words: Words) -> Lesson:
    better = words.say("There is better. Try again, or have it shown.")
    meant = tuple(map(escape, best))
    step = Step(id="find", text=task, position=position, moves=meant, others=(("*", better),))
    return Lesson("exercise", title, (step,), seat)


def tell_worth(amount: float, unit: str, words: Words) -> str:
    """How much something is worth, in the unit of a judgement."""
    if unit == "points":
        return words.say("{points} points", points=words.decimal(amount))
    return words.say("{share}% of the victory", share=words.decimal(100 * amount, 0))


_RIGHT = {
    "puzzle": later("It brings {worth} more than any other move (±{error})."),
    "again": later("It brings {worth} more than what you played then (±{error})."),
}


def explain(game: Game, exercise: Exercise, move: int, names: tuple[str, ...], lang: str) -> Explained:
    """Why a move solves an exercise: by how much it is better, and what it gains, denies and risks."""
    words, fast = game.words(lang), swift_game(game)
    lesson = exercise.lesson
    view = fast.hide(game.parse_position(lesson.steps[0].position), lesson.seat)
    headline, arguments = fast.suggest(view, lesson.seat, move, names, words)
    said = words.say(_RIGHT[exercise.kind], **_worths(exercise, words))
    if game.write_move(move) not in exercise.best:
        said = words.say("The judge sees no real difference to the best move.")
    return Explained(f"{headline} {said}", headline, arguments)


def _worths(exercise: Exercise, words: Words) -> dict[str, str]:
    """By how much, and how sure that is: rounded up, because nothing that is estimated is sure."""
    error = 2 * exercise.error
    apart = (
        words.decimal(max(1, ceil(10 * error)) / 10)
        if exercise.unit == "points"
        else words.say("{share}%", share=max(1, ceil(100 * error)))
    )
    return {"worth": tell_worth(exercise.margin, exercise.unit, words), "error": apart}
