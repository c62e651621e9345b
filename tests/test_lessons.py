"""Lessons: what they are made of, and that each can be walked to its end, in every language."""

import io
import re
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path

import pytest
from rich.console import Console

from mozaika.games import GAMES
from mozaika.kernel import never_waiting
from mozaika.lesson import find_lessons, read_lessons
from mozaika.record import Record
from mozaika.rulebook import RULE_ID
from mozaika.state import CHANCE
from mozaika.table.teaching import LEARNER, NotMeant, find_lesson, meant_moves, set_out, take, walk_lesson
from mozaika.tutor import Tutor
from mozaika.words import LANGUAGES

LESSONS = [(game, lesson) for game in GAMES.values() for lesson in game.lessons()]
every_lesson = pytest.mark.parametrize(
    ("game", "lesson"), LESSONS, ids=[f"{game.id}-{lesson.id}" for game, lesson in LESSONS]
)
LONGEST = 380
"""Letters of a step that are still read."""
MINUTES, READ = 3, 240
"""A lesson is read in so many minutes at most, at so many words a minute."""
FEW = 24
"""So many ways to do what is meant are tried."""


def test_every_game_of_the_shelf_can_be_learnt():
    assert {game for game, _ in LESSONS} == set(GAMES.values())


@every_lesson
def test_a_lesson_is_the_same_in_every_language(game, lesson):
    told = [find_lesson(game, lesson.id, lang) for lang in LANGUAGES]
    assert [[step.skeleton() for step in each.steps] for each in told] == [
        [step.skeleton() for step in lesson.steps]
    ] * len(LANGUAGES)
    assert len({each.title for each in told}) == len(LANGUAGES)
    for steps in zip(*(each.steps for each in told), strict=True):
        assert len({step.text for step in steps}) == len(LANGUAGES), "somebody has left a step in English"
        assert all(0 < len(step.text) <= LONGEST for step in steps), steps[0].id
        assert not any(RULE_ID.search(step.text + step.then) for step in steps), "a lesson is no legal text"
    for each in told:
        words = [word for step in each.steps for word in f"{step.text} {step.then}".split()]
        assert len(words) <= MINUTES * READ, f"{len(words)} words"


@every_lesson
def test_a_lesson_has_six_to_twelve_steps_and_ends_with_one_that_is_only_read(game, lesson):
    assert 6 <= len(lesson.steps) <= 12
    assert len({step.id for step in lesson.steps}) == len(lesson.steps)
    assert not lesson.steps[-1].moves
    for step in lesson.steps:
        assert bool(step.moves) or not (step.others or step.draws or step.then)


@every_lesson
@never_waiting()
def test_a_lesson_is_walked_to_its_end_and_answers_what_is_not_meant(game, lesson):
    """Positions and draws are read by the rules, so none of them is impossible."""
    for step, begun, move, _ in walk_lesson(game, lesson):
        assert not step.moves or step.means(move)
        legal = begun.legal_moves(LEARNER) if step.moves else []
        others = [each for each in legal if not step.means(each)]
        for pattern, said in step.others:
            found = [each for each in others if step.answer(each) == said]
            assert found, f"{step.id}: nobody can play {pattern}"
        assert not others or step.others, f"{step.id} says nothing of {others[0]}"
        for other in others[:3]:
            table = begun.copy()
            with pytest.raises(NotMeant) as refused:
                take(step, table, other)
            assert str(refused.value) == step.answer(other)
            assert table == begun, "nothing has happened"


@every_lesson
@never_waiting()
def test_whatever_is_meant_leads_on(game, lesson):
    """A step that means several moves goes on after each of them."""
    moments = walk_lesson(game, lesson)
    for (step, begun, _, _), (after, *_) in pairwise(moments):
        if after.position or not step.moves:
            continue
        for move in meant_moves(step, begun)[:FEW]:
            table = begun.copy()
            take(step, table, move)
            assert not after.moves or meant_moves(after, set_out(after, table)), f"{step.id}: {move}"


@every_lesson
@never_waiting()
def test_what_a_lesson_points_at_can_be_seen(game, lesson):
    for step, begun, _, _ in walk_lesson(game, lesson):
        assert begun.movers == [CHANCE] or not step.moves or LEARNER in begun.movers
        view = game.hide(begun.state, LEARNER)
        for shape in ("wide", "tall") if step.points else ():
            spots = {spot.name for spot in game.scene(view, LEARNER, begun.names, begun.words, shape).spots}
            for pattern in step.points:
                assert any(fnmatchcase(name, pattern) for name in spots), f"{step.id}: {pattern} of {spots}"


@every_lesson
@never_waiting()
def test_every_choice_on_the_way_to_a_move_has_a_sentence(game, lesson):
    """The stages of a move say what a choice is about, in every language; for each spot there is one."""
    prompts = [stage for stage in game.stages.parts if stage.prompt]
    for step, begun, move, _ in walk_lesson(game, lesson):
        if not move:
            continue
        view = game.hide(begun.state, LEARNER)
        walks = game.scene(view, LEARNER, begun.names, begun.words, "wide").walks
        if game.walks_from is not None:
            spots = game.spots_of(view, LEARNER, game.parse_move(move))
            walks = game.walks_from(view, LEARNER, spots, "wide")
        for walk in walks:
            for place, spot in enumerate(walk.spots):
                assert stages_at(prompts, spot, place), f"{step.id}: {spot}"
    for lang in ("pl", "de"):
        said = [game.words(lang).translate(stage.prompt) for stage in prompts]
        assert not {stage.prompt for stage in prompts} & set(said)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@never_waiting()
def test_every_choice_of_a_whole_game_has_a_sentence(game):
    """Not only in lessons: what the moves of recorded games point at, from the beginning to the end."""
    prompts = [stage for stage in game.stages.parts if stage.prompt]
    names = ("Ann", "Ben")
    for path in sorted((game.folder / "tests" / "records").glob("*-2-*.txt"))[:3]:
        record = Record.read(path.read_text("utf-8"))
        state = record.start()
        for seat, move in record.entries:
            if seat != CHANCE:
                for place, spot in enumerate(spots_along(game, state, seat, move, names)):
                    assert stages_at(prompts, spot, place), f"{game.write_move(move)}: {spot}"
            game.apply(state, seat, move)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@never_waiting()
def test_whatever_can_be_chosen_next_is_asked_for_in_the_words_of_the_game(game):
    """Nobody is ever told just to choose one of the lit places: what is lit belongs to one choice, or there
    is a sentence for several.
    """
    prompts = [stage for stage in game.stages.parts if stage.prompt]
    record = Record.read(min((game.folder / "tests" / "records").glob("*-2-*.txt")).read_text("utf-8"))
    state = record.start()
    for ply, (seat, move) in enumerate(record.entries):
        if seat != CHANCE and ply % 3:
            view, names = game.hide(state, seat), ("Ann", "Ben")
            scene = game.scene(view, seat, names, game.words(), "wide")
            along = () if scene.held else spots_along(game, state, seat, move, names)
            for place in range(len(along) or 1):
                chosen = tuple(along[:place])
                walks = game.walks_from(view, seat, chosen, "wide") if game.walks_from else scene.walks
                lit = {
                    walk.spots[place] for walk in walks if tuple(walk.spots[:place]) == chosen != walk.spots
                }
                if scene.held:  # whoever holds a piece may point at everything
                    lit = {spot for walk in walks for spot in walk.spots}
                asked = {next(iter(stages_at(prompts, spot, place)), None) for spot in lit}
                assert asked
                assert None not in asked, (chosen, lit)
                assert len(asked) == 1 or game.stages.several, (chosen, lit)
        game.apply(state, seat, move)


def stages_at(prompts, spot, place):
    """The choices that a spot can stand for after so many others; for the page the first one counts."""
    return [
        stage
        for stage in prompts
        if stage.at in (None, place) and any(fnmatchcase(spot, each) for each in stage.spots)
    ]


def spots_along(game, state, seat, move, names):
    """What is pointed at for a move."""
    view = game.hide(state, seat)
    if game.spots_of is not None:
        return game.spots_of(view, seat, move)
    walks = game.scene(view, seat, names, game.words(), "wide").walks
    return next(walk.spots for walk in walks if walk.move == game.write_move(move))


TEXT = """# Title

## first: The first
### one
Say this,
and this.

- position: pebbles 2; heap 9
- play: 2: take 1
- play: chance: red, blue
- point: heap, bag-*
- move: take 2
- else: Not that.
- else (take 3): Too
  many.
- then: Well done.
### two
Read.
"""


def test_a_lesson_is_read_from_a_text():
    (lesson,) = read_lessons(TEXT)
    one, two = lesson.steps
    assert (lesson.id, lesson.title) == ("first", "The first")
    assert (one.text, one.position, one.then) == ("Say this, and this.", "pebbles 2; heap 9", "Well done.")
    assert one.plays == (("2", "take 1"), ("chance", "red"), ("chance", "blue"))
    assert one.points == ("heap", "bag-*")
    assert one.means("take 2")
    assert not one.means("take 3")
    assert (one.answer("take 3"), one.answer("take 1")) == ("Too many.", "Not that.")
    assert (two.id, two.text, two.moves) == ("two", "Read.", ())


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("## First lesson\n", "neither a lesson nor a step"),
        ("### one\n", "neither a lesson nor a step"),
        ("## a: A\n### one\n- moves: take 2\n", "says nothing of the step “one”"),
        ("## a: A\n### one\n- play: 1: take 2\n", "nobody plays so"),
    ],
)
def test_what_is_no_lesson_is_refused_with_its_line(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_lessons(wrong)


def test_a_game_without_a_folder_has_no_lessons_and_an_untranslated_one_is_told_in_english(tmp_path: Path):
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "lessons.en.md").write_text(TEXT, "utf-8")
    assert find_lessons(None, "pl") == ()
    assert find_lessons(tmp_path, "pl")[0].title == "The first"


class Hand(Console):
    """A console at which somebody has typed already."""

    def __init__(self, *typed: str) -> None:
        super().__init__(record=True, width=100, file=io.StringIO())
        self.typed = list(typed)

    def input(self, *_: object, **__: object) -> str:
        if not self.typed:
            raise EOFError
        return self.typed.pop(0)


@never_waiting()
def test_the_terminal_teaches_the_same_and_is_taken_up_again():
    game, lesson = LESSONS[0]
    moments = walk_lesson(game, lesson)
    step, begun, move, _ = moments[0]
    other = next(each for each in begun.legal_moves(LEARNER) if not step.means(each))
    hand = Hand(other, "no such move", "rules", move, "quit")
    assert not Tutor(game, lesson, hand, "en").run()
    shown = " ".join(hand.export_text().split())
    for said in (step.text, step.answer(other), "no move “no such move”", step.then, lesson.steps[1].text):
        assert said in shown
    assert f"mozaika learn {game.id} {lesson.id} --step 2" in shown
    written = re.search(r"Type a move like this: (\S+ \S+ \S+)", shown)[1]
    assert written in begun.legal_moves(LEARNER)
    assert not step.means(written), "the answer is not given away"
    hand = Hand(*(each.move for each in moments[1:]))
    polish = find_lesson(game, lesson.id, "pl")
    assert Tutor(game, polish, hand, "pl").run(2)
    assert polish.steps[-1].text in " ".join(hand.export_text().split())


def test_the_command_line_prints_what_a_learner_sees(run):
    shown = " ".join(run("learn", LESSONS[0][0].id, "--walk").split())
    assert all(step.text in shown and step.then in shown for step in LESSONS[0][1].steps)
    game, first = LESSONS[0]
    assert all(f"learn {game.id} {each.id}" in shown for each in game.lessons() if each.id != first.id)
    assert "has no such lesson" in run("learn", LESSONS[0][0].id, "nothing", code=2)
    assert "has the steps 1 to 12, not 99" in run("learn", LESSONS[0][0].id, "--step", 99, code=2)
