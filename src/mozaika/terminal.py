"""A game in the terminal: the board in colours, numbered choices or typed moves, undo, bots."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.columns import Columns
from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from mozaika.doors.protocol import Forfeit
from mozaika.game import Bot
from mozaika.moves import IllegalMove
from mozaika.rulebook import find_rule
from mozaika.sentence import Argument
from mozaika.state import CHANCE, WATCHER
from mozaika.table import Table
from mozaika.table.advice import advise
from mozaika.table.levels import adviser, short_name
from mozaika.words import say_error

PERSON = "me"
"""What a seat is called that no bot plays."""

FEW = 24
"""So many moves are listed one by one."""


class Terminal:
    """Plays a table with whoever sits at the keyboard."""

    def __init__(
        self, table: Table, players: "Sequence[str | Bot]", console: Console, keep: Path | None = None
    ) -> None:
        """Seats are people or bots, as `players` says; the record is kept in a file if one is named."""
        self.table = table
        self.players = players
        self.console = console
        self.keep = keep
        self.saved: set[Path] = set()
        self.told = 0
        self.people = [seat for seat, player in enumerate(players) if player == PERSON]
        self.at_screen = WATCHER
        """The person who has looked at the screen last."""
        self.say = table.words.say

    def run(self) -> None:
        """Play until the game is over or the player leaves."""
        self.console.print(self._help(), style="dim")
        try:
            while not self.table.is_over and self._take_turn():
                pass
            self._show(self.at_screen)
        finally:
            self._save(self.keep)
        if self.table.is_over:
            self.console.print(self._result())

    def _take_turn(self) -> bool:
        """Whoever is to move moves; False to leave."""
        seat = self.table.movers[0]
        try:
            if seat != CHANCE and self.players[seat] != PERSON:
                self._play_bot(seat)
                return True
            self._show(seat)
            return self._ask(seat)
        except (EOFError, KeyboardInterrupt):
            return False
        except Forfeit as fault:
            name = self.table.names[seat]
            lines = (fault.about(name, self.table.words), self.say("{name} has lost the game.", name=name))
            self.console.print(escape(" ".join(lines)), style="red", highlight=False)
            return False

    def _play_bot(self, seat: int) -> None:
        with self.console.status(escape(self.say("{name} is thinking …", name=self.table.names[seat]))):
            move = self.table.ask(self.players[seat], seat)
        self.table.play(move, seat)

    def _show(self, seat: int) -> None:
        """The board as a seat sees it, and what happened since it was last shown."""
        viewer = self.people[0] if len(self.people) == 1 else seat if seat in self.people else WATCHER
        self._change_places(viewer)
        for ply in range(self.told, self.table.ply):
            for sentence in self.table.tell(ply, viewer if len(self.people) == 1 else WATCHER):
                self.console.print(escape(self.table.line(sentence)), style="italic", highlight=False)
        self.told = self.table.ply
        self.console.print()
        self.console.print(self.table.sketch(viewer), highlight=False)
        self.console.print()

    def _change_places(self, viewer: int) -> None:
        """Where people on one screen have secrets, the next one sits down before anything is shown."""
        last, self.at_screen = self.at_screen, viewer
        if viewer in (last, WATCHER) or last == WATCHER or self.table.is_over:
            return
        views = [self.table.game.hide(self.table.state, seat).tobytes() for seat in (last, viewer)]
        if views[0] != views[1]:
            self.console.clear()
            name = escape(self.table.names[viewer])
            self.console.input(self.say("{name}, press Enter when nobody else looks.", name=name) + " ")

    def _ask(self, seat: int) -> bool:
        """One answer of the player; False to leave."""
        answer = self._choose(self.table.legal_moves(seat), seat)
        word, _, rest = answer.partition(" ")
        try:
            if command := self._commands().get(word.lower()):
                return command(rest.strip())
            if seat == CHANCE:
                self.table.draw(answer)
            else:
                self.table.play(answer, seat)
        except (ValueError, OSError) as error:
            rule = f" ({error.rule})" if isinstance(error, IllegalMove) and error.rule else ""
            said = say_error(error, self.table.words)
            self.console.print(f"[red]{escape(said + rule)}[/]")
        return True

    def _choose(self, moves: list[str], seat: int) -> str:
        """A move by its number or as it was typed. Of many moves the last word is chosen in a second step."""
        if len(moves) > FEW:
            groups: dict[str, list[str]] = {}
            for move in moves:
                groups.setdefault(move.rpartition(" ")[0], []).append(move)
            choices = {f"{words} …" if len(group) > 1 else group[0]: group for words, group in groups.items()}
            answer = self._prompt(list(choices), seat)
            moves = choices.get(answer, [answer])
            if len(moves) == 1:
                return moves[0]
        return self._prompt(moves, seat)

    def _prompt(self, choices: list[str], seat: int) -> str:
        numbered = (f"[dim]{number:3}[/] {escape(choice)}" for number, choice in enumerate(choices, 1))
        self.console.print(Columns(numbered, padding=(0, 2), column_first=True))
        who = self.say("draw") if seat == CHANCE else self.table.names[seat]
        answer = self.console.input(f"[bold]{escape(who)}>[/] ").strip()
        if re.fullmatch(r"[0-9]{1,4}", answer) and 1 <= int(answer) <= len(choices):
            return choices[int(answer) - 1]
        return answer

    def _commands(self) -> dict[str, Callable[[str], bool]]:
        return {
            "": lambda _: True,
            "?": self._print_help,
            "help": self._print_help,
            "undo": self._undo,
            "hint": self._hint,
            "rules": self._rules,
            "save": self._save_as,
            "quit": lambda _: False,
        }

    def _print_help(self, _: str) -> bool:
        self.console.print(self._help())
        return True

    def _help(self) -> str:
        return self.say(
            "Type the number of a move or the move itself, also shortened. Other words: "
            "undo, hint, rules (or rules with an id), save (with a file name), help, quit."
        )

    def _undo(self, _: str) -> bool:
        """Back to the last moment at which a person was to move."""
        trial = self.table.copy()
        undone = trial.undo()
        while not any(seat == CHANCE or self.players[seat] == PERSON for seat in trial.movers):
            undone = trial.undo()
        self.table = trial
        self.told = min(self.told, self.table.ply)
        self.console.print(self.say("Taken back: {move}", move=undone))
        return True

    def _hint(self, _: str) -> bool:
        """What the adviser would play, what that does, and what it expects."""
        table, seat = self.table, self.table.movers[0]
        if seat == CHANCE:
            return True
        bot = adviser(table.game)
        with self.console.status(escape(self.say("{name} is thinking …", name=short_name(bot, table.words)))):
            thought = table.think(bot, seat)
        view, names = table.game.hide(table.state, seat), tuple(table.names)
        advice = advise(table.game, view, seat, thought, names, table.words)
        follows = [self.say("Then perhaps:"), *map(table.line, advice.follows)] if advice.follows else []
        lines = [f"{advice.headline} ({advice.move})", *_listed(advice.arguments), advice.expects]
        if other := advice.other:
            lines += [self.say("Next best:"), f"{other.headline} ({other.move})"]
            lines += [*_listed(other.arguments), other.compared]
        lines += follows
        for line in filter(None, lines):
            self.console.print(escape(line), highlight=False)
        return True

    def _rules(self, rule: str) -> bool:
        self.console.print(find_rule(self.table.game.rulebook(self.table.words.lang), rule), markup=False)
        return True

    def _save_as(self, name: str) -> bool:
        path = Path(name or f"{self.table.game.id}.txt")
        if path.exists() and path not in self.saved:
            raise ValueError(self.say("There is a file {path} already; choose another name.", path=path))
        return self._save(path)

    def _save(self, path: Path | None) -> bool:
        if path is not None:
            path.write_text(self.table.record(reveal=True).write(), "utf-8")
            self.saved.add(path)
            self.console.print(escape(self.say("The game is kept in {path}", path=path)))
        return True

    def _result(self) -> Grid:
        grid = Grid(title=self.say("Result"))
        grid.add_column()
        for name in self.table.names:
            grid.add_column(escape(name), justify="right")
        for source, numbers in self.table.tally.items():
            grid.add_row(source, *map(str, numbers))
        grid.add_section()
        grid.add_row(self.say("points"), *map(str, self.table.scores), style="bold")
        grid.add_row(self.say("place"), *map(str, self.table.ranks), style="bold")
        return grid


def _listed(arguments: Sequence[Argument]) -> list[str]:
    return [f"  · {argument.text}" for argument in arguments]
