"""What happened at a table is said to whoever reads it, in every game and language."""

import pytest

from mozaika.games import GAMES
from mozaika.record import Record
from mozaika.sentence import add_up, multiply
from mozaika.table import Table
from mozaika.table.telling import Reader, Telling
from mozaika.words import LANGUAGES


@pytest.fixture(scope="module", params=GAMES.values(), ids=list(GAMES))
def played(request):
    """Of each game one that was played to its end."""
    record = min((request.param.folder / "tests" / "records").glob("*-2-*.txt"))
    return Table.from_record(Record.read(record.read_text("utf-8")))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_about_a_seat_is_said_to_whoever_sits_there(played, lang):
    telling = Telling(played)
    told = [line for ply in range(played.ply) for line in telling.at(lang, Reader(0, 0), ply).lines]
    for line in told:
        assert line.to_you == (line.seat == 1), line.text
        if line.to_you:
            assert line.text[0].isupper() or line.text[0].isdigit(), "a whole sentence"
    assert sum(line.to_you for line in told) > 5


def test_the_points_that_are_told_of_a_round_are_those_that_it_brought(played):
    """What a card says at the end of a round: the lines since the last one that has closed a round."""
    points, closed = played.game.points, 0
    told = [0] * len(points(played.state))
    for ply in range(played.ply):
        said = played.tell(ply)
        for each in said:
            if each.points:
                told[each.seat] += each.points
        if any(each.closes for each in said):
            closed += 1
            assert told == list(points(played.state_at(ply + 1))), f"ply {ply}"
    assert closed > 1, "there is more than one round"
    assert said[-1].closes, "also the last one ends"


def test_every_line_with_points_says_how_and_names_what_made_them(played):
    """What lights up when somebody points at them lies in the picture, large or small, of whoever looks."""
    game, found = played.game, 0
    for ply in range(played.ply):
        for said in played.tell(ply):
            if not said.points:
                continue
            found += 1
            assert said.how or str(abs(said.points)) in said.text, said.text
            assert said.places, said.text
            assert said.rule
            if found % 5 == 1:
                for viewer, shape in ((0, "wide"), (1, "tall")):
                    view = game.hide(played.state_at(ply + 1), viewer)
                    scene = game.scene(view, viewer, played.names, played.words, shape)
                    for x, y, width, height in game.boxes(view, viewer, said.seat, said.places, shape):
                        assert 0 <= x <= x + width <= scene.width, said.text
                        assert 0 <= y <= y + height <= scene.height, said.text
    assert found > 2


@pytest.mark.parametrize(
    ("parts", "said"), [((2, 3, -5), "2 + 3 − 5 = 0"), ((-1, -1), "−1 − 1 = −2"), ((7,), ""), ((), "")]
)
def test_a_sum_is_written_with_its_signs(parts, said):
    assert add_up(parts) == said
    assert multiply(4, -3) == "4 × −3 = −12"
