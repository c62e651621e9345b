"""Options that are texts: a line, or a grid drawn in letters. A game of the shelf that has such options is
pretended here, so that the mechanism is tested without any game that uses it.
"""

import dataclasses
import re

import pytest
from litestar.testing import TestClient

from mozaika import cli
from mozaika.games import GAMES
from mozaika.options import BadOption, Grid, Line, Options
from mozaika.record import Record
from mozaika.server.app import build_app
from mozaika.store.sqlite import SqliteStore
from mozaika.table import Table
from mozaika.words import LANGUAGES
from server_process import once

SHORT = "“{option}” has more than {most} letters."
"""A sentence that the house says in every language."""

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)


class DrawnOptions(Options, frozen=True):
    garden: Grid = ""
    path: Line = "12"


@pytest.fixture
def game(monkeypatch):
    """The first game of the shelf, with a garden that must not have more than two rows."""
    first = next(iter(GAMES.values()))

    def new(seats, options):
        if options.garden.count("/") > 1:
            raise BadOption(SHORT, option="garden", most=2)
        return first.new(seats, first.options())

    drawn = dataclasses.replace(
        first, id="drawn", options=DrawnOptions, new=new, hints={"garden": "Two rows."}, variants=({},)
    )
    monkeypatch.setitem(GAMES, "drawn", drawn)
    return drawn


@pytest.fixture
def client(game, tmp_path):
    with TestClient(build_app(lambda: SqliteStore(tmp_path / "games.db"))) as client:
        yield client


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("ab/cd", "ab/cd"),
        ("ab\ncd", "ab/cd"),
        (" a b \r\n cd \r\n", "ab/cd"),
        ("\n\nab\n\n\n\ncd\n\n", "ab//cd"),
        ("ab/ /\n/cd//", "ab//cd"),
        ("", ""),
    ],
)
def test_a_grid_is_kept_without_blanks(game, written: str, kept: str):
    options = game.read_options({"garden": written})
    assert options.garden == kept
    assert game.read_options(game.write_options(options)) == options


def test_a_line_is_kept_without_blanks(game):
    assert game.read_options({"path": " 2 1\n"}).path == "21"


def test_a_text_that_is_too_long_is_refused(game):
    with pytest.raises(BadOption, match="“path” has more than 100 letters"):
        game.read_options({"path": "1" * 101})
    with pytest.raises(BadOption, match="“garden” has more than 4000 letters"):
        game.read_options({"garden": "1" * 4001})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_is_said_in_the_language_of_the_reader(game, lang: str):
    error = BadOption(SHORT, option="garden", most=2)
    assert re.search(r"garden.* 2\b", error.said(game.words(lang)))
    assert (error.said(game.words(lang)) == str(error)) == (lang == "en")


def test_a_record_holds_the_whole_text(game):
    table = Table("drawn", 2, seed=1, garden="ab\ncd")
    text = table.record().write()
    assert "Options: garden=ab/cd path=12\n" in text
    assert Record.read(text).options == DrawnOptions(garden="ab/cd")


def test_an_option_is_read_from_a_file(game, tmp_path, monkeypatch, capsys):
    drawn = tmp_path / "garden.txt"
    drawn.write_text("ab\ncd\n", "utf-8")
    records = tmp_path / "records"
    command = ["simulate", "drawn", "--games", "1", "--records", str(records)]
    monkeypatch.setattr("sys.argv", ["mozaika", *command, "-o", f"garden=@{drawn}"])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 0
    [kept] = records.iterdir()
    assert kept.name == "drawn-2-ab_cd-000.txt"
    assert Record.read(kept.read_text("utf-8")).options.garden == "ab/cd"


def test_a_file_that_is_not_there_is_named(game, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["mozaika", "perft", "drawn", "-o", "garden=@nowhere.txt"])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 2
    assert "nowhere.txt cannot be read" in capsys.readouterr().err


def test_the_form_is_told_how_an_option_is_chosen(client):
    [facts] = [each for each in client.get("/api/games").json() if each["id"] == "drawn"]
    garden, path = facts["options"]
    assert (garden["kind"], garden["value"], garden["hint"]) == ("grid", "", "Two rows.")
    assert (path["kind"], path["value"], path["choices"]) == ("line", "12", [])
    azul = client.get("/api/games").json()[0]["options"][0]
    assert azul["kind"] == "choice"
    assert azul["value"] == azul["choices"][0]["value"]


def test_options_are_checked_while_they_are_written(client, game):
    def check(lang: str = "en", **options: str):
        wish = {"game": "drawn", "seats": 2, "options": options}
        answer = client.post("/api/options", json=wish, headers={"Accept-Language": lang})
        assert answer.status_code == 200
        return answer.json()

    fine = check(garden="ab\ncd")
    assert fine["detail"] is None
    assert fine["options"] == {"garden": "ab/cd", "path": "12"}
    assert game.parse_position(fine["position"])
    assert check(garden="a\nb\nc")["detail"] == "“garden” has more than 2 letters."
    assert check("pl", garden="a\nb\nc")["detail"] == "„garden” ma więcej znaków niż 2."
    assert "no option 'gate'" in check(gate="1")["detail"]
    assert check(garden="a\nb\nc")["position"] == ""


def test_a_table_is_not_opened_with_a_wrong_text(client):
    wish = {"game": "drawn", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}
    answer = client.post("/api/games", json={**wish, "options": {"garden": "a/b/c"}}, headers=once())
    assert answer.status_code == 422
    assert answer.json()["detail"] == "“garden” has more than 2 letters."
    made = client.post("/api/games", json={**wish, "options": {"garden": "a/b"}}, headers=once())
    assert made.status_code == 201
    record = client.get(f"/api/games/{made.json()['id']}/record").text
    assert "garden=a/b" in record
