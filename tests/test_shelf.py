"""Every game of the shelf brings all it needs, and nothing outside its folder knows it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

import mozaika
from mozaika.games import GAMES, SHELF
from mozaika.rulebook import positions, rule_ids
from mozaika.words import HOUSE, LANGUAGES

SOURCES = Path(mozaika.__file__).parent
FILES = ("__init__", "pieces", "rules", "notation", "tell", "picture", "bot")
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


@every_game
def test_a_game_has_the_same_files_as_every_game(game):
    for name in FILES:
        assert (game.folder / f"{name}.py").exists()
    assert (game.folder / "README.md").exists()
    for lang in LANGUAGES:
        assert (game.folder / "words" / f"rules.{lang}.md").exists()
    assert len(list((game.folder / "tests" / "records").glob("*.txt"))) >= 100
    assert list((game.folder / "tests" / "goldens").glob("*.txt"))


@every_game
def test_rulebooks_agree_on_the_rules(game):
    ids = [rule_ids(game.rulebook(lang)) for lang in LANGUAGES]
    assert ids[0]
    assert all(each == ids[0] for each in ids)
    assert len(set(ids[0])) == len(ids[0])
    assert {reason.split()[0] for reason in game.refusals} <= set(ids[0])


def sentences_in(files: list[Path]) -> set[str | tuple[str, ...]]:
    keywords = {"say": None, "later": None, "count": (1, 2)}
    return {
        message if isinstance(message, str) else tuple(message[:2])
        for path in files
        for _, message, _, _ in extract_from_file("python", path, keywords=keywords)
    }


def sentences_in_templates() -> set[str]:
    pages = "".join(path.read_text("utf-8") for path in (SOURCES / "web" / "templates").glob("*.html"))
    return {sentence for _, sentence in re.findall(r"""words\.say\((["'])(.+?)\1""", pages)}


HOUSE_FILES = [path for path in SOURCES.rglob("*.py") if "games" not in path.relative_to(SOURCES).parts[:-1]]
HOUSE_FILES.append(SOURCES / "games" / "__init__.py")
CATALOGUES = [(HOUSE, HOUSE_FILES)] + [
    (game.folder / "words", list(game.folder.glob("*.py"))) for game in GAMES.values()
]


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
@pytest.mark.parametrize(
    ("folder", "files"), CATALOGUES, ids=lambda value: getattr(value, "parent", value) and ""
)
def test_catalogues_are_complete(folder: Path, files: list[Path], lang: str):
    with (folder / f"{lang}.po").open("rb") as file:
        catalogue = {message.id: message for message in read_po(file, locale=lang) if message.id}
    assert set(catalogue) == sentences_in(files) | (sentences_in_templates() if folder == HOUSE else set())
    for message in catalogue.values():
        said = (message.string,) if isinstance(message.string, str) else message.string
        source = (message.id,) if isinstance(message.id, str) else message.id
        assert all(said), f"{message.id} is not translated"
        assert not message.fuzzy
        for form in said:
            assert set(re.findall(r"{\w+}", form)) == set(re.findall(r"{\w+}", source[-1])), message.id


def test_nothing_outside_a_folder_knows_its_game():
    """By its name, or by its id as a text, a module or a part of a path; an id may be an English word."""
    for path in SOURCES.rglob("*.py"):
        if "games" not in path.relative_to(SOURCES).parts[:-1]:
            text = path.read_text("utf-8")
            for game in (GAMES[name] for name in SHELF):
                assert game.name not in text, path
                known = rf"""["'`/.]{game.id}["'`/.]|\bgames\.{game.id}\b|import {game.id}\b"""
                assert not re.search(known, text), path


@pytest.mark.parametrize("name", SHELF)
def test_a_game_can_be_deleted(name: str, tmp_path: Path):
    """Remove the folder and the line on the shelf: the game is gone and everything else works."""
    house = tmp_path / "mozaika"
    shutil.copytree(SOURCES, house, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    shutil.rmtree(house / "games" / name)
    shelf = house / "games" / "__init__.py"
    shelf.write_text(re.sub(rf'"{name}",? ?', "", shelf.read_text("utf-8")), "utf-8")
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import mozaika, mozaika.cli\n"
        f"assert mozaika.__file__.startswith(sys.argv[1]) and {name!r} not in mozaika.GAMES\n"
        f"assert set(mozaika.GAMES) == set({SHELF!r}) - {{{name!r}}}\n"
        "sys.argv[1:] = ['doctor']; mozaika.cli.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@every_game
def test_the_pictures_of_a_rulebook_are_positions(game):
    pictures = [positions(game.rulebook(lang)) for lang in LANGUAGES]
    assert pictures[0]
    for shown in pictures:
        assert shown == pictures[0]
        for position in shown:
            assert game.write_position(game.parse_position(position)) == position
