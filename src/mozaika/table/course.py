"""Where a lesson stands at a shared table, and what it says of the moves there."""

from mozaika.games import find_game
from mozaika.lesson import Lesson, Step
from mozaika.store import Header
from mozaika.table.exercises import Exercise, find_exercise
from mozaika.table.table import Table
from mozaika.table.teaching import LEARNER, NotMeant, find_lesson


class Course:
    """A lesson that is being taken: which step, counted from 0, and whether it is done."""

    def __init__(self, header: Header) -> None:
        self.game, self.name = find_game(header.game), header.lesson
        self.at, self.taken = 0, False
        self.accepted: set[str] = set()
        """Moves that the judge has found to be as good as what is meant."""
        self.refused: set[str] = set()

    def lesson(self, lang: str = "en") -> Lesson | None:
        """In a language; None if there is no such lesson any more."""
        return find_lesson(self.game, self.name, lang)

    @property
    def seat(self) -> int:
        """Where the learner sits."""
        lesson = self.lesson()
        return lesson.seat if lesson is not None else LEARNER

    def exercise(self, lang: str = "en") -> Exercise | None:
        """What is to be found here, if it is a puzzle or a mistake."""
        return find_exercise(self.game, self.name, lang)

    def step(self, lang: str = "en") -> Step | None:
        """Where the learner is; None if the lesson has changed since and has no such step."""
        lesson = self.lesson(lang)
        return lesson.steps[self.at] if lesson is not None and self.at < len(lesson.steps) else None

    def is_done(self) -> bool:
        """Whether the learner may go on to the next step."""
        step = self.step()
        return self.taken or step is None or not step.moves

    def go_to(self, text: str) -> Table | None:
        """To a step of the log, such as `3` or `3 POSITION`: then the table is a new one."""
        number, _, position = text.partition(" ")
        self.at, self.taken = int(number), False
        return Table.from_position(position, draws="told", drawing=False) if position else None

    def answer(self, trial: Table, move: str, lang: str) -> None:
        """At a table where the learner has moved: draw what is drawn then; NotMeant if that was not meant."""
        step = self.step(lang)
        if step is None or self.is_done():
            raise NotMeant(trial.game.words(lang).say("Go on with the next step of the lesson."))
        if not step.means(move) and move not in self.accepted:
            raise NotMeant(step.answer(move))
        for drawn in step.draws:
            trial.draw(drawn)
