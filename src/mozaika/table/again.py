"""A mistake once more: the moment of a game out of its review, and what the judge says of another move."""

import msgspec

from mozaika.game import Game
from mozaika.kernel import swift_game
from mozaika.moves import MoveError
from mozaika.reviewing.calibration import calibration_of
from mozaika.reviewing.judge import Judge
from mozaika.reviewing.weighing import compare_with
from mozaika.table.events import Occupant
from mozaika.table.exercises import AGAIN, Mistake
from mozaika.table.hall import Hall
from mozaika.table.lessons import plan_course
from mozaika.table.plan import Plan
from mozaika.table.refusals import BadWish, NotNow, NotThere
from mozaika.table.shared import SharedTable
from mozaika.thought import Thought
from mozaika.words import Words, later


async def plan_again(
    hall: Hall, shared: SharedTable, ply: int | None, learner: Occupant, address: str, words: Words
) -> Plan:
    """A table at which a marked decision of a finished game is made once more."""
    record, review = await hall.reviews.find(shared, learner.guest, address)
    if ply is None or not 0 <= ply < len(record.entries):
        raise NotThere(later("There is no such moment in this game."))
    found = next((each for each in review.decisions if each.ply == ply), None) if review else None
    if found is None or review is None:
        raise NotNow(later("This decision is still being looked at; try again in a moment."))
    if not found.mark:
        raise BadWish(later("The judge found nothing wrong with this decision."))
    game = shared.table.game
    mistake = Mistake(
        table=shared.header.id,
        ply=ply,
        seat=found.seat - 1,
        position=game.write_position(shared.table.state_at(ply)),
        played=found.move,
        best=found.best,
        loss=found.loss,
        error=found.error,
        unit=review.unit,
    )
    return plan_course(game, AGAIN + msgspec.json.encode(mistake).decode(), learner, words)


def asks_judge(shared: SharedTable) -> bool:
    """Whether the judge has to look at what is tried here."""
    exercise = shared.course.exercise() if shared.course is not None else None
    return exercise is not None and exercise.origin is not None


async def weigh_try(hall: Hall, shared: SharedTable, seat: int, text: str, address: str, lang: str) -> None:
    """Before somebody tries another move than the best: let the judge look whether it counts, too."""
    course = shared.course
    exercise = course.exercise(lang) if course is not None else None
    if course is None or exercise is None or exercise.origin is None or course.taken:
        return
    game, mistake = swift_game(shared.table.game), exercise.origin
    try:
        move = game.read(game.hide(shared.table.state, seat), seat, text, game.words(lang))
    except MoveError:
        return  # whoever takes the move will say so
    written = game.write_move(move)
    if written == mistake.best or written in course.accepted or written in course.refused:
        return
    counts = await hall.reviews.ask(address, game, is_as_good, shared.table.game, mistake, move)
    (course.accepted if counts else course.refused).add(written)


def is_as_good(game: Game, mistake: Mistake, move: int) -> bool:
    """Whether a move would not be marked beside the best one: it loses little, or nobody can be sure."""
    state, best = game.parse_position(mistake.position), Thought(game.parse_move(mistake.best))
    judge = Judge(game, calibration_of(game, int(state["seats"])).of_decisions).closer
    return not compare_with(judge, best, state, mistake.seat, [move], mistake.ply)[move].mark
