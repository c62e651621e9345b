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
from mozaika.rulebook import contents, pick_rules, pictures, rule_ids, write_html
from mozaika.scene import cut, split_part, write_svg
from mozaika.state import WATCHER
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


@pytest.mark.parametrize(
    "name", [SHELF[0], *(pytest.param(name, marks=pytest.mark.long) for name in SHELF[1:])]
)
def test_a_game_can_be_deleted(name: str, tmp_path: Path):
    """Remove the folder and the line on the shelf: the game is gone and everything else works."""
    house = tmp_path / "mozaika"
    shutil.copytree(SOURCES, house, ignore=shutil.ignore_patterns("tests"))
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
    """Of which a part is shown: what the caption is about."""
    books = [[each[1:] for each in pictures(game.rulebook(lang))] for lang in LANGUAGES]
    assert books[0]
    for shown in books:
        assert shown == books[0]
        for position, part in shown:
            state = game.parse_position(position)
            assert game.write_position(state) == position
            names = ("",) * int(state["seats"])
            scene = game.scene(game.hide(state, WATCHER), WATCHER, names, game.words(), "wide")
            _, _, width, height = cut(scene, part)
            assert part
            assert width * height < scene.width * scene.height
            assert f'viewBox="{cut(scene, part)[0]:g} ' in write_svg(scene, part=part)
    with pytest.raises(ValueError, match="is called moat"):
        cut(scene, "moat")


@every_game
def test_a_rulebook_has_contents_whose_headings_stand_in_it(game):
    for lang in LANGUAGES:
        book = game.rulebook(lang)
        page = write_html(book, lambda *_: "")
        assert len(contents(book)) > 3
        for anchor, heading in contents(book):
            assert f'<h2 id="{anchor}">{heading}</h2>' in page


@every_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_how_points_are_made_is_told_by_rules_and_pictures(game, lang):
    """Each of them, and each with a small picture of its own that lights what it is about."""
    card = pick_rules(game.rulebook(lang), game.scoring)
    assert tuple(rule_ids(card)) == game.scoring
    for rule in game.scoring:
        assert pictures(pick_rules(game.rulebook(lang), [rule])), f"{rule} has no picture"
    assert any(split_part(part)[1] for _, _, part in pictures(card))


@every_game
def test_what_the_pictures_of_a_rulebook_light_is_there(game):
    for _, position, part in pictures(game.rulebook()):
        state = game.parse_position(position)
        areas, places = split_part(part)
        view = game.hide(state, WATCHER)
        boxes = game.boxes(view, WATCHER, 0, places, "wide") if places else []
        scene = game.scene(view, WATCHER, ("",) * int(state["seats"]), game.words(), "wide")
        left, top, width, height = cut(scene, part)
        for x, y, across, down in boxes:
            assert left <= x, (areas, places)
            assert x + across <= left + width, (areas, places)
            assert top <= y, (areas, places)
            assert y + down <= top + height, (areas, places)
        assert write_svg(scene, part=part, lit=boxes).count('stroke="#23663f"') == len(places)
