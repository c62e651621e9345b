"""The same deal for several people: who plays it meets the same draws and the same answers, and learns
nothing of it before; first attempts stand apart. Every way we know to learn more is tried.
"""

import asyncio
import time
from datetime import date, timedelta

import msgspec
import pytest
from litestar.testing import TestClient

from kinds import FIRST
from mozaika import chance, kernel
from mozaika.games import GAMES
from mozaika.record import Record
from mozaika.server.app import build_app
from mozaika.store.sqlite import SqliteStore
from mozaika.table import attempts, deals
from mozaika.table.attempts import NotPlayed, begin, challenge, check_seen, knows, list_results
from mozaika.table.commands import name_opening
from mozaika.table.deals import can_challenge, daily_games, find_deal, list_days, note_end, plan_day
from mozaika.table.events import Occupant
from mozaika.table.hall import Hall
from mozaika.table.parting import forget, resign
from mozaika.table.refusals import NotAllowed, NotNow, NotThere
from mozaika.table.rematch import plan_on, plan_rematch
from mozaika.table.seating import SeatChange, change_seat
from mozaika.table.secrets import record_for
from mozaika.table.takeback import take_back
from mozaika.table.upkeep import strike_result
from mozaika.words import LANGUAGES
from server_process import once
from tables import ANIA, BARTEK, BOT, CELINA, ENGLISH, STRANGER, again, finish, move, seated

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"),
]
BEGINNER = Occupant("bot", "Beginner", bot="beginner")
LATER = 1_900_000_000.0
"""A moment of a day whose deals nobody has fixed yet."""


@pytest.fixture
async def hall(tmp_path):
    kernel.warm(GAMES[FIRST])
    store = SqliteStore(tmp_path / "games.db")
    hall = Hall(store, patience=0)
    yield hall
    await hall.close()
    await store.close()


@pytest.fixture
def clock(monkeypatch):
    """What time it is can be changed."""

    class Clock:
        now = LATER

        def time(self):
            return self.now

    clock = Clock()
    for module in (attempts, deals):
        monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr("mozaika.table.shared.time", clock.time)
    return clock


async def played(hall, *seats, **more):
    """A finished game against bots."""
    shared = hall.take_in(await seated(hall.store, *(seats or (ANIA, BOT)), **more))
    await finish(shared)
    return shared


async def challenged(hall, **more):
    shared = await played(hall, **more)
    return shared, await find_deal(hall.store, await challenge(hall, shared, ANIA.guest, "deal", "1.2.3.4"))


async def sit(hall, deal, who, key="key", address=""):
    opening = name_opening(who.name, key)
    table = await begin(hall, deal.id, who.guest, who.name, opening, address, ENGLISH)
    return await hall.find(table)


async def play(hall, deal, who, key="key", address=""):
    """A whole attempt."""
    shared = await sit(hall, deal, who, key, address)
    await finish(shared)
    await note_end(shared)
    return shared


async def results(hall, deal):
    found = list_results(deal, await hall.store.deals.attempts(deal.id))
    return tuple([(row.attempt.name, row.marks) for row in rows] for rows in (found.first, found.later))


def log(shared):
    return [(entry.seat, entry.move) for entry in shared.table.entries]


async def test_equal_moves_meet_equal_draws_and_equal_answers(hall):
    """The bots think, too: their random numbers begin where those of the first game did."""
    first, opened = await seated(hall.store, ANIA, BEGINNER), []
    hall.take_in(first)

    async def to_the_end(shared):
        while not shared.table.is_over:
            for seat, bot in shared.bots_to_move():
                thought = GAMES[FIRST].bots[bot](
                    GAMES[FIRST],
                    GAMES[FIRST].hide(shared.table.state, seat),
                    seat,
                    kernel.new_random(chance.luck_of_bot(shared.draws.seed(), shared.table.ply)),
                    None,
                )
                text = GAMES[FIRST].write_move(thought.move)
                await shared.submit(seat, shared.seq, f"bot {shared.seq}", text)
            if 0 in shared.table.movers:
                await move(shared, 0, choice=1)

    hall.bots.wake = lambda _: None
    await to_the_end(first)
    deal = await find_deal(hall.store, await challenge(hall, first, ANIA.guest, "deal", ""))
    for who in (BARTEK, CELINA):
        shared = await sit(hall, deal, who)
        assert shared.seats[1].bot == "beginner"
        assert shared.commitment == first.commitment == deal.about.commitment
        await to_the_end(shared)
        opened.append(log(shared))
    assert opened == [log(first)] * 2


async def test_only_a_whole_game_of_ones_own_against_bots_is_a_challenge(hall):
    running = await seated(hall.store, ANIA, BOT)
    assert not can_challenge(running, ANIA.guest)
    with pytest.raises(NotNow, match="Only a finished game"):
        await challenge(hall, running, ANIA.guest, "deal", "")
    shared = await played(hall)
    assert can_challenge(shared, ANIA.guest)
    assert not can_challenge(shared, STRANGER)
    for seats in ((ANIA, BARTEK), (ANIA, ANIA), (BOT, BOT)):
        other = await played(hall, *seats)
        assert not can_challenge(other, ANIA.guest), seats
    assert not can_challenge(await played(hall, practice=True), ANIA.guest)
    handed = hall.take_in(await seated(hall.store, ANIA, BOT))
    for wish in (SeatChange("bot", bot="random"), SeatChange("back")):
        await change_seat(handed, 1, wish, ANIA.guest, ENGLISH)
    await finish(handed)
    assert not can_challenge(handed, ANIA.guest), "a bot may have played a part of it"


async def test_a_challenge_is_made_once_and_outlives_its_table(hall):
    shared, deal = await challenged(hall)
    assert deal.about.by == "Ania"
    assert deal.about.bots == ["", "random"]
    seq = shared.seq
    assert await challenge(hall, shared, ANIA.guest, "another", "") == deal.id
    assert (shared.seq, (await again(shared)).deal) == (seq, deal.id)
    assert await forget(hall, shared.header.id, ANIA.guest)
    assert await results(hall, deal) == ([("Ania", [])], [])
    assert (await play(hall, deal, BARTEK)).table.is_over


async def test_first_attempts_stand_apart_from_later_ones(hall):
    _, deal = await challenged(hall)
    for key in ("one", "two"):
        await play(hall, deal, BARTEK, key)
    first, later = await results(hall, deal)
    assert sorted(first) == [("Ania", []), ("Bartek", [])]
    assert later == [("Bartek", ["again"])]


@pytest.mark.parametrize("kind", ["hints", "undo", "undo at the end", "seed"])
async def test_who_had_help_in_the_game_is_not_among_the_first(hall, kind):
    more = {"seed": "mine"} if kind == "seed" else {}
    shared = hall.take_in(await seated(hall.store, ANIA, BOT, **more))
    await move(shared, 0, choice=1)
    await move(shared, 1, choice=1)
    if kind == "hints":
        await hall.questions.give_hint(shared, ANIA.guest, 1, shared.seq)
    elif kind == "undo":
        await take_back(shared, ANIA.guest, shared.seq, "back")
    await finish(shared)
    if kind == "undo at the end":
        await take_back(shared, ANIA.guest, shared.seq, "back")
        await finish(shared)
    deal = await find_deal(hall.store, await challenge(hall, await again(shared), ANIA.guest, "deal", ""))
    assert await results(hall, deal) == ([], [("Ania", [kind.split()[0]])])


async def test_a_move_taken_back_before_anybody_answered_is_no_help(hall):
    shared = hall.take_in(await seated(hall.store, ANIA, BOT))
    hall.bots.wake = lambda _: None
    await move(shared, 0)
    await take_back(shared, ANIA.guest, shared.seq, "back")
    await finish(shared)
    deal = await find_deal(hall.store, await challenge(hall, shared, ANIA.guest, "deal", ""))
    assert await results(hall, deal) == ([("Ania", [])], [])


async def test_attempts_come_one_after_the_other(hall):
    """Nobody tries at a second table what they do at the first; who goes away has still begun."""
    _, deal = await challenged(hall)
    shared = await sit(hall, deal, BARTEK, "one")
    assert (await sit(hall, deal, BARTEK, "two")).header.id == shared.header.id
    assert (await sit(hall, deal, BARTEK, "one")).header.id == shared.header.id
    await resign(shared, BARTEK.guest, ENGLISH)
    await note_end(shared)
    other = await play(hall, deal, BARTEK, "three")
    assert other.header.id != shared.header.id
    assert (await results(hall, deal))[1] == [("Bartek", ["again"])]


async def test_who_forgets_an_attempt_has_made_it(hall):
    _, deal = await challenged(hall)
    shared = await sit(hall, deal, BARTEK, "one")
    assert await forget(hall, shared.header.id, BARTEK.guest)
    await play(hall, deal, BARTEK, "two")
    assert (await results(hall, deal))[1] == [("Bartek", ["again"])]


async def test_who_forgets_an_attempt_does_not_get_it_back_by_the_same_key(hall):
    """Its table would be made anew as the first attempt, by somebody who knows the draws."""
    _, deal = await challenged(hall)
    shared = await sit(hall, deal, BARTEK, "one")
    await move(shared)
    assert await forget(hall, shared.header.id, BARTEK.guest)
    with pytest.raises(NotNow):
        await sit(hall, deal, BARTEK, "one")
    await play(hall, deal, BARTEK, "two")
    assert await results(hall, deal) == ([("Ania", [])], [("Bartek", ["again"])])


async def test_an_attempt_whose_table_is_gone_for_long_does_not_come_back(hall, monkeypatch):
    """As after an operator has removed what nobody has looked at for weeks."""
    _, deal = await challenged(hall)
    shared = await sit(hall, deal, BARTEK, "one")
    await hall.store.forget(BARTEK.guest, shared.header.id, alone=True)
    hall.drop(shared)
    with monkeypatch.context() as much_later:
        much_later.setattr(attempts, "SECONDS_TO_RECOVER", -1.0)
        with pytest.raises(NotNow):
            await sit(hall, deal, BARTEK, "one")
    await play(hall, deal, BARTEK, "two")
    assert (await results(hall, deal))[1] == [("Bartek", ["again"])]


async def test_an_attempt_whose_table_was_not_made_is_made_when_it_is_asked_for_again(hall, monkeypatch):
    _, deal = await challenged(hall)

    async def fail(*_):
        raise OSError

    with monkeypatch.context() as broken:
        broken.setattr(hall, "create", fail)
        with pytest.raises(OSError):
            await sit(hall, deal, BARTEK, "one")
    shared = await sit(hall, deal, BARTEK, "one")
    assert shared.header.deal == deal.id
    [attempt] = await hall.store.deals.attempts(deal.id, BARTEK.guest)
    assert (attempt.game, attempt.number) == (shared.header.id, 1)


async def test_an_end_that_was_missed_is_noted_when_somebody_looks(hall):
    _, deal = await challenged(hall)
    shared = await sit(hall, deal, BARTEK)
    shared.listeners.clear()
    await finish(shared)
    mine = await hall.store.deals.attempts(deal.id, BARTEK.guest)
    assert not mine[0].ended
    assert await attempts.catch_up(hall, mine)
    assert await knows(hall.store, deal, BARTEK.guest)


async def test_the_hall_notes_the_end_by_itself(hall):
    _, deal = await challenged(hall)
    await finish(await sit(hall, deal, BARTEK))
    while not await knows(hall.store, deal, BARTEK.guest):
        await asyncio.sleep(0.01)


async def test_an_operator_strikes_a_result_and_it_stays_an_attempt(hall):
    _, deal = await challenged(hall)
    shared = await sit(hall, deal, BARTEK, "one")
    with pytest.raises(NotThere):  # it goes on
        await strike_result(hall.store, shared.header.id)
    await finish(shared)
    await note_end(shared)
    assert shared.header.id in await strike_result(hall.store, shared.header.id)
    with pytest.raises(NotThere):
        await strike_result(hall.store, shared.header.id)
    assert await results(hall, deal) == ([("Ania", [])], [])
    assert {each.name for each in await hall.store.deals.attempts(deal.id)} == {"Ania", ""}
    await play(hall, deal, BARTEK, "two")
    assert await results(hall, deal) == ([("Ania", [])], [("Bartek", ["again"])])


async def test_nobody_plays_a_deal_a_hundred_times(hall, monkeypatch):
    monkeypatch.setattr(attempts, "MOST_ATTEMPTS", 2)
    _, deal = await challenged(hall)
    for key in ("one", "two"):
        await play(hall, deal, BARTEK, key)
    with pytest.raises(NotNow, match="often enough"):
        await sit(hall, deal, BARTEK, "three")
    assert (await sit(hall, deal, BARTEK, "two")).table.is_over, "the same key finds the same table"


async def test_players_behind_one_address_are_marked_and_not_left_out(hall):
    _, deal = await challenged(hall)
    await play(hall, deal, BARTEK, address="1.2.3.4")
    await play(hall, deal, CELINA, address="5.6.7.8")
    first, _ = await results(hall, deal)
    assert sorted(first) == [("Ania", []), ("Bartek", ["connection"]), ("Celina", [])]
    places = [each.place for each in await hall.store.deals.attempts(deal.id)]
    assert not any("1.2" in place for place in places)


async def test_the_better_place_comes_first_and_then_the_better_points(hall):
    _, deal = await challenged(hall)

    def attempt(name, scores, ranks):
        outcome = msgspec.json.encode(deals.Outcome(scores, ranks)).decode()
        return attempts.KeptAttempt(name, deal.id, name, 1, name, "", 1.0, 2.0, outcome)

    rows = [attempt("c", [60, 61], [2, 1]), attempt("b", [40, 30], [1, 2]), attempt("a", [50, 20], [1, 2])]
    assert [row.attempt.name for row in list_results(deal, rows).first] == ["a", "b", "c"]


async def test_a_deal_is_the_same_for_everybody_while_it_is_played(hall):
    """No hints, nothing taken back that others have seen, no other people, no trying out."""
    _, deal = await challenged(hall)
    shared = await sit(hall, deal, BARTEK)
    hall.bots.wake = lambda _: None
    with pytest.raises(NotAllowed, match="no hints"):
        await hall.questions.give_hint(shared, BARTEK.guest, 1, shared.seq)
    await move(shared, 0)
    await take_back(shared, BARTEK.guest, shared.seq, "a slip")
    await move(shared, 0)
    await move(shared, 1)
    with pytest.raises(NotNow, match="Others play the same deal: nothing is taken back"):
        await take_back(shared, BARTEK.guest, shared.seq, "too late")
    for number, wish in ((1, "leave"), (1, "bot"), (2, "sit")):
        with pytest.raises(NotNow, match="everybody stays on their seat"):
            await change_seat(shared, number, SeatChange(wish), BARTEK.guest, ENGLISH)
    with pytest.raises(NotNow, match="try nothing out"):
        plan_on(shared, BARTEK.guest, None, True, ENGLISH, kernel.new_random(1))
    await finish(shared)
    with pytest.raises(NotNow, match="nothing is taken back"):
        await take_back(shared, BARTEK.guest, shared.seq, "at the end")
    other = plan_rematch(shared, BARTEK.guest)
    assert (other.deal, other.seed, other.hints) == ("", "", None)


async def test_the_game_that_became_a_challenge_stays_as_it_is(hall):
    shared, _ = await challenged(hall)
    with pytest.raises(NotNow, match="nothing is taken back"):
        await take_back(shared, ANIA.guest, shared.seq, "back")


async def test_who_has_not_played_a_deal_sees_nobody_play_it(hall):
    shared, deal = await challenged(hall)
    mine = await sit(hall, deal, BARTEK)
    await check_seen(shared, ANIA.guest)
    await check_seen(mine, BARTEK.guest)
    await check_seen(mine, ANIA.guest)
    for table, guest in ((shared, BARTEK.guest), (shared, STRANGER), (mine, STRANGER)):
        with pytest.raises(NotPlayed):
            await check_seen(table, guest)
    await resign(mine, BARTEK.guest, ENGLISH)
    await note_end(mine)
    with pytest.raises(NotPlayed):
        await check_seen(shared, BARTEK.guest)
    assert await attempts.shown_seed(hall.store, deal, BARTEK.guest) == ""
    await play(hall, deal, BARTEK, "again")
    await check_seen(shared, BARTEK.guest)
    assert await attempts.shown_seed(hall.store, deal, BARTEK.guest) == shared.shown_seed


async def test_a_deal_of_other_rules_is_not_played(hall, monkeypatch):
    _, deal = await challenged(hall)
    game = GAMES[FIRST]
    monkeypatch.setitem(GAMES, FIRST, type(game)(**{**vars(game), "version": game.version + 1}))
    with pytest.raises(NotNow, match="no longer played"):
        await sit(hall, deal, BARTEK)
    with pytest.raises(NotThere):
        await find_deal(hall.store, "nowhere")


async def test_a_game_from_a_position_is_a_challenge_too(hall):
    shared = await played(hall)
    later = plan_on(shared, ANIA.guest, shared.table.ply // 2, None, ENGLISH, kernel.new_random(1))
    shared, _ = await hall.create(later, name_opening("x", "y"))
    await finish(shared)
    deal = await find_deal(hall.store, await challenge(hall, shared, ANIA.guest, "deal", ""))
    other = await sit(hall, deal, BARTEK)
    assert other.table.game.write_position(other.table.state_at(0)) == later.position


# the deals of the days


async def test_the_deals_of_a_week_are_fixed_beforehand_and_stay_as_they_are(hall):
    days = await list_days(hall.store, 0, LATER)
    today = deals.day_of(LATER)
    assert len(days) == len(daily_games()) * (deals.DAYS_AHEAD + 1)
    assert {day.day for day in days} == {(today + timedelta(n)).isoformat() for n in range(8)}
    assert await list_days(hall.store, 0, LATER + 60) == days
    following = await list_days(hall.store, 0, LATER + 86_400)
    assert [day for day in following if day in days] == [day for day in days if day.day > today.isoformat()]
    for day in days:
        assert chance.commitment(await hall.store.deals.seed(day.id)) == day.about.commitment
        assert day.created == LATER <= day.ends


@pytest.mark.parametrize("game", daily_games(), ids=lambda game: game.id)
def test_every_opponent_and_every_seat_has_its_days(game):
    days = [plan_day(game, date(2026, 11, 18) + timedelta(n), "seed").bots for n in range(60)]
    seats, levels = game.seats.start, game.levels[1:-1]
    assert {bots.index("") for bots in days} == set(range(seats))
    assert {bot for bots in days for bot in bots if bot} == (set(levels) if seats > 1 else set())
    assert len(set(map(tuple, days))) == (seats * len(levels) if seats > 1 else 1)


async def test_the_seed_of_a_day_is_shown_when_the_day_is_over(hall, clock):
    await list_days(hall.store, 0, clock.now)
    day = await find_deal(hall.store, deals.name_day(GAMES[FIRST], deals.day_of(clock.now)))
    shared = await play(hall, day, ANIA)
    for guest in (ANIA.guest, STRANGER):
        assert await attempts.shown_seed(hall.store, day, guest) == ""
    assert shared.shown_seed is None
    record = record_for(shared, ANIA.guest)
    assert (record.seed, record.commitment) == ("", day.about.commitment)
    with pytest.raises(NotPlayed):
        await check_seen(shared, STRANGER)
    clock.now = day.ends
    seed = await attempts.shown_seed(hall.store, day, STRANGER)
    assert shared.shown_seed == seed
    await check_seen(shared, STRANGER)
    proof = Record.read(record_for(shared, STRANGER).write()).prove(day.about.commitment)
    assert not proof.faults


async def test_a_day_counts_while_it_lasts(hall, clock):
    await list_days(hall.store, 0, clock.now)
    day = await find_deal(hall.store, deals.name_day(GAMES[FIRST], deals.day_of(clock.now)))
    await play(hall, day, ANIA)
    begun = await sit(hall, day, BARTEK)
    clock.now = day.ends
    await finish(begun)
    await note_end(begun)
    await play(hall, day, CELINA)
    first, later = await results(hall, day)
    assert first == [("Ania", [])]
    assert sorted(later) == [("Bartek", ["late"]), ("Celina", ["late"])]


async def test_nobody_plays_tomorrow_today(hall, clock):
    coming = (await list_days(hall.store, 0, clock.now))[0]
    with pytest.raises(NotNow, match=f"from {coming.day} on"):
        await sit(hall, coming, ANIA)
    assert not await knows(hall.store, coming, ANIA.guest)
    assert await attempts.shown_seed(hall.store, coming, ANIA.guest) == ""


async def test_two_processes_fix_the_same_days(hall, tmp_path):
    await asyncio.gather(*(deals.prepare_days(hall.store, LATER) for _ in range(5)))
    days = await hall.store.deals.everything()
    assert len(days) == len(daily_games()) * (deals.DAYS_AHEAD + 1)
    for day in days:
        assert chance.commitment(await hall.store.deals.seed(day.id)) == deals.read_deal(day).about.commitment


# at the server


@pytest.fixture
def site(tmp_path):
    kernel.warm(GAMES[FIRST])
    app = build_app(lambda: SqliteStore(tmp_path / "site.db"), burst=100_000, per_second=100_000, patience=0)
    with TestClient(app) as client:
        yield Browser(client, "ania"), Browser(client, "bartek")


class Browser:
    """One of the guests at a server."""

    def __init__(self, client, name):
        self.client, self.who = client, {"Authorization": f"Bearer {name:x<20}"}

    def get(self, path, headers=None):
        return self.client.get(path, headers=self.who | (headers or {}))


def post(guest, path, body=None, key=None):
    headers = {"Idempotency-Key": key} if key else once()
    return guest.client.post(path, json=body or {}, headers=guest.who | headers)


def play_out(client, table):
    """Plays a game against bots to its end, with the first move there is that is no waste."""
    while True:
        view = client.get(f"/api/games/{table}/view").json()
        if view["over"]:
            return view
        if view["you"]["turn"]:
            state = Record.read(client.get(f"/api/games/{table}/record").text).state()
            seat = view["you"]["seat"]
            legal = GAMES[FIRST].legal_moves(state, seat - 1)
            text = GAMES[FIRST].write_move(legal[1 % len(legal)])
            post(client, f"/api/games/{table}/moves", {"seq": view["seq"], "move": text, "seat": seat})


SECRET_PATHS = (
    "view",
    "events",
    "record",
    "review",
    "hindsight",
    "letters",
    "log",
    "picture.svg",
    "picture.png",
    "points?ply=1&line=0",
)


def test_a_challenge_from_the_first_game_to_the_list(site):
    """Two whole games through the API take seconds: what is kept from whom is asked all along."""
    ania, bartek = site
    wish = {"game": FIRST, "seats": [{"kind": "me", "name": "Ania"}, {"kind": "bot", "bot": "random"}]}
    table = post(ania, "/api/games", wish).json()["id"]
    assert post(ania, f"/api/games/{table}/challenge").status_code == 409
    view = play_out(ania, table)
    assert (view["result"]["challenge"], view["deal"]) == (True, "")
    made = post(ania, f"/api/games/{table}/challenge").json()
    assert post(ania, f"/api/games/{table}/challenge").json() == made
    assert table not in made["url"]
    assert ania.get(f"/api/games/{table}/view").json()["deal"] == made["url"]
    seed, deal = view["seed"], made["id"]
    # what a stranger is told
    told = bartek.get(f"/api/deals/{deal}")
    assert told.json()["state"] == "new"
    assert [ask.get(f"/api/deals/{deal}").json()["yours"] for ask in site] == [True, False]
    assert (told.json()["by"], told.json()["seed"], told.json()["first"]) == ("Ania", None, [])
    page = bartek.get(f"/deal/{deal}", headers={"Accept": "text/html"})
    for text in (told.text, page.text):
        assert seed not in text
        assert table not in text
        assert str(view["result"]["scores"]) not in text
    for path in SECRET_PATHS:
        answer = bartek.get(f"/api/games/{table}/{path}")
        assert answer.status_code == 403, path
        assert seed not in answer.text
    for path in ("", "/review"):
        answer = bartek.get(f"/t/{table}{path}", headers={"Accept": "text/html"})
        assert answer.status_code == 403
        assert f"/deal/{deal}" in answer.text
    assert post(bartek, "/api/games", {"from": table, "ply": 3}).status_code == 403
    assert post(bartek, f"/api/games/{table}/rematch").status_code == 403
    assert post(bartek, f"/api/games/{table}/challenge").status_code == 403
    # Bartek plays it
    begun = post(bartek, f"/api/deals/{deal}/attempts", {"name": "Bartek"}, "the same key")
    assert begun.status_code == 201
    assert (
        post(bartek, f"/api/deals/{deal}/attempts", {"name": "Bartek"}, "the same key").json() == begun.json()
    )
    assert post(bartek, f"/api/deals/{deal}/attempts").json() == begun.json(), "one after the other"
    mine = begun.json()["id"]
    state = bartek.get(f"/api/deals/{deal}").json()
    assert (state["state"], state["table"], state["people"]) == ("running", f"/t/{mine}", 2)
    running = bartek.get(f"/api/games/{mine}/view").json()
    assert (running["seed"], running["hints"], running["undo"]["alone"]) == (None, False, False)
    assert seed not in bartek.get(f"/api/games/{mine}/record").text
    assert bartek.get(f"/api/games/{table}/view").status_code == 403
    assert play_out(bartek, mine)["seed"] == seed
    view = bartek.get(f"/api/deals/{deal}").json()
    assert (view["state"], view["seed"]) == ("played", seed)
    assert {row["name"] for row in view["first"]} == {"Ania", "Bartek"}
    assert [row["name"] for row in view["first"] if row["mine"]] == ["Bartek"]
    for each in (table, mine):
        assert bartek.get(f"/api/games/{each}/record").is_success
        assert ania.get(f"/api/games/{each}/view").is_success
    for lang in LANGUAGES:
        page = bartek.get(f"/deal/{deal}?lang={lang}", headers={"Accept": "text/html"})
        assert page.is_success
        assert "Ania" in page.text
    # a name is a text, and nobody is called like a bot
    answer = post(bartek, f"/api/deals/{deal}/attempts", {"name": "<b>x</b>"})
    assert answer.status_code == 422
    assert post(bartek, f"/api/deals/{deal}/attempts", {"name": "Champion"}).status_code == 422


def test_the_days_at_the_server(site):
    ania, _ = site
    days = ania.get("/api/daily").json()
    assert [each["game"] for each in days["now"]] == sorted(game.id for game in daily_games())
    assert {each["state"] for each in days["now"]} == {"new"}
    assert {each["state"] for each in days["coming"]} == {"coming"}
    assert not days["former"]
    for lang in LANGUAGES:
        page = ania.get(f"/daily?lang={lang}", headers={"Accept": "text/html"})
        assert page.is_success
        assert days["coming"][-1]["commitment"] in page.text
    for each in (*days["now"], *days["coming"]):
        view = ania.get(f"/api/deals/{each['id']}").json()
        assert (view["commitment"], view["seed"], view["shown"]) == (each["commitment"], None, False)
    coming = days["coming"][0]["id"]
    assert post(ania, f"/api/deals/{coming}/attempts").status_code == 409
    assert ania.get(f"/deal/{coming}", headers={"Accept": "text/html"}).is_success
    assert ania.get("/api/deals/nowhere").status_code == 404
    assert ania.get("/deal/nowhere", headers={"Accept": "text/html"}).status_code == 404
    for each in days["now"]:
        table = post(ania, f"/api/deals/{each['id']}/attempts", {"name": "Ania"}).json()["id"]
        view = ania.get(f"/api/games/{table}/view").json()
        assert view["commitment"] == each["commitment"]
        assert not view["hints"]
    assert {each["state"] for each in ania.get("/api/daily").json()["now"]} == {"running"}


def test_former_days_are_shown_and_played_apart(site):
    ania, bartek = site
    store, before = ania.client.app.state.hall.store, time.time() - 9 * 86_400
    ania.client.blocking_portal.call(deals.prepare_days, store, before)
    days = ania.get("/api/daily").json()
    former = next(each for each in days["former"] if each["game"] == FIRST)
    assert former["day"] < days["today"]
    view = ania.get(f"/api/deals/{former['id']}").json()
    assert (view["state"], view["shown"]) == ("new", True)
    assert chance.commitment(view["seed"]) == former["commitment"]
    table = post(ania, f"/api/deals/{former['id']}/attempts", {"name": "Ania"}).json()["id"]
    assert bartek.get(f"/api/games/{table}/view").is_success, "its draws are known"
    play_out(ania, table)
    assert ania.get(former["url"], headers={"Accept": "text/html"}).is_success, "her end is noted by now"
    view = bartek.get(f"/api/deals/{former['id']}").json()
    assert (view["first"], [row["marks"] for row in view["later"]]) == ([], [["after the day"]])
    page = ania.get("/daily", headers={"Accept": "text/html"}).text
    assert former["url"] in page
    assert view["seed"] in ania.get(former["url"], headers={"Accept": "text/html"}).text
