"""What a viewer is sent is small, whatever happens on the table."""

import pytest

from mozaika.games import GAMES
from mozaika.record import Record
from mozaika.server.measure import MOST_BYTES, view_costs
from mozaika.words import LANGUAGES


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_no_view_of_a_recorded_game_is_larger_than_24_kb(game):
    """Of every game, variant and number of seats some records, in all languages, at every ninth ply and the
    last; about ten seconds of CPU for all games. `mozaika bench views` looks at every ply of every record.
    """
    paths = sorted((game.folder / "tests" / "records").glob("*.txt"))
    kinds: dict[str, list[str]] = {}
    for path in paths:
        kinds.setdefault(path.stem.rpartition("-")[0], []).append(path.read_text("utf-8"))
    for number, texts in enumerate(kinds.values()):
        record, lang = Record.read(texts[number % len(texts)]), LANGUAGES[number % len(LANGUAGES)]
        sizes = [size for size, _ in view_costs(record, 9, lang)]
        assert max(sizes) <= MOST_BYTES, (record, lang)
