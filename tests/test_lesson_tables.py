"""Lessons and practice at shared tables: what a table decides, and what the server carries."""

import pytest
from litestar.testing import TestClient

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.kernel import never_waiting
from mozaika.server.app import build_app
from mozaika.server.views import Viewer, build_view, explain_points
from mozaika.state import WATCHER
from mozaika.store.sqlite import SqliteStore
from mozaika.table.hall import Hall
from mozaika.table.lessons import go_to_step, plan_lesson, show_lesson
from mozaika.table.plan import create_game, plan_game
from mozaika.table.refusals import BadWish, NotAllowed, NotNow, NotThere
from mozaika.table.seating import SeatChange, change_seat
from mozaika.table.secrets import record_for
from mozaika.table.takeback import last_move
from mozaika.table.teaching import LEARNER, NotMeant, walk_lesson
from server_process import once
from tables import ANIA, BARTEK, BOT, ENGLISH, OPEN, STRANGER, again, seated

LESSONS = [(game, lesson) for game in GAMES.values() for lesson in game.lessons()]
every_lesson = pytest.mark.parametrize(
    ("game", "lesson"), LESSONS, ids=[f"{game.id}-{lesson.id}" for game, lesson in LESSONS]
)


@pytest.fixture(autouse=True)
def plain_rules():
    """Nobody waits for a compiler."""
    with never_waiting():
        yield


async def begun(store, game=GAMES[FIRST], name=""):
    name = name or game.lessons()[0].id
    return (await create_game(store, plan_lesson(game, name, ANIA, game.words())))[0]


async def take(shared, move, lang="en"):
    return await shared.submit(LEARNER, shared.seq, f"take {shared.seq}", move, lang)


async def go_to(shared, number, guest=ANIA.guest):
    return await go_to_step(shared, guest, number, shared.seq, f"step {shared.seq}")


def explains_itself(shared):
    """What made the points of the last move lies on the board, in both layouts and for whoever looks."""
    ply = next(p for p in reversed(range(shared.table.ply)) if shared.table.entries[p].seat == LEARNER)
    told = shared.telling.sentences("en", WATCHER, ply)
    for number, sentence in enumerate(told):
        for guest, shape in ((ANIA.guest, "wide"), (STRANGER, "tall")):
            viewer = Viewer(guest, True, "en", shape)
            found, scene = explain_points(shared, viewer, ply, number), build_view(shared, viewer).scene
            assert (found.text, found.rule, found.how) == (sentence.text, sentence.rule, sentence.how)
            assert len(found.boxes) == len(sentence.places) >= bool(sentence.points)
            for x, y, width, height in found.boxes:
                assert 0 <= x <= x + width <= scene.width
                assert 0 <= y <= y + height <= scene.height
    with pytest.raises(NotThere, match="no such line"):
        explain_points(shared, Viewer(ANIA.guest, True, "en", "wide"), ply, len(told))


@every_lesson
@pytest.mark.anyio
async def test_a_lesson_is_taken_at_a_table_to_its_end(store, game, lesson):
    shared = await begun(store, game, lesson.id)
    for number, (step, table, move, ended) in enumerate(walk_lesson(game, lesson), 1):
        if number > 1:
            await go_to(shared, number)
        assert shared.table.position() == table.position()
        view = build_view(shared, Viewer(ANIA.guest, True, "pl", "tall"))
        assert (view.lesson.step, view.lesson.steps) == (number, len(lesson.steps))
        assert view.lesson.text == game.lessons("pl")[game.lessons().index(lesson)].steps[number - 1].text
        assert view.lesson.done == (not step.moves)
        assert len(view.seats) == len(shared.seats) == len(table.names)
        assert view.you.turn or not step.moves
        if step.moves:
            await take(shared, move)
            assert show_lesson(shared, "en").said == step.then
            explains_itself(shared)
        assert shared.table.position() == ended.position()
    assert show_lesson(shared, "en").done
    assert (await again(shared)).table == shared.table, "it is taken up again where it was left"


@pytest.mark.anyio
async def test_only_what_is_meant_is_accepted_and_the_step_says_why(store):
    shared = await begun(store)
    step = GAMES[FIRST].lessons("de")[0].steps[0]
    other = next(move for move in shared.table.legal_moves(LEARNER) if not step.means(move))
    with pytest.raises(NotMeant) as refused:
        await take(shared, other, "de")
    assert str(refused.value) == step.answer(other)
    with pytest.raises(NotNow, match="First do what this step is about"):
        await go_to(shared, 2)
    with pytest.raises(NotThere, match="no such step"):
        await go_to(shared, 99)
    with pytest.raises(NotAllowed, match="do not sit"):
        await go_to(shared, 1, STRANGER)
    await take(shared, walk_lesson(GAMES[FIRST], GAMES[FIRST].lessons()[0])[0].move)
    assert show_lesson(shared, "en").done


@pytest.mark.anyio
async def test_a_step_can_be_taken_once_more_and_so_can_those_before_it(store):
    shared, moments = await begun(store), walk_lesson(GAMES[FIRST], GAMES[FIRST].lessons()[0])
    for number in (1, 2):
        await take(shared, moments[number - 1].move)
        await go_to(shared, number + 1)
    for number in (3, 2, 1):
        await go_to(shared, number)
        assert shared.table.position() == moments[number - 1].begun.position()
        assert show_lesson(shared, "en").step == number
    assert (await again(shared)).table == shared.table


@pytest.mark.anyio
async def test_nothing_at_a_lesson_is_drawn_taken_back_or_changed_but_by_the_lesson(store):
    shared = await begun(store)
    await take(shared, walk_lesson(GAMES[FIRST], GAMES[FIRST].lessons()[0])[0].move)
    assert last_move(shared, ANIA.guest) is None
    assert shared.bots_to_move() == []
    assert shared.due() is None
    assert not shared.gives_hints
    assert record_for(shared, ANIA.guest).draws == "told"
    with pytest.raises(NotNow, match="In a lesson"):
        await change_seat(shared, 1, SeatChange("leave"), ANIA.guest, ENGLISH)
    with pytest.raises(NotThere, match="no such lesson"):
        plan_lesson(GAMES[FIRST], "nothing", ANIA, ENGLISH)
    with pytest.raises(NotThere, match="no such step"):
        await go_to(await seated(store, ANIA, BOT), 1)


@pytest.mark.anyio
async def test_neither_a_lesson_nor_practice_counts(store):
    hall, game = Hall(store, patience=60), GAMES[FIRST]
    await hall.create(plan_lesson(game, game.lessons()[0].id, ANIA, ENGLISH))
    plan = plan_game(game, game.options(), [ANIA, BOT], ANIA.guest, seed="", hints=False, practice=True)
    shared, _ = await hall.create(plan)
    assert (hall.created, hall.moves) == (0, 0)
    assert shared.gives_hints
    assert build_view(shared, Viewer(ANIA.guest, True, "en", "wide")).practice
    await hall.close()


@pytest.mark.parametrize("others", [(OPEN,), (BARTEK,)])
def test_practice_is_for_one_person(others):
    game = GAMES[FIRST]
    with pytest.raises(BadWish, match="Practice is for one person"):
        plan_game(game, game.options(), [ANIA, *others], ANIA.guest, seed="", hints=None, practice=True)


@pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning")
def test_the_server_carries_a_lesson(tmp_path):
    game, (first, *_) = GAMES[FIRST], GAMES[FIRST].lessons("de")
    with TestClient(build_app(lambda: SqliteStore(tmp_path / "games.db"))) as client:
        client.headers["accept-language"] = "de"
        (facts,) = (each for each in client.get("/api/games").json() if each["id"] == FIRST)
        assert facts["lessons"][0] == {"id": first.id, "title": first.title, "steps": len(first.steps)}
        wish = {"game": FIRST, "lesson": first.id}
        table = f"/api/games/{client.post('/api/games', json=wish, headers=once()).json()['id']}"
        view = client.get(f"{table}/view").json()
        assert view["lesson"]["text"] == first.steps[0].text
        step = first.steps[0]
        for move, status in (
            (next(each["move"] for each in view["scene"]["walks"]), 422),
            (step.moves[0], 200),
        ):
            body = {"seq": view["seq"], "move": move, "seat": 1}
            answer = client.post(f"{table}/moves", json=body, headers=once())
            assert answer.status_code == status
            assert status == 200 or answer.json()["detail"] == step.answer(move)
        seq = answer.json()["seq"]
        answer = client.post(f"{table}/lesson", json={"seq": seq, "step": 2}, headers=once())
        assert answer.status_code == 200
        assert client.get(f"{table}/view").json()["lesson"]["text"] == first.steps[1].text
        assert client.get("/api/games/mine").json() == [], "a lesson is found by its game"
        assert client.post("/api/games", json=wish | {"lesson": "x"}, headers=once()).status_code == 404
    assert game.lessons()[0].id == first.id
