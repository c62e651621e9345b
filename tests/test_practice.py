"""Practice at tables: puzzles, and mistakes once more; what is right counts, and nobody is told early."""

import msgspec
import pytest
from litestar.testing import TestClient

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.kernel import compiling
from mozaika.record import Entry
from mozaika.reviewing.puzzles import find_puzzles
from mozaika.reviewing.review import Decision
from mozaika.server.app import build_app
from mozaika.store.sqlite import SqliteStore
from mozaika.table.again import asks_judge, is_as_good, plan_again, weigh_try
from mozaika.table.exercises import AGAIN, PUZZLE, Mistake, explain, find_exercise
from mozaika.table.lessons import plan_lesson, show_lesson, show_solution
from mozaika.table.plan import create_game
from mozaika.table.refusals import BadWish, NotAllowed, NotNow, NotThere
from mozaika.table.teaching import NotMeant
from mozaika.words import LANGUAGES
from server_process import once
from tables import ANIA, STRANGER, again

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)
SHELF = [game for game in GAMES.values() if find_puzzles(game)]
every_game = pytest.mark.parametrize("game", SHELF, ids=lambda game: game.id)
GAME = GAMES[FIRST]
ANOTHER = next(puzzle for puzzle in find_puzzles(GAME) if puzzle.seat == 2)
NAMES = "one of us", "the other one"


async def begun(store, game, puzzle):
    return (await create_game(store, plan_lesson(game, f"{PUZZLE}{puzzle.id}", ANIA, game.words())))[0]


async def attempt(shared, seat, move):
    return await shared.submit(seat, shared.seq, f"try {shared.seq} {move}", move)


@every_game
@pytest.mark.anyio
async def test_the_best_move_solves_a_puzzle_and_any_other_is_answered(store, game):
    puzzle = find_puzzles(game)[0]
    shared = await begun(store, game, puzzle)
    seat = puzzle.seat - 1
    assert shared.seats_of(ANIA.guest) == [seat]
    assert not shared.bots_to_move()
    view = show_lesson(shared, "en")
    assert (view.kind, view.key, view.done) == ("puzzle", f"{game.id}/{puzzle.id}", False)
    assert view.difficulty == puzzle.difficulty
    assert (view.said, view.arguments) == ("", [])
    other = next(move for move in shared.table.legal_moves(seat) if move not in puzzle.best)
    with pytest.raises(NotMeant, match="There is better"):
        await attempt(shared, seat, other)
    assert shared.table.ply == 0
    await attempt(shared, seat, puzzle.best[0])
    for known in (shared, await again(shared)):
        view = show_lesson(known, "en")
        assert view.done
        assert "more than any other move" in view.said
    assert view.following.removeprefix(PUZZLE) in {each.id for each in find_puzzles(game)}


@every_game
def test_every_puzzle_is_explained_in_every_language(game):
    for lang in LANGUAGES:
        for puzzle in find_puzzles(game)[::25]:
            exercise = find_exercise(game, f"{PUZZLE}{puzzle.id}", lang)
            for move in exercise.best:
                found = explain(game, exercise, game.parse_move(move), NAMES, lang)
                assert found.headline in found.said
                assert "{" not in found.said + exercise.lesson.title + exercise.lesson.steps[0].text


@every_game
def test_no_puzzle_is_sure_of_its_margin(game):
    """Comparisons that agree to the last digit were told as “±0%”."""
    for puzzle in find_puzzles(game)[::25]:
        exercise = find_exercise(game, f"{PUZZLE}{puzzle.id}")
        told = explain(game, exercise, game.parse_move(puzzle.best[0]), NAMES, "en").said
        assert "±" in told
        assert "±0%" not in told
        assert "±0.0" not in told


@pytest.mark.anyio
async def test_others_are_called_in_an_explanation_as_on_the_board_beside_it(store):
    for game, puzzle in about_others():
        shared = await begun(store, game, puzzle)
        other = shared.names(game.words("pl"))[2 - puzzle.seat]
        told = show_solution(shared, ANIA.guest, "pl")
        await attempt(shared, puzzle.seat - 1, told.move)
        for arguments in (told.arguments, show_lesson(shared, "pl").arguments):
            assert other in " ".join(argument.text for argument in arguments)


def about_others():
    """Of each game the first puzzle that is explained by somebody else's name, if there soon is one."""
    found = [
        next(((game, each) for each in find_puzzles(game)[:9] if names_others(game, each)), None)
        for game in SHELF
    ]
    assert any(found)
    return filter(None, found)


def names_others(game, puzzle):
    exercise, move = find_exercise(game, f"{PUZZLE}{puzzle.id}"), game.parse_move(puzzle.best[0])
    return any(
        NAMES[2 - puzzle.seat] in each.text for each in explain(game, exercise, move, NAMES, "en").arguments
    )


@pytest.mark.anyio
async def test_a_solution_is_shown_to_whoever_sits_there_and_to_nobody_else(store):
    shared = await begun(store, GAME, ANOTHER)
    assert show_solution(shared, ANIA.guest, "pl").move == ANOTHER.best[0]
    with pytest.raises(NotAllowed):
        show_solution(shared, STRANGER, "en")


@pytest.mark.parametrize(
    "name", ["puzzle ", "puzzle 00000000", "puzzle ../x", "again {}", "again x", "nothing"]
)
@pytest.mark.anyio
async def test_what_is_no_puzzle_opens_no_table(name):
    with pytest.raises(NotThere, match="no such lesson"):
        plan_lesson(GAME, name, ANIA, GAME.words())


def mistake_of(puzzle):
    return Mistake(
        table="origin",
        ply=3,
        seat=puzzle.seat - 1,
        position=puzzle.position,
        played=puzzle.best[0],
        best=puzzle.best[0],
        loss=puzzle.margin,
        error=puzzle.error,
        unit=puzzle.unit,
    )


class FakeReviews:
    """A review that is known, and a judge who likes what one tells it to like."""

    def __init__(self, record, decisions, likes=False):
        self.record, self.decisions, self.likes, self.asked = record, decisions, likes, 0

    async def find(self, *_):
        return self.record, self

    unit = "share"

    async def ask(self, *_):
        self.asked += 1
        return self.likes


class FakeHall:
    def __init__(self, reviews):
        self.reviews = reviews


class FakeRecord:
    entries = [Entry(0, 0)] * 4


def worse_than(puzzle):
    state = GAME.parse_position(puzzle.position)
    moves = map(GAME.write_move, GAME.legal_moves(state, puzzle.seat - 1))
    return next(move for move in moves if move not in puzzle.best)


def decision(puzzle, mark):
    return Decision(
        3, puzzle.seat, worse_than(puzzle), puzzle.best[0], 9, 0.1, 2.0, 0.01, mark, 50.0, (0.1, -0.1)
    )


class FakeOrigin:
    """A finished game that had the position of a puzzle at its third ply."""

    def __init__(self, puzzle):
        self.table, self.game, self.header = self, GAME, self
        self.id, self.position = "origin", puzzle.position

    def state_at(self, _):
        return GAME.parse_position(self.position)


async def mistaken(store, likes=False):
    reviews = FakeReviews(FakeRecord, [decision(ANOTHER, "mistake")], likes)
    hall, origin = FakeHall(reviews), FakeOrigin(ANOTHER)
    plan = await plan_again(hall, origin, 3, ANIA, "address", GAME.words())
    return hall, (await create_game(store, plan))[0]


@pytest.mark.anyio
async def test_a_marked_decision_is_made_once_more_and_the_best_move_needs_no_judge(store):
    hall, shared = await mistaken(store)
    seat = ANOTHER.seat - 1
    view = show_lesson(shared, "de")
    assert (view.kind, view.key, view.done) == ("again", "origin/3", False)
    told = msgspec.json.encode(view).decode()
    assert ANOTHER.best[0] not in told
    assert all(word in told for word in ("Das kostete", "Find"))
    assert asks_judge(shared)
    await weigh_try(hall, shared, seat, ANOTHER.best[0], "address", "en")
    await attempt(shared, seat, ANOTHER.best[0])
    assert hall.reviews.asked == 0
    assert show_lesson(await again(shared), "en").done


@pytest.mark.parametrize("likes", [True, False])
@pytest.mark.anyio
async def test_another_move_counts_if_the_judge_says_so_and_it_is_asked_once(store, likes):
    hall, shared = await mistaken(store, likes)
    seat = ANOTHER.seat - 1
    other = next(move for move in shared.table.legal_moves(seat) if move not in ANOTHER.best)
    for _ in range(2):
        await weigh_try(hall, shared, seat, other, "address", "en")
    await weigh_try(hall, shared, seat, "nonsense", "address", "en")
    assert hall.reviews.asked == 1
    if likes:
        await attempt(shared, seat, other)
        assert "no real difference" in show_lesson(await again(shared), "en").said
    else:
        with pytest.raises(NotMeant, match="There is better"):
            await attempt(shared, seat, other)


@pytest.mark.parametrize(
    ("ply", "mark", "error"),
    [(3, "", BadWish), (2, "mistake", NotNow), (None, "mistake", NotThere), (99, "mistake", NotThere)],
)
@pytest.mark.anyio
async def test_only_what_a_review_has_marked_can_be_tried_again(ply, mark, error):
    hall = FakeHall(FakeReviews(FakeRecord, [decision(ANOTHER, mark)]))
    with pytest.raises(error):
        await plan_again(hall, FakeOrigin(ANOTHER), ply, ANIA, "address", GAME.words())


def test_the_judge_takes_what_it_would_not_mark_and_nothing_else():
    clear = max(find_puzzles(GAME), key=lambda puzzle: puzzle.margin)
    mistake, seat = mistake_of(clear), clear.seat - 1
    state = GAME.parse_position(clear.position)
    best = GAME.parse_move(clear.best[0])
    worse = [move for move in GAME.legal_moves(state, seat) if GAME.write_move(move) not in clear.best]
    with compiling():
        assert is_as_good(GAME, mistake, best)
        assert not is_as_good(GAME, mistake, worse[-1])


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    path = tmp_path_factory.mktemp("practice") / "games.db"
    with TestClient(build_app(lambda: SqliteStore(path), burst=1000)) as client:
        yield client


def test_the_pages_of_practice_tell_days_and_puzzles_but_no_solution(client):
    for lang in LANGUAGES:
        page = client.get("/practice", headers={"Accept-Language": lang}).text
        assert f'lang="{lang}"' in page
        assert "practice-data" in page
    listed = client.get(f"/practice/{FIRST}").text
    for puzzle in find_puzzles(GAME):
        assert puzzle.id in listed
        assert puzzle.position not in listed
    assert client.get("/practice/nothing").status_code == 404


def test_a_puzzle_is_opened_tried_and_solved_over_the_wire(client):
    opened = client.post(
        "/api/games",
        json={"game": FIRST, "lesson": f"{PUZZLE}{ANOTHER.id}", "seats": [{"kind": "me"}]},
        headers=once(),
    )
    assert opened.status_code == 201
    at = f"/api/games/{opened.json()['id']}"
    view = client.get(f"{at}/view").json()
    wish = {"seq": view["seq"], "seat": ANOTHER.seat}
    other = next(
        GAME.write_move(move)
        for move in GAME.legal_moves(GAME.parse_position(ANOTHER.position), ANOTHER.seat - 1)
        if GAME.write_move(move) not in ANOTHER.best
    )
    refused = client.post(f"{at}/moves", json={**wish, "move": other}, headers=once())
    assert (refused.status_code, refused.json().get("rule", "")) == (422, "")
    assert client.get(f"{at}/solution").json()["move"] == ANOTHER.best[0]
    assert (
        client.post(f"{at}/moves", json={**wish, "move": ANOTHER.best[0]}, headers=once()).status_code == 200
    )
    assert client.get(f"{at}/view").json()["lesson"]["done"]
    names = [each["id"] for each in client.get("/api/games/mine").json()]
    assert opened.json()["id"] not in names


def test_who_says_what_a_mistake_was_is_the_review_alone(client):
    made = AGAIN + msgspec.json.encode(mistake_of(ANOTHER)).decode()
    for lesson, status in ((made, 400), ("again {}", 404)):
        answer = client.post("/api/games", json={"game": FIRST, "lesson": lesson}, headers=once())
        assert answer.status_code == status
    unfinished = client.post(
        "/api/games", json={"game": FIRST, "seats": [{"kind": "me"}, {"kind": "screen"}]}, headers=once()
    ).json()
    wish = {"from": unfinished["id"], "ply": 0, "again": True}
    assert client.post("/api/games", json=wish, headers=once()).status_code == 409
    assert client.get(f"/api/games/{unfinished['id']}/solution").status_code == 404
