"""A position as text: `round 3; turn 1; score 12 / 9`. Games say what their fields are; this page reads them.

Fields stand in any order, with `;` or a new line between them; the first names the game.
"""

import re
from collections.abc import Iterable


class Fields:
    """The fields of a position; whatever is missing or wrong is a ValueError with a sentence."""

    def __init__(self, text: str, game: str, known: tuple[str, ...]) -> None:
        self.values: dict[str, str] = {}
        for part in re.split(r"[;\n]", text):
            if part.strip():
                key, _, value = part.strip().partition(" ")
                if key in self.values:
                    raise ValueError(f"The position gives “{key}” twice.")
                self.values[key] = value.strip()
        if unknown := [key for key in self.values if key not in known]:
            raise ValueError(f"A position of {game} has no field “{unknown[0]}”; it has {', '.join(known)}.")

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def text(self, key: str) -> str:
        if not self.values.get(key):
            raise ValueError(f"The position lacks the field “{key}”.")
        return self.values[key]

    def choice(self, key: str, choices: tuple[str, ...]) -> int:
        """Which of the choices it is."""
        value = self.text(key)
        if value not in choices:
            raise ValueError(f"“{key}” is one of {', '.join(choices)}, not “{value}”.")
        return choices.index(value)

    def number(self, key: str, allowed: range) -> int:
        return read_number(key, self.text(key), allowed)

    def per_seat(self, key: str, seats: int) -> list[str]:
        values = [value.strip() for value in self.text(key).split("/")]
        if len(values) != seats:
            raise ValueError(f"“{key}” needs {seats} values with / between them, not {len(values)}.")
        return values


def read_number(key: str, value: str, allowed: range) -> int:
    """A number of a field that has several."""
    if not re.fullmatch(r"-?[0-9]{1,4}", value) or int(value) not in allowed:
        raise ValueError(f"“{key}” is a number from {allowed[0]} to {allowed[-1]}, not “{value}”.")
    return int(value)


def read_counts(key: str, value: str, letters: str, most: int) -> list[int]:
    """How many there are of each letter: “B12 Y9”, or - for none at all."""
    counts = [0] * len(letters)
    for part in value.split() if value != "-" else ():
        found = re.fullmatch(rf"([{letters}])([0-9]{{1,2}})", part)
        if not found or counts[letters.index(found[1])]:
            raise ValueError(f"“{key}” counts each colour once, as in “B12 Y9”, not “{part}”.")
        counts[letters.index(found[1])] = read_number(key, found[2], range(most + 1))
    return counts


def read_tiles(key: str, value: str, letters: str) -> list[int]:
    """A string of tiles as a list of colours; - for none at all."""
    if value == "-":
        return []
    if wrong := [letter for letter in value if letter not in letters]:
        raise ValueError(f"“{key}” has tiles {', '.join(letters)} or -, not “{wrong[0]}”.")
    return [letters.index(letter) for letter in value]


def write_fields(fields: dict[str, str]) -> str:
    return "; ".join(f"{key} {value}" for key, value in fields.items())


def per_seat(values: Iterable[object]) -> str:
    """The values of the seats as one."""
    return " / ".join(map(str, values))
