"""Copies a game of the shelf under another name, as the beginning of a new one: see CONTRIBUTING.

python tests/copy_game.py gemino mosaic MO
"""

import re
import shutil
import sys
from pathlib import Path

SHELF = Path(__file__).parent.parent / "src" / "mozaika" / "games"


def copy_game(shelf: Path, old: str, new: str, prefix: str) -> Path:
    """The folder of the copy: its names, the ids of its rules and its record type are its own."""
    if not re.fullmatch(r"[a-z][a-z_]*", new) or (shelf / new).exists():
        raise ValueError(f"{new!r} is no name for a new game.")
    if not re.fullmatch(r"[A-Z]{2}", prefix):
        raise ValueError(f"The ids of rules begin with two capitals, not {prefix!r}.")
    ids = re.findall(r"\*\*([A-Z]{2})-", (shelf / old / "words" / "rules.en.md").read_text("utf-8"))
    folder = shelf / new
    shutil.copytree(
        shelf / old, folder, ignore=shutil.ignore_patterns("__pycache__", "ratings.*", "puzzles.*")
    )
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".npz":
            text = path.read_text("utf-8")
            for name, other in (
                (old, new),
                (old.upper(), new.upper()),
                (old.title(), new.title()),
                (f"{ids[0]}-", f"{prefix}-"),
                (f"mz-{ids[0].lower()}", f"mz-{prefix.lower()}"),
            ):
                text = text.replace(name, other)
            path.write_text(text, "utf-8")
            path.rename(path.with_name(path.name.replace(old, new)))
    _mark_record(folder / "pieces.py", new)
    listed = shelf / "__init__.py"
    listed.write_text(
        re.sub(
            r"SHELF = \((.*?)\n\)",
            rf'SHELF = (\1\n    "{new}",\n)',
            listed.read_text("utf-8"),
            flags=re.DOTALL,
        ),
        "utf-8",
    )
    return folder


def _mark_record(pieces: Path, name: str) -> None:
    """Verbs know a game by the type of its record, so the copy gets a field that only it has; it stays 0."""
    text = pieces.read_text("utf-8")
    marked = re.sub(
        r'( +)\("seats", np.int8\),.*\n', rf'\g<0>\1("{name}", np.int8),  # always 0\n', text, count=1
    )
    assert marked != text
    pieces.write_text(marked, "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    print(copy_game(SHELF, *sys.argv[1:]))
