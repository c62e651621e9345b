"""What a long run has found so far lies beside its output, so that one that was cut off goes on where it was.

It goes on only with the same arguments, and what comes out is what would have come out at once.
"""

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Generic, TypeVar
from zipfile import BadZipFile

import msgspec
import numpy as np
from numpy.typing import NDArray

SUFFIX = ".part"

T = TypeVar("T")


def part_of(out: Path) -> Path:
    """Where a run keeps what it has found before its output is written."""
    return out.with_name(out.name + SUFFIX)


def check_same(path: Path, kept: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """ValueError with a sentence where something was begun with other arguments."""
    for name in dict.fromkeys((*about, *kept)):
        mine, theirs = (each.get(name) for each in (about, kept))
        if mine != theirs:
            raise ValueError(
                f"{path} is of a run that was cut off, with another {name}: {theirs}, not {mine}. "
                "Go on with the same arguments, or remove that file to begin anew."
            )


class Journal(Generic[T]):
    """Units of work, one in a line, below a line that says of what. Without a path nothing is kept."""

    def __init__(self, path: Path | None, about: Mapping[str, Any], kind: type[T]) -> None:
        """ValueError with a sentence if there is a file that was begun with other arguments."""
        self.path, self._about = path, msgspec.json.encode(about)
        self.kept: list[T] = []
        lines = [] if path is None else _whole_lines(path)
        if path is None or not lines:
            return
        # as it was written: lists for tuples
        check_same(path, _read_first(path, lines[0]), msgspec.json.decode(self._about))
        try:
            self.kept = [msgspec.json.decode(line, type=kind) for line in lines[1:]]
        except msgspec.MsgspecError:
            raise _broken(path) from None
        _write(path, lines)

    def follow(self, run: Generator[T]) -> Generator[T]:
        """What was kept, then what a run finds after that, which is noted."""
        with closing(run):
            yield from self.kept
            for unit in run:
                self._note(unit)
                yield unit

    def _note(self, unit: T) -> None:
        if self.path is None:
            return
        line = msgspec.json.encode(unit)
        if self.path.exists():
            with self.path.open("ab") as file:
                file.write(line + b"\n")
        else:
            _write(self.path, [self._about, line])

    def keep(self, number: int) -> None:
        """Only so many of those that were kept are wanted, or still whole."""
        if self.path is not None and number < len(self.kept):
            del self.kept[number:]
            _write(self.path, _whole_lines(self.path)[: number + 1])

    def end(self) -> None:
        """The output is written."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def kept_seed(path: Path | None) -> str | None:
    """The seed of a run that was cut off: who gives none goes on with it."""
    lines = _whole_lines(path) if path is not None else []
    found = _read_first(path, lines[0]).get("seed") if path is not None and lines else None
    return None if found is None else str(found)


def _read_first(path: Path, line: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.MsgspecError:
        raise _broken(path) from None


def _broken(path: Path) -> ValueError:
    return ValueError(f"{path} was not written by a run that was cut off; remove it to begin anew.")


def _whole_lines(path: Path) -> list[bytes]:
    """The last one may have been cut off while it was written. Nothing if no unit is done."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return lines if len(lines) > 1 else []


def _write(path: Path, lines: Sequence[bytes]) -> None:
    """All of it or nothing."""
    new = path.with_name(path.name + ".new")
    new.write_bytes(b"".join(line + b"\n" for line in lines))
    new.replace(path)


class Checkpoint:
    """Arrays and a few plain values at a moment of a run that goes on from there."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self.path, self.about = path, dict(about)

    def read(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]] | None:
        """What was kept; ValueError with a sentence if that was begun with other arguments."""
        if not self.path.exists():
            return None
        try:
            with np.load(self.path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            text = json.loads(arrays.pop("text").tobytes())
            about, values = text["about"], text["values"]
        except (OSError, ValueError, KeyError, TypeError, BadZipFile):
            raise _broken(self.path) from None
        check_same(self.path, about, self.about)
        return arrays, values

    def write(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        # not by msgspec: the state of random numbers has more than 64 bits
        text = json.dumps({"about": self.about, "values": values}).encode()
        new = self.path.with_name(self.path.name + ".new")
        with new.open("wb") as file:
            np.savez(file, text=np.frombuffer(text, np.uint8), **arrays)  # type: ignore[arg-type]
        new.replace(self.path)

    def end(self) -> None:
        self.path.unlink(missing_ok=True)
