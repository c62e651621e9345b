"""Lessons: a first game as text, step by step. A step says something, points somewhere and waits for a move.

A file has one lesson behind each heading `## id: title` and one step behind each `### id`. A step is a
paragraph for the learner, who sits on seat 1, and a list of what belongs to it:

- `position`: where the step begins, if it does not go on from the one before;
- `play`: moves of others and draws that come first, such as `2: F3 red >2` or `chance: blue, red`;
- `point`: the spots to point at, with `*` for any letters, commas between them;
- `move`: which moves are meant, as a pattern over their texts; a step without one is only read;
- `else`: what to say of other moves, `else (PATTERN)` of some of them;
- `draw`: what is drawn after the move; `then`: what to say after it.
"""

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

_LESSON = re.compile(r"## ([a-z]+): (\S.*)")
_STEP = re.compile(r"### ([a-z]+)")
_FACT = re.compile(r"- (position|play|point|move|draw|then|else)(?: \(([^)]+)\))?: (\S.*)")


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a lesson."""

    id: str
    text: str
    position: str = ""
    plays: tuple[tuple[str, str], ...] = ()
    """Who plays before the learner, a seat counted from 1 or `chance`, and what."""
    points: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()
    """For patterns of moves that are not meant what to say; `*`, which fits all of them, comes last."""
    then: str = ""

    def means(self, move: str) -> bool:
        """Whether a move is meant here."""
        return any(fnmatchcase(move, pattern) for pattern in self.moves)

    def answer(self, move: str) -> str:
        """What to say of a move that is not meant."""
        return next((said for pattern, said in self.others if fnmatchcase(move, pattern)), self.text)

    def skeleton(self) -> tuple[Any, ...]:
        """All that is the same in every language."""
        patterns = tuple(pattern for pattern, _ in self.others)
        return (
            self.id,
            self.position,
            self.plays,
            self.points,
            self.moves,
            self.draws,
            patterns,
            bool(self.then),
        )


class Lesson(msgspec.Struct, frozen=True):
    """What is learnt at one sitting."""

    id: str
    title: str
    steps: tuple[Step, ...]
    seat: int = 0
    """Where whoever learns sits."""


def find_lessons(folder: Path | None, lang: str) -> tuple[Lesson, ...]:
    """The lessons in the folder of a game, in English where nobody has translated them; perhaps none."""
    for name in (f"lessons.{lang}.md", "lessons.en.md") if folder is not None else ():
        if (book := folder / "words" / name).exists():  # type: ignore[operator]
            return _read_file(book, book.stat().st_mtime_ns)
    return ()


@lru_cache(maxsize=64)
def _read_file(book: Path, _: int) -> tuple[Lesson, ...]:
    return read_lessons(book.read_text("utf-8"))


def read_lessons(text: str) -> tuple[Lesson, ...]:
    """The lessons of a text; ValueError with its line where something else stands there."""
    lessons: list[tuple[str, str, list[Step]]] = []
    for heading, body in _sections(text):
        if found := _LESSON.fullmatch(heading):
            lessons.append((found[1], found[2], []))
        elif (found := _STEP.fullmatch(heading)) and lessons:
            lessons[-1][2].append(_read_step(found[1], body))
        elif not heading.startswith("# ") or lessons:
            raise ValueError(f"This is neither a lesson nor a step of one: “{heading}”.")
    return tuple(Lesson(name, title, tuple(steps)) for name, title, steps in lessons)


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each heading with what stands below it: paragraphs and list items, each as one line."""
    heading, body, gap = "", list[str](), True
    for line in text.splitlines():
        if line.startswith("#"):
            if heading:
                yield heading, body
            heading, body, gap = line.strip(), [], True
        elif not line.strip():
            gap = True
        elif gap or line.startswith("- "):
            body.append(line.strip())
            gap = False
        else:
            body[-1] += f" {line.strip()}"
    yield heading, body


def _read_step(name: str, body: Iterable[str]) -> Step:
    said, facts = list[str](), dict[str, list[str]]()
    others = list[tuple[str, str]]()
    for line in body:
        if not line.startswith("- "):
            said.append(line)
        elif (found := _FACT.fullmatch(line)) and (found[1] == "else" or not found[2]):
            if found[1] == "else":
                others.append((found[2] or "*", found[3]))
            else:
                facts.setdefault(found[1], []).append(found[3])
        else:
            raise ValueError(f"This says nothing of the step “{name}”: “{line}”.")
    plays = [_read_play(name, play) for play in facts.get("play", ())]
    return Step(
        id=name,
        text=" ".join(said),
        position=" ".join(facts.get("position", ())),
        plays=tuple((who, part) for who, played in plays for part in played),
        points=_split(facts.get("point", ())),
        moves=tuple(facts.get("move", ())),
        draws=_split(facts.get("draw", ())),
        others=tuple(sorted(others, key=lambda other: other[0] == "*")),
        then=" ".join(facts.get("then", ())),
    )


def _read_play(step: str, play: str) -> tuple[str, tuple[str, ...]]:
    found = re.fullmatch(r"(chance|[2-9]): (\S.*)", play)
    if not found:
        raise ValueError(f"In the step “{step}” nobody plays so: “{play}”.")
    return found[1], _split((found[2],)) if found[1] == "chance" else (found[2],)


def _split(lists: Iterable[str]) -> tuple[str, ...]:
    return tuple(part.strip() for each in lists for part in each.split(","))
