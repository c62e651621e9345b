"""Hints and the evaluation: what is said, to whom, at which tables; and that nothing hidden is in them."""

import asyncio
import threading
from functools import partial
from io import StringIO

import msgspec
import numpy as np
import pytest
from litestar.testing import TestClient
from rich.console import Console

from mozaika.games import GAMES
from mozaika.server.app import build_app
from mozaika.server.facts import facts_of
from mozaika.server.guard import Buckets
from mozaika.state import CHANCE, WATCHER
from mozaika.store import Header
from mozaika.store.sqlite import SqliteStore
from mozaika.table import Table
from mozaika.table.advice import advise, evaluate, think
from mozaika.table.events import Occupant
from mozaika.table.hall import Hall
from mozaika.table.levels import MANNERS, adviser, opponents, usual_opponent
from mozaika.table.plan import Plan
from mozaika.table.refusals import Stale
from mozaika.terminal import PERSON, Terminal
from mozaika.thought import LEVELS, Alternative, Budget, Thought
from server_process import once
from test_secrets import NAME, shared_table, twins  # noqa: F401  a fixture
from test_server import BOT, ME, OPEN, SCREEN, is_problem, open_table, play, post, sit, view_of
from thinkers import POINTS, RATINGS, SHARE, thinking
from thinkers import think as know_all

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)


@pytest.fixture
def thinkers(monkeypatch):
    """All games with bots that answer at once and say what they expect."""
    for name, game in GAMES.items():
        monkeypatch.setitem(GAMES, name, thinking(game))


@pytest.fixture
def client(thinkers, tmp_path):
    app = build_app(lambda: SqliteStore(tmp_path / "games.db"), burst=10_000, per_second=10_000, patience=0)
    with TestClient(app) as client:
        yield client


def ask(client, table, what="hint", **wish):
    view = view_of(client, table)
    asked = {"seq": view["seq"], **({"seat": view["you"]["seat"]} if what == "hint" else {}), **wish}
    return client.post(f"{table}/{what}", json=asked)


def play_to_the_end(client, table):
    while not view_of(client, table)["over"]:
        assert play(client, table).status_code == 200


def somebody_else(client):
    """The same server without the cookie of who asked before."""
    client.cookies.clear()


def test_levels_are_offered_in_order_with_their_manners_and_ratings(thinkers, monkeypatch):
    monkeypatch.setattr("mozaika.game.Game.ratings", lambda self: RATINGS)
    for lang in ("en", "pl", "de"):
        for facts in facts_of(lang):
            assert [bot.id for bot in facts.bots] == list(LEVELS), "random and greedy are no opponents"
            assert facts.usual_bot == "casual"
            assert all(bot.about.endswith(".") for bot in facts.bots)
            assert (facts.bots[3].rating, facts.bots[3].interval) == ("1450", "1430–1470")
    assert set(MANNERS) == set(LEVELS)


def test_where_a_game_has_no_levels_its_bots_are_offered(monkeypatch):
    game = GAMES["azul"]
    without = {name: bot for name, bot in game.bots.items() if name not in LEVELS}
    bare = type(game)(**{**vars(game), "bots": without})
    assert opponents(bare) == tuple(without)
    assert usual_opponent(bare) in without
    assert adviser(bare) == list(without)[-1]
    assert adviser(thinking(game)) == "expert"


def test_a_hint_says_the_move_its_points_the_expectation_and_the_line(client):
    table, _ = open_table(client, ME, BOT, options={"start": "1"})
    before = view_of(client, table)
    answer = ask(client, table)
    assert answer.status_code == 200, answer.text
    hint = answer.json()
    walks = {walk["move"]: walk["spots"] for walk in before["scene"]["walks"]}
    [walk] = hint["way"]["walks"]
    assert (walk["move"], walk["spots"]) == (hint["move"], walks[hint["move"]])
    assert hint["headline"].startswith("Take ")
    assert hint["move"] not in hint["headline"], "words and no notation"
    assert {each["kind"] for each in hint["arguments"]} <= {"gains", "denies", "risks"}
    assert hint["arguments"]
    other = hint["other"]
    assert other["headline"].startswith("Take ")
    assert other["compared"] == "With this one it puts your chance at 57%, not 62%."
    assert other["way"]["walks"][0]["spots"] == walks[other["move"]]
    assert hint["expects"] == "It puts your chance of winning at 62%, the score at about 54 : 47."
    assert [told["seat"] for told in hint["follows"]] == [2, 1, 2]
    assert [told["text"].partition(" ")[0] for told in hint["follows"]] == ["takes", "You", "takes"]
    assert [told["to_you"] for told in hint["follows"]] == [False, True, False]
    assert hint["shares"] == pytest.approx([SHARE, 1 - SHARE])
    after = view_of(client, table)
    assert after == before, "asking changes nothing"


@pytest.mark.parametrize(
    ("lang", "expects"),
    [
        ("pl", "Ocenia szansę na zwycięstwo na 62%, a wynik na około 54 : 47 pkt."),
        ("de", "Schätzt die Siegchance auf 62\u00a0%, den Endstand auf etwa 54 : 47 Punkte."),
    ],
)
def test_hints_speak_the_language_of_who_asks(client, lang, expects):
    table, _ = open_table(client, ME, BOT, options={"start": "1"})
    english = ask(client, table).json()
    client.cookies.set("lang", lang)
    hint = ask(client, table).json()
    assert hint["expects"] == expects
    assert hint["move"] == english["move"]
    assert hint["headline"] != english["headline"]
    assert all(told["text"] for told in hint["arguments"])
    assert [told["kind"] for told in hint["arguments"]] == [told["kind"] for told in english["arguments"]]


def test_who_plays_alone_is_told_the_points(client):
    table, _ = open_table(client, ME, game="fits")
    hint = ask(client, table).json()
    assert hint["expects"] == "It expects about 54 points."
    assert hint["other"]["compared"] == "There it expects about 51 points, not 54."


@pytest.mark.parametrize(
    ("seats", "hints", "allowed"),
    [
        ((ME, BOT), None, True),
        ((ME, SCREEN), None, True),
        ((ME, BOT), False, False),
        ((ME, OPEN), None, False),
        ((ME, OPEN), True, True),
    ],
)
def test_where_hints_are_allowed(client, seats, hints, allowed):
    table, _ = open_table(client, *seats, hints=hints, options={"start": "1"})
    assert view_of(client, table)["hints"] == allowed
    for what in ("hint", "evaluate"):
        answer = ask(client, table, what)
        waits = OPEN in seats and allowed  # nothing is dealt before somebody has sat down
        assert (
            answer.status_code == 200 if allowed and not waits else is_problem(answer, 409 if waits else 403)
        )
    if not allowed:
        assert "There are no hints at this table" in answer.json()["detail"]


def test_where_somebody_else_sits_down_the_hints_end(client):
    table, link = open_table(client, ME, SCREEN, options={"start": "1"})
    assert ask(client, table).status_code == 200
    assert sit(client, table, 2, "leave").status_code == 200
    assert is_problem(ask(client, table), 403)
    owner = dict(client.cookies)
    somebody_else(client)
    client.post(f"{table}/enter", json={"token": link}, headers=once())
    assert sit(client, table, 2).status_code == 200
    client.cookies.clear()
    client.cookies.update(owner)
    assert is_problem(ask(client, table), 403)


def test_the_owners_decision_holds_for_the_rematch_and_after_a_restart(client):
    table, _ = open_table(client, ME, SCREEN, hints=False)
    play_to_the_end(client, table)
    again = client.post(f"{table}/rematch", headers=once()).json()["id"]
    client.app.state.hall.tables.clear()
    assert not view_of(client, f"/api/games/{again}")["hints"]


def test_playing_on_from_a_table_without_hints_brings_none_while_its_game_runs(client):
    table, _ = open_table(client, ME, OPEN)
    for hints in (None, True):
        on = client.post(
            "/api/games", json={"from": table.rsplit("/", 1)[1], "hints": hints}, headers=once()
        ).json()["id"]
        assert not view_of(client, f"/api/games/{on}")["hints"]


def test_a_table_from_before_there_were_hints_is_still_read():
    kept = b'{"id":"a","game":"azul","version":1,"options":{},"seats":2,"seed":"s","owner":"","link":""}'
    assert msgspec.json.decode(kept, type=Header).hints is None


def test_a_stale_question_is_refused(client):
    table, _ = open_table(client, ME, SCREEN, options={"start": "1"})
    seq = view_of(client, table)["seq"]
    move = view_of(client, table)["scene"]["walks"][0]["move"]
    assert post(client, f"{table}/moves", seq=seq, seat=1, move=move).status_code == 200
    for answer in (ask(client, table, seq=seq, seat=1), ask(client, table, "evaluate", seq=seq)):
        assert is_problem(answer, 409)
        assert answer.json()["seq"] > seq


def test_a_hint_is_for_ones_own_seat_and_turn(client):
    table, _ = open_table(client, ME, BOT, SCREEN, options={"start": "1"})
    assert is_problem(ask(client, table, seat=2), 403)
    other = ask(client, table, seat=3)
    assert is_problem(other, 409)
    assert other.json()["detail"] == "It is not your turn."
    wish = {"seq": view_of(client, table)["seq"], "seat": 1}
    somebody_else(client)
    assert is_problem(client.post(f"{table}/hint", json=wish), 403)
    assert ask(client, table, "evaluate").status_code == 200, "who watches sees what everybody knows"


def test_in_a_finished_game_there_is_nothing_to_ask_but_about_its_past(client):
    table, _ = open_table(client, ME, SCREEN)
    play_to_the_end(client, table)
    for answer in (ask(client, table, seat=1), ask(client, table, "evaluate")):
        assert is_problem(answer, 409)
        assert answer.json()["detail"] == "The game is over."
    plies = view_of(client, table)["plies"]
    found = ask(client, table, "evaluate", ply=plies - 1)
    assert found.status_code == 200
    assert sum(found.json()["shares"]) == pytest.approx(1)
    assert is_problem(ask(client, table, "evaluate", ply=plies), 409), "there nothing is to come"
    assert is_problem(ask(client, table, "evaluate", ply=0), 409), "nothing was drawn yet"
    late = ask(client, table, "evaluate", ply=plies - 1, seq=1)
    assert late.json()["shares"] == found.json()["shares"], "the past does not grow stale"


def test_who_asks_too_much_is_told_to_wait(client):
    client.app.state.limits.questions.guest = Buckets(burst=2, per_second=0.01)
    table, _ = open_table(client, ME, BOT, options={"start": "1"})
    answers = [ask(client, table, "evaluate") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) >= 1


def test_an_evaluation_is_made_once_for_a_moment(client, monkeypatch):
    asked = []

    def note(*arguments):
        asked.append(arguments[2])
        return know_all(*arguments)

    monkeypatch.setitem(GAMES["azul"].bots, "expert", note)
    table, _ = open_table(client, ME, SCREEN, options={"start": "1"})
    first = ask(client, table, "evaluate").json()
    assert first["shares"] == pytest.approx([SHARE, 1 - SHARE])
    assert first["points"] == pytest.approx([POINTS, POINTS - 7])
    assert ask(client, table, "evaluate").json() == first
    somebody_else(client)
    assert ask(client, table, "evaluate").json() == first
    assert len(asked) == 1


@pytest.mark.anyio
async def test_an_evaluation_that_the_game_has_overtaken_is_not_made(tmp_path, thinkers):
    store = SqliteStore(tmp_path / "games.db")
    hall = Hall(store, budget=Budget(nodes=1))
    seats = [Occupant("person", "Ann", "ann"), Occupant("person", "Ben", "ann")]
    game = GAMES["azul"]
    shared, _ = await hall.create(Plan(game, game.read_options({"start": "1"}), seats, "ann"))
    over = threading.Event()
    first = asyncio.create_task(hall.questions._evaluators.pool.ask("elsewhere", partial(over.wait, 60)))
    await asyncio.sleep(0)  # somebody else is evaluated first
    waiting = asyncio.create_task(hall.questions.evaluate(shared, "ann", shared.seq))
    await asyncio.sleep(0)
    await shared.submit(0, shared.seq, "first", shared.table.legal_moves(0)[0])
    over.set()
    await first
    with pytest.raises(Stale):
        await waiting
    assert (await hall.questions.evaluate(shared, "ann", shared.seq)).shares
    await hall.close()
    await store.close()


def wary(game, view, seat, random, budget=None):
    """A bot whose every word depends on every byte of what it is shown."""
    seen = np.frombuffer(view.tobytes(), np.uint8).astype(np.int64)
    number = int((seen * np.arange(1, len(seen) + 1)).sum()) % 100_003
    moves = game.legal_moves(view, seat)
    return Thought(moves[number % len(moves)], shares=(number / 100_003, 0.5), points=(number, 0))


def moments(entries, guest):
    """Everything that could be said to a guest about every moment of a game."""
    shared = shared_table(entries)
    game, words = shared.table.game, shared.table.game.words()
    for ply in range(shared.table.ply):
        state = shared.table.state_at(ply)
        viewer = {"ann": 0, "ben": 1}.get(guest, WATCHER)
        view, movers = game.hide(state, viewer), game.movers(state)
        if movers >> CHANCE:
            continue
        yield evaluate(game, "expert", view, viewer, Budget(nodes=1))
        if viewer != WATCHER and movers >> viewer & 1:
            thought = think(game, "expert", view, viewer, Budget(nodes=1))
            yield advise(game, view, viewer, thought, shared.names(words), words)


@pytest.mark.parametrize(
    ("guest", "same"),
    [("ben", True), ("", True), ("ann", False)],
    ids=["the other", "a watcher", "who knows"],
)
def test_nothing_hidden_is_in_a_hint_or_an_evaluation(twins, guest, same, monkeypatch):  # noqa: F811
    game = GAMES[NAME]
    monkeypatch.setitem(game.bots, "expert", wary)
    one, other = (list(moments(entries, guest)) for entries in twins)
    assert len(one) > 20
    assert (one == other) == same


def test_a_bot_that_says_nothing_more_gives_its_move():
    table = Table("azul", 2, seed=5, start="1")
    thought = table.think("greedy")
    advice = advise(table.game, table.state, 0, thought, table.names, table.words)
    assert advice.move == table.ask("greedy")
    assert advice.expects == ""
    assert advice.follows == []
    assert advice.other is None
    assert advice.headline.startswith("Take ")


def test_the_terminal_says_the_same():
    table = Table(thinking(GAMES["azul"]), 2, seed=5, start="1", names=["Ann", "Ben"])
    console = Console(file=StringIO(), width=200)
    assert Terminal(table, [PERSON, "greedy"], console)._hint("")
    lines = console.file.getvalue().splitlines()
    assert lines[0].startswith("Take ")
    assert lines[0].endswith(f" ({table.ask('expert')})"), "it can be typed"
    assert lines[1].startswith("  · ")
    assert "It puts your chance of winning at 62%, the score at about 54 : 47." in lines
    other = lines[lines.index("Next best:") + 1 :]
    assert other[0].startswith("Take ")
    assert "With this one it puts your chance at 57%, not 62%." in other
    follows = lines[lines.index("Then perhaps:") + 1 :]
    assert [line.partition(":")[0] for line in follows] == ["Ben", "Ann", "Ben"]


@pytest.mark.parametrize(
    ("shares", "points", "expects"),
    [
        ((0.25, 0.75), (), "It puts your chance of winning at 75%."),
        ((), (3.2, -4.8), "It expects about −5 : 3 points."),
        ((0.1, 0.3, 0.6), (1, 2, 3), "It puts your chance of winning at 30%, the score at about 2 : 1 : 3."),
    ],
)
def test_expectations_name_the_own_points_first(shares, points, expects):
    table = Table("azul", 3, seed=5, start="2")
    thought = Thought(table.think("greedy").move, shares=shares, points=points)
    assert advise(table.game, table.state, 1, thought, table.names, table.words).expects == expects


@pytest.mark.parametrize(
    ("shares", "there", "compared"),
    [
        ((0.5, 0.5), (0.5, 0.5), "It finds both about equally good."),
        ((0.5, 0.5), (0.6, 0.4), "It finds both about equally good."),
        ((0.5, 0.5), (0.41, 0.59), "With this one it puts your chance at 41%, not 50%."),
        ((), (), ""),
    ],
)
def test_the_next_best_move_is_compared(shares, there, compared):
    table = Table("azul", 2, seed=5, start="1")
    first, second, *_ = table.game.legal_moves(table.state, 0)
    thought = Thought(first, shares=shares, other=Alternative(second, shares=there))
    other = advise(table.game, table.state, 0, thought, table.names, table.words).other
    assert (other.move, other.compared) == (table.game.write_move(second), compared)


@pytest.mark.parametrize("game", GAMES)
def test_every_move_can_be_advised_in_words_with_a_reason(game):
    """Moves of games at random, in every language: no notation, no blanks, no English left."""
    table, number, told = Table(game, GAMES[game].seats[-1], seed=7), 0, 0
    texts = {lang: table.game.words(lang) for lang in ("en", "pl", "de")}
    while not table.is_over and number < 60:
        seat = table.movers[0]
        moves = table.game.legal_moves(table.state, seat)
        if seat != CHANCE:
            view = table.game.hide(table.state, seat)
            for move in moves[:: max(1, len(moves) // 3)]:
                said = {
                    lang: table.game.suggest(view, seat, move, table.names, words)
                    for lang, words in texts.items()
                }
                assert ">" not in said["en"].text, "words and no notation"
                assert len({suggestion.text for suggestion in said.values()}) == 3
                assert len({len(suggestion.arguments) for suggestion in said.values()}) == 1
                for one, two in zip(said["en"].arguments, said["de"].arguments, strict=True):
                    assert one.kind == two.kind
                    assert one.text != two.text
                assert said["en"].arguments, said["en"].text
                told += 1
        table.play(table.game.write_move(moves[number % len(moves)]), seat=seat)
        number += 1
    assert told > 50


@pytest.mark.parametrize(
    ("game", "bot"),
    [("azul", "expert"), ("fits", "expert")],
    ids=["a tree", "sampled cards"],
)
def test_a_search_says_which_move_is_next_best(game, bot):
    table = Table(game, 2, seed=3)
    seat = table.movers[0]
    thought = table.think(bot, seat, Budget(nodes=90))
    assert thought.other is not None
    assert thought.other.move != thought.move
    assert table.game.is_legal(table.state, seat, thought.other.move)
    assert sum(thought.other.shares) == pytest.approx(1, abs=0.01)
