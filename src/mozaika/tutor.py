"""A lesson in the terminal: the same steps as at the table in the browser."""

from itertools import takewhile

from rich.console import Console
from rich.markup import escape

from mozaika.game import Game
from mozaika.lesson import Lesson, Step
from mozaika.moves import IllegalMove
from mozaika.rulebook import find_rule
from mozaika.table import Table
from mozaika.table.teaching import NotMeant, meant_moves, set_out, take, walk_lesson


class Tutor:
    """Teaches whoever sits at the keyboard."""

    def __init__(self, game: Game, lesson: Lesson, console: Console, lang: str) -> None:
        self.game, self.lesson, self.console, self.lang = game, lesson, console, lang
        self.say = game.words(lang).say

    def run(self, first: int = 1) -> bool:
        """The steps from one on, counted from 1; whether the learner has come to the end."""
        table: Table | None = None
        for number, step in enumerate(self.lesson.steps, 1):
            if number < first:
                continue
            table = self._set_out(number, step, table)
            self.show(number, step, table)
            self._show_writing(step, table)
            if not self.wait(step, table):
                sentence = self.say("Go on later with: {command}", command=self._command(number))
                self.console.print(escape(sentence), highlight=False, soft_wrap=True)
                return False
        self.console.print(self.say("You have finished this lesson."), style="bold")
        self._name_others()
        return True

    def _name_others(self) -> None:
        for other in self.game.lessons(self.lang):
            if other.id != self.lesson.id:
                command = f"mozaika learn {self.game.id} {other.id}"
                sentence = self.say("There is also “{title}”: {command}", title=other.title, command=command)
                self.console.print(escape(sentence), highlight=False, soft_wrap=True)

    def _command(self, number: int) -> str:
        return f"mozaika learn {self.game.id} {self.lesson.id} --step {number}"

    def _set_out(self, number: int, step: Step, table: Table | None) -> Table:
        if table is not None or step.position:
            return set_out(step, table, self.lang)
        begun = walk_lesson(self.game, self.lesson)[number - 1].begun  # somebody goes on in the middle
        return Table.from_position(begun.position(), draws="told", lang=self.lang)

    def walk(self) -> None:
        """Everything that a learner sees who always does what is meant, and what is said of other moves."""
        table: Table | None = None
        for number, (step, _, move, _) in enumerate(walk_lesson(self.game, self.lesson), 1):
            table = set_out(step, table, self.lang)
            self.show(number, step, table)
            self._show_writing(step, table)
            for pattern, said in step.others if move else ():
                self.console.print(f"[dim]{escape(pattern)}:[/] {escape(said)}", highlight=False)
            if move:
                self.console.print(f"[bold]> {escape(move)}[/]", highlight=False)
                self._take(step, table, move)
        self._name_others()

    def show(self, number: int, step: Step, table: Table) -> None:
        """What a learner sees when a step begins."""
        heading = f"{self.lesson.title} · {number}/{len(self.lesson.steps)}"
        self.console.rule(escape(heading), align="left")
        self._tell(table, table.ply - len(step.plays))
        self.console.print()
        self.console.print(table.sketch(self.lesson.seat), highlight=False)
        self.console.print()
        self.console.print(escape(step.text), style="bold", highlight=False)

    def _show_writing(self, step: Step, table: Table) -> None:
        """How moves are written here: one that looks like what is meant; if none does, what is meant."""
        if not (meant := meant_moves(step, table)):
            return
        moves = table.legal_moves(self.lesson.seat)
        kind = meant[0].split()[0]
        others = [move for move in moves if not step.means(move) and move.split()[0] == kind]
        shown = max(
            others or meant, key=lambda move: (_alike(move, meant[0]), -abs(len(move) - len(meant[0])))
        )
        sentence = self.say("Type a move like this: {move}", move=shown)
        self.console.print(escape(sentence), style="dim", highlight=False)

    def _tell(self, table: Table, since: int) -> None:
        for ply in range(max(0, since), table.ply):
            for sentence in table.tell(ply, self.lesson.seat):
                self.console.print(escape(table.line(sentence)), style="italic", highlight=False)

    def _take(self, step: Step, table: Table, text: str) -> None:
        """Play a move; say what it does, and what the lesson says then."""
        seen = table.ply
        take(step, table, text, self.lesson.seat)
        self._tell(table, seen)
        if step.then:
            self.console.print(escape(step.then), style="green", highlight=False)

    def wait(self, step: Step, table: Table, solution: str = "") -> bool:
        """Until the learner has done what is meant, or wants the solution shown; False to leave."""
        while True:
            try:
                asked = self.say("Your move") if step.moves else self.say("Press Enter to go on")
                answer = self.console.input(f"[bold]{escape(asked)}>[/] ").strip()
            except (EOFError, KeyboardInterrupt):
                return False
            if answer.lower() == "quit":
                return False
            answer = solution if solution and answer.lower() == "show" else answer
            try:
                if answer.lower().partition(" ")[0] == "rules":
                    book = self.game.rulebook(self.lang)
                    self.console.print(find_rule(book, answer[5:].strip()), markup=False)
                elif not step.moves:
                    return True
                elif answer:
                    self._take(step, table, answer)
                    return True
            except NotMeant as other:
                self.console.print(escape(str(other)), style="yellow", highlight=False)
            except ValueError as error:
                rule = f" ({error.rule})" if isinstance(error, IllegalMove) and error.rule else ""
                self.console.print(f"[red]{escape(str(error) + rule)}[/]")


def _alike(one: str, other: str) -> int:
    """How many letters two texts begin with together."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
