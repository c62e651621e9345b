"""A shared table: one door, each command once, undo by the policy, seats that change hands."""

import asyncio
import os
import subprocess
import sys
from random import Random

import pytest

from kinds import FIRST, KINDS
from mozaika import kernel
from mozaika.checks import Kind
from mozaika.games import GAMES
from mozaika.moves import IllegalMove, MoveError, UnknownMove
from mozaika.state import CHANCE
from mozaika.store import StoreError
from mozaika.table import bots, seating
from mozaika.table import hall as halls
from mozaika.table.commands import digest
from mozaika.table.events import Occupant
from mozaika.table.hall import Hall
from mozaika.table.plan import Plan, create_game
from mozaika.table.presence import WOKEN_AT_ONCE, Watchers
from mozaika.table.refusals import NotAllowed, NotNow, Stale
from mozaika.table.takeback import answer, may_answer, take_back
from tables import again as reload
from test_store import Watched

pytestmark = pytest.mark.anyio

ANIA, BARTEK, CELINA = (Occupant("person", name, digest(name)) for name in ("Ania", "Bartek", "Celina"))
OPEN, BOT = Occupant("open"), Occupant("bot", "greedy 2", bot="greedy")
RACES = 1_000


@pytest.fixture(autouse=True)
def compiled():
    for game in GAMES.values():
        kernel.warm(game)


async def create(store, *seats, seed="sunday"):
    game = GAMES[FIRST]
    options = game.read_options({"start": "1"})
    shared, _ = await create_game(store, Plan(game, options, seats or (ANIA, BARTEK), ANIA.guest, seed=seed))
    return shared


def mover(shared):
    return next(seat for seat in shared.table.movers if seat != CHANCE)


async def play(shared, command=None, choice=0, seat=None):
    seat = mover(shared) if seat is None else seat
    moves = shared.table.legal_moves(seat)
    command = command or f"{shared.seq}-{choice}"
    return await shared.submit(seat, shared.seq, command, moves[choice % len(moves)])


def memory(shared):
    """Everything that a log must bring back."""
    states = [shared.table.state_at(ply).tobytes() for ply in range(shared.table.ply + 1)]
    asked = (shared.asked, shared.agreed if shared.asked is not None else set())
    return (states, shared.table.entries, shared.seats, shared.seq, shared.entry_seqs, shared.commands, asked,
            shared.rematch, shared.links)  # fmt: skip


async def test_a_move_is_kept_then_shown(store):
    shared = await create(store)
    seen = asyncio.Event()
    shared.watchers[seen] = ""
    before = shared.seq
    assert await play(shared) == before + 1
    assert seen.is_set()
    assert mover(shared) == 1
    assert (await store.load(shared.header.id))[1][-1].kind == "move"


async def test_of_many_who_watch_those_at_the_table_are_woken_at_once_and_the_others_a_few_at_a_time(store):
    """Two hundred were told of each move in one go, and every other table waited for that."""
    shared = await create(store)
    crowd, player = [asyncio.Event() for _ in range(100)], asyncio.Event()
    shared.watchers.update(dict.fromkeys(crowd, "somebody") | {player: shared.seats[0].guest})
    shared.show()
    assert player.is_set()
    assert sum(bell.is_set() for bell in crowd) == WOKEN_AT_ONCE
    for bell in crowd[:5]:
        bell.clear()
    shared.show()  # something else has happened meanwhile
    await asyncio.wait_for(asyncio.gather(*(bell.wait() for bell in crowd)), 20)
    async with asyncio.timeout(20):
        while shared.watchers.unrung:
            await asyncio.sleep(0.001)
    small = crowd[:WOKEN_AT_ONCE]
    shared.watchers = Watchers()
    shared.watchers.update(dict.fromkeys(small, "somebody"))
    for bell in small:
        bell.clear()
    shared.show()
    assert all(bell.is_set() for bell in small), "a family is told at once"


async def test_nothing_is_shown_before_it_is_kept(store):
    shared = await create(store)
    watched = Watched(store)
    watched.may_begin.clear()
    before, seen = memory(shared), asyncio.Event()
    shared.watchers[seen] = ""
    task = asyncio.create_task(play(shared))
    await asyncio.sleep(0.05)
    assert memory(shared) == before
    assert not seen.is_set()
    assert not task.done(), "no answer either"
    watched.may_begin.set()
    await task
    assert memory(shared) != before
    assert seen.is_set()


@pytest.mark.parametrize(
    ("seat", "text", "error"),
    [(0, "nonsense", UnknownMove), (0, "", UnknownMove), (1, None, IllegalMove), (0, "start 1", IllegalMove)],
)
async def test_a_refused_move_changes_nothing(store, seat, text, error):
    shared = await create(store)
    before, log = memory(shared), await store.load(shared.header.id)
    with pytest.raises(error):
        await shared.submit(
            seat, shared.seq, "a-command", text if text is not None else shared.table.legal_moves()[0]
        )
    assert memory(shared) == before
    assert await store.load(shared.header.id) == log
    await shared.submit(0, shared.seq, "a-command", shared.table.legal_moves()[0])


async def test_a_refusal_speaks_the_players_language(store):
    shared = await create(store)
    said = set()
    for lang in ("en", "pl", "de"):
        with pytest.raises(MoveError) as refusal:
            await shared.submit(1, shared.seq, "c", shared.table.legal_moves()[0], lang)
        said.add(str(refusal.value))
    assert len(said) == 3


async def test_a_move_for_a_moment_that_has_passed_is_stale(store):
    shared = await create(store)
    await play(shared)
    before = memory(shared)
    for seq in (shared.seq - 1, shared.seq + 1, 0):
        with pytest.raises(Stale) as stale:
            await shared.submit(1, seq, "late", shared.table.legal_moves()[0])
        assert stale.value.seq == shared.seq
    assert memory(shared) == before


async def test_the_same_command_twice_is_one_move_and_one_answer(store):
    """P3, also for the move that ends a round, after which there are draws."""
    shared = await create(store)
    while shared.table.entries[-1].seat != CHANCE or shared.table.ply < 30:
        seq, seat, text = shared.seq, mover(shared), shared.table.legal_moves()[0]
        first = await shared.submit(seat, seq, f"c{seq}", text)
        kept = memory(shared)
        assert first == shared.seq
        for twin in (shared, await reload(shared)):
            assert await twin.submit(seat, seq, f"c{seq}", text) == first
            assert await twin.submit(seat, shared.seq, f"c{seq}", "something else") == first
            assert memory(twin) == kept
    log = (await store.load(shared.header.id))[1]
    assert len({(event.seat, event.command) for event in log if event.command}) == len(
        [event for event in log if event.kind == "move"]
    )


async def test_the_same_command_at_the_same_moment_is_one_move(store):
    shared = await create(store)
    twins = [shared, await reload(shared), await reload(shared)]
    seq, text = shared.seq, shared.table.legal_moves()[0]
    answers = await asyncio.gather(*(twins[n % 3].submit(0, seq, "same", text) for n in range(12)))
    assert set(answers) == {shared.seq}
    assert sum(event.command == "same" for event in (await store.load(shared.header.id))[1]) == 1


@pytest.mark.parametrize("kept", [False, True])
async def test_an_unknown_outcome_is_settled_by_the_log(store, kept):
    """P3: a failed COMMIT, and the same command once more."""
    shared = await create(store)
    watched = Watched(store)
    seq, text = shared.seq, shared.table.legal_moves()[0]
    watched.failing, watched.kept = True, kept
    if kept:
        assert await shared.submit(0, seq, "unknown", text) == seq + 1, "it looked, and the move was there"
    else:
        with pytest.raises(StoreError):
            await shared.submit(0, seq, "unknown", text)
        assert shared.seq == seq
    watched.failing = False
    assert await shared.submit(0, seq, "unknown", text) == seq + 1
    assert shared.table.legal_moves(0) == []
    assert memory(shared) == memory(await reload(shared))
    assert sum(event.command == "unknown" for event in (await store.load(shared.header.id))[1]) == 1


async def test_a_store_that_cannot_even_be_read_leaves_the_table_as_it_was(store, monkeypatch):
    shared = await create(store)
    watched, before = Watched(store), memory(shared)
    watched.failing = watched.kept = True

    async def broken(game):
        raise StoreError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(store, "load", broken)
        with pytest.raises(StoreError):
            await play(shared, "c")
    assert memory(shared) == before
    watched.failing = False
    assert await shared.submit(0, before[3], "c", shared.table.legal_moves()[0]) == before[3] + 1
    assert memory(shared) == memory(await reload(shared))


@pytest.mark.parametrize("races", [RACES // 4, pytest.param(RACES, marks=pytest.mark.long)])
async def test_for_each_position_exactly_one_of_four_clients_is_accepted(store, races: int):
    """P2: four clients with their own commands, at one table and at two processes' copies of it."""
    random = Random(2)
    raced = 0
    while raced < races:
        shared = await create(store, seed=str(raced))
        other = await reload(shared)
        while not shared.table.is_over and raced < races:
            seat, seq, moves = mover(shared), shared.seq, shared.table.legal_moves(mover(shared))
            doors = [shared, other, shared, other] if raced % 2 else [shared] * 4
            random.shuffle(doors)
            answers = await asyncio.gather(
                *(door.submit(seat, seq, f"{seq}-{n}", random.choice(moves)) for n, door in enumerate(doors)),
                return_exceptions=True,
            )
            won = [answer for answer in answers if isinstance(answer, int)]
            assert len(won) == 1, answers
            assert all(isinstance(answer, int | Stale) for answer in answers)
            raced += 1
            if shared.seq != won[0]:
                shared, other = other, shared
            if other.seq != shared.seq:
                with pytest.raises(Stale):
                    await other.submit(seat, other.seq, "behind", random.choice(moves))
            assert shared.seq == other.seq == won[0]
        assert memory(shared) == memory(other) == memory(await reload(shared))


async def test_a_table_of_another_process_catches_up_when_it_is_behind(store):
    shared = await create(store)
    other = await reload(shared)
    seen = asyncio.Event()
    other.watchers[seen] = ""
    await play(shared)
    await play(shared)
    with pytest.raises(Stale) as stale:
        await play(other, "behind")
    assert stale.value.seq == shared.seq
    assert memory(other) == memory(shared)
    assert seen.is_set(), "those who watch there see it"


async def test_bots_answer_through_the_same_door(store):
    hall = Hall(store, patience=0)
    shared = hall.take_in(await create(store, ANIA, BOT))
    for _ in range(6):
        if shared.table.is_over:
            break
        await shared.submit(0, shared.seq, f"c{shared.seq}", shared.table.legal_moves(0)[0])
        await until(lambda: shared.table.is_over or mover(shared) == 0)
    log = (await store.load(shared.header.id))[1]
    bots = [event for event in log if event.kind == "move" and event.seat == 1]
    assert len(bots) >= 5
    assert all(event.command for event in bots), "so that two processes cannot both move for it"
    assert memory(shared) == memory(await reload(shared))
    assert hall.moves == sum(event.kind == "move" for event in log)
    await hall.close()


async def until(condition):
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.005)


async def test_bots_play_a_whole_game_and_stop(store):
    hall = Hall(store, patience=0)
    shared, _ = await hall.create(
        Plan(GAMES[FIRST], GAMES[FIRST].read_options(), [BOT, BOT, BOT], ANIA.guest)
    )
    hall.look(shared, "here", plays=False)
    await until(lambda: shared.table.is_over and not hall.bots.thinking)
    assert memory(shared) == memory(await reload(shared))
    await hall.close()


async def test_a_bot_whose_game_was_changed_while_it_thought_moves_from_the_new_position(store, monkeypatch):
    hall = Hall(store, patience=0)
    shared = hall.take_in(await create(store, ANIA, BOT))
    think = shared.table.game.bots["greedy"]
    started, go = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(*arguments):
        loop.call_soon_threadsafe(started.set)
        asyncio.run_coroutine_threadsafe(go.wait(), loop).result(60)
        return think(*arguments)

    monkeypatch.setitem(shared.table.game.bots, "greedy", slow)
    await shared.submit(0, shared.seq, "first", shared.table.legal_moves(0)[0])
    await asyncio.wait_for(started.wait(), 60)
    await take_back(shared, ANIA.guest, shared.seq, "back")
    go.set()
    await until(lambda: not hall.bots.thinking)
    assert mover(shared) == 0, "it has not moved at a moment that is no more"
    await shared.submit(0, shared.seq, "second", shared.table.legal_moves(0)[1])
    await until(lambda: mover(shared) == 0 and not hall.bots.thinking)
    assert [entry.seat for entry in shared.table.entries[-2:]] == [0, 1]
    await hall.close()


async def test_a_bot_tries_again_after_the_store_has_failed(store, monkeypatch):
    monkeypatch.setattr(bots, "SECONDS_TO_RECOVER", 0.01)
    watched = Watched(store)
    shared = await create(store, BOT, ANIA)
    hall = Hall(store, patience=0)
    watched.failing = True
    hall.take_in(shared)
    await until(lambda: watched.commits > 3)
    watched.failing = False
    await until(lambda: mover(shared) == 1)
    await hall.close()


async def test_a_closed_hall_stops_its_bots(store):
    shared = await create(store, BOT, ANIA)
    hall = Hall(store, patience=60)
    hall.take_in(shared)
    assert hall.bots.thinking == 1
    await hall.close()
    await until(lambda: not hall.bots.thinking)
    await asyncio.sleep(0.01)
    assert not hall.bots.thinking


async def test_many_who_look_for_a_table_at_once_find_the_same_one(store):
    shared = await create(store)
    hall = Hall(store, patience=0)
    looking = [asyncio.create_task(hall.find(shared.header.id)) for _ in range(10)]
    await asyncio.sleep(0)
    looking[0].cancel()
    await asyncio.sleep(0)
    looking.append(asyncio.create_task(hall.find(shared.header.id)))
    found_tables = await asyncio.gather(*looking[1:])
    assert len(set(map(id, found_tables))) == 1
    assert await hall.find(shared.header.id) is found_tables[0]
    assert await hall.find("nowhere") is None
    await hall.close()


async def test_tables_that_nobody_watches_are_forgotten_and_found_again(store, monkeypatch):
    monkeypatch.setattr(halls, "MOST_TABLES", 2)
    hall = Hall(store, patience=0)
    options = GAMES[FIRST].read_options({})
    tables = [
        (await hall.create(Plan(GAMES[FIRST], options, [ANIA, BARTEK], ANIA.guest)))[0] for _ in range(4)
    ]
    assert len(hall.tables) == 2
    again = await hall.find(tables[0].header.id)
    assert again is not tables[0]
    assert memory(again) == memory(tables[0])
    await hall.close()


async def test_undo_is_free_among_bots_and_takes_their_moves_back_too(store):
    shared = await create(store, ANIA, BOT)
    before = shared.table.state.tobytes(), shared.table.ply, list(shared.entry_seqs)
    await play(shared)
    await play(shared, seat=1)
    assert await take_back(shared, ANIA.guest, shared.seq, "back") == (shared.seq, False)
    assert (shared.table.state.tobytes(), shared.table.ply, shared.entry_seqs) == before
    assert memory(shared) == memory(await reload(shared))


async def test_undo_is_free_on_one_screen(store):
    shared = await create(store, ANIA, Occupant("person", "Adam", ANIA.guest))
    states = [shared.table.state.tobytes()]
    for _ in range(3):
        await play(shared)
        states.append(shared.table.state.tobytes())
    for state in reversed(states[:-1]):
        await take_back(shared, ANIA.guest, shared.seq, f"back {shared.seq}")
        assert shared.table.state.tobytes() == state
    with pytest.raises(NotAllowed):
        await take_back(shared, ANIA.guest, shared.seq, "too far")


async def test_the_same_draws_come_again_after_an_undo(store):
    shared = await create(store, ANIA, Occupant("person", "Adam", ANIA.guest))
    while shared.table.entries[-1].seat != CHANCE or shared.table.ply < 30:
        before = shared.seq
        await play(shared)
    ended = shared.table.state.tobytes()
    assert shared.seq > before + 1
    await take_back(shared, ANIA.guest, shared.seq, "back")
    await play(shared, "again")
    assert shared.table.state.tobytes() == ended
    assert memory(shared) == memory(await reload(shared))


async def test_among_people_undo_asks_and_everybody_must_agree(store):
    shared = await create(store, ANIA, BARTEK, CELINA)
    before = shared.table.state.tobytes()
    await play(shared)
    moved = shared.table.state.tobytes()
    asked_at = shared.seq
    assert await take_back(shared, ANIA.guest, shared.seq, "please") == (shared.seq, True)
    assert shared.table.state.tobytes() == moved
    assert shared.asked == 0
    assert [may_answer(shared, who.guest) for who in (ANIA, BARTEK, CELINA, OPEN)] == [
        False,
        True,
        True,
        False,
    ]
    with pytest.raises(NotAllowed):
        await answer(shared, ANIA.guest, shared.seq, "mine", agree=True)
    with pytest.raises(NotAllowed):
        await answer(shared, digest("watcher"), shared.seq, "nosy", agree=True)
    await answer(shared, BARTEK.guest, shared.seq, "yes", agree=True)
    assert shared.table.state.tobytes() == moved
    assert not may_answer(shared, BARTEK.guest)
    assert memory(shared) == memory(await reload(shared))
    agreed_at = shared.seq
    after = await answer(shared, CELINA.guest, shared.seq, "yes, too", agree=True)
    assert shared.table.state.tobytes() == before
    assert shared.asked is None
    kept = memory(shared)
    for twin in (shared, await reload(shared)):
        assert await answer(twin, CELINA.guest, agreed_at, "yes, too", agree=True) == after == shared.seq
        assert await take_back(twin, ANIA.guest, asked_at, "please") == (asked_at + 1, True)
        assert memory(twin) == kept, "said twice is said once"


async def test_a_free_undo_sent_twice_is_one_undo(store):
    shared = await create(store, ANIA, Occupant("person", "Adam", ANIA.guest))
    await play(shared)
    await play(shared)
    seq = shared.seq
    first = await take_back(shared, ANIA.guest, seq, "back")
    kept = memory(shared)
    assert await take_back(shared, ANIA.guest, seq, "back") == first
    assert await take_back(shared, ANIA.guest, shared.seq, "back") == first
    assert memory(shared) == kept


async def test_a_refused_undo_leaves_the_move(store):
    shared = await create(store)
    await play(shared)
    moved = shared.table.state.tobytes()
    await take_back(shared, ANIA.guest, shared.seq, "please")
    await answer(shared, BARTEK.guest, shared.seq, "no", agree=False)
    assert shared.asked is None
    assert shared.table.state.tobytes() == moved
    with pytest.raises(NotAllowed):
        await answer(shared, BARTEK.guest, shared.seq, "yes after all", agree=True)
    assert memory(shared) == memory(await reload(shared))


async def test_a_move_cancels_the_asking(store):
    shared = await create(store)
    await play(shared)
    await take_back(shared, ANIA.guest, shared.seq, "please")
    await play(shared)
    assert shared.asked is None
    with pytest.raises(NotAllowed):
        await answer(shared, BARTEK.guest, shared.seq, "yes", agree=True)
    assert memory(shared) == memory(await reload(shared))


async def test_an_agreement_to_an_earlier_asking_does_not_count_for_a_later_one(store):
    shared = await create(store, ANIA, BARTEK, CELINA)
    await play(shared)
    moved = shared.table.state.tobytes()
    await take_back(shared, ANIA.guest, shared.seq, "please")
    await answer(shared, BARTEK.guest, shared.seq, "yes", agree=True)
    await answer(shared, CELINA.guest, shared.seq, "no", agree=False)
    await take_back(shared, ANIA.guest, shared.seq, "please!")
    await answer(shared, CELINA.guest, shared.seq, "well", agree=True)
    assert shared.table.state.tobytes() == moved
    assert may_answer(shared, BARTEK.guest)


async def test_somebody_who_asks_and_leaves_asks_no_more(store):
    shared = await create(store)
    await play(shared)
    moved = shared.table.state.tobytes()
    await take_back(shared, ANIA.guest, shared.seq, "please")
    await shared.sit(0, lambda _: OPEN)
    with pytest.raises(NotAllowed):
        await answer(shared, BARTEK.guest, shared.seq, "yes", agree=True)
    assert shared.table.state.tobytes() == moved


async def test_who_watches_cannot_take_anything_back(store):
    shared = await create(store)
    await play(shared)
    for guest in ("", digest("watcher"), BARTEK.guest):
        with pytest.raises(NotAllowed):
            await take_back(shared, guest, shared.seq, "c")


async def test_an_undo_is_judged_at_the_moment_it_happens(store):
    """Not at an earlier one, when it would still have been free."""
    shared = await create(store, ANIA, Occupant("person", "Adam", ANIA.guest))
    await play(shared)
    seq = shared.seq
    watched = Watched(store)
    watched.may_begin.clear()
    sitting = asyncio.create_task(shared.sit(1, lambda _: BARTEK))
    await asyncio.sleep(0.02)
    settled = seq + 4  # he sits, and an epoch of draws begins
    undoing = asyncio.create_task(take_back(shared, ANIA.guest, settled, "back"))
    await asyncio.sleep(0.02)
    watched.may_begin.set()
    await sitting
    assert await undoing == (settled + 1, True), "it asks Bartek"


async def test_seats_change_hands(store):
    shared = await create(store, ANIA, OPEN)
    assert shared.seats_of(BARTEK.guest) == []
    await shared.sit(1, lambda _: BARTEK)
    assert shared.seats_of(BARTEK.guest) == [1]
    assert shared.other_guests(ANIA.guest) == {BARTEK.guest}
    await shared.sit(1, lambda sitting: Occupant("bot", sitting.name, sitting.guest, "greedy"))
    assert shared.other_guests(ANIA.guest) == {BARTEK.guest}, "who sits behind a bot is asked, too"
    await play(shared)
    assert shared.bots_to_move() == [(1, "greedy")]
    await shared.sit(1, lambda sitting: Occupant("person", sitting.name, sitting.guest))
    assert shared.bots_to_move() == []
    await shared.sit(0, lambda _: OPEN)
    assert shared.seats == [OPEN, BARTEK]
    assert memory(shared) == memory(await reload(shared))


async def test_of_two_who_want_a_seat_one_gets_it(store):
    shared = await create(store, ANIA, OPEN)

    def claim(who):
        def change(sitting):
            if sitting.kind != "open":
                raise NotAllowed("taken")
            return who

        return change

    answers = await asyncio.gather(
        shared.sit(1, claim(BARTEK)), shared.sit(1, claim(CELINA)), return_exceptions=True
    )
    assert sorted(map(type, answers), key=str) == [int, NotAllowed]
    assert shared.seats[1] == BARTEK


async def test_a_link_opens_the_table_and_another_does_not(store):
    hall = Hall(store, patience=0)
    shared, link = await hall.create(
        Plan(GAMES[FIRST], GAMES[FIRST].read_options(), [ANIA, OPEN], ANIA.guest)
    )
    assert await seating.is_admitted(shared, ANIA.guest)
    with pytest.raises(NotAllowed):
        await seating.enter(shared, BARTEK.guest, "wrong")
    assert not await seating.is_admitted(shared, BARTEK.guest)
    await seating.enter(shared, BARTEK.guest, link)
    assert await seating.is_admitted(shared, BARTEK.guest)
    newer = "a newer link"
    await seating.make_link(shared, ANIA.guest, newer)
    again = await reload(shared)
    await seating.enter(again, CELINA.guest, newer)
    assert await seating.is_admitted(again, CELINA.guest)
    kept = str(await store.load(shared.header.id))
    assert link not in kept
    assert newer not in kept
    await hall.close()


@pytest.mark.parametrize("kind", KINDS, ids=repr)
async def test_a_log_brings_back_the_table_at_any_moment(store, kind: Kind):
    random = Random(repr(kind))
    people = [Occupant("person", f"P{n}", digest(str(n))) for n in range(kind.seats)]
    shared, _ = await create_game(
        store, Plan(kind.game, kind.options, people, people[0].guest, seed=repr(kind))
    )
    checks = 0
    for step in range(60):
        if shared.table.is_over:
            break
        guest = random.choice(people).guest
        try:
            match random.randrange(12):
                case 0:
                    await take_back(shared, guest, shared.seq, f"undo {step}")
                case 1:
                    await answer(shared, guest, shared.seq, f"answer {step}", agree=random.random() < 0.8)
                case 2:
                    who = random.choice([*people, OPEN, BOT])
                    await shared.sit(random.randrange(kind.seats), lambda _, who=who: who)
                case 3:
                    await shared.announce("link", str(step))
                case _ if shared.table.movers == [CHANCE]:  # the board waits for somebody
                    await shared.sit(shared.seats.index(OPEN), lambda _: people[0])
                case _:
                    await play(shared, choice=random.randrange(1000))
        except (NotAllowed, NotNow):
            continue
        if random.random() < 0.3:
            checks += 1
            assert memory(await reload(shared)) == memory(shared)
    assert checks > 5
    assert memory(await reload(shared)) == memory(shared)


SAME_BOTS = """
import asyncio, sys
from pathlib import Path
from mozaika.games import GAMES
from mozaika.store.sqlite import SqliteStore
from mozaika.table.hall import Hall
from mozaika.table.plan import Plan
from mozaika.table.events import Occupant

async def play():
    store = SqliteStore(Path(sys.argv[1]))
    hall = Hall(store, patience=0)
    seats = [Occupant("bot", name, bot="random") for name in ("A", "B")]
    game = next(iter(GAMES.values()))
    shared, _ = await hall.create(Plan(game, game.read_options(), seats, "nobody", seed="sunday"))
    hall.look(shared, "here", plays=False)
    while shared.table.ply < 40 and not shared.table.is_over:
        await asyncio.sleep(0.01)
    print([tuple(entry) for entry in shared.table.entries[:40]])
    await hall.close()
    await store.close()

asyncio.run(play())
"""


def test_a_bot_plays_the_same_in_every_process(tmp_path):
    games = [
        subprocess.run(
            [sys.executable, "-c", SAME_BOTS, str(tmp_path / f"{salt}.db")],
            env={**os.environ, "PYTHONHASHSEED": salt},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for salt in ("1", "2")
    ]
    assert games[0].count("(") == 40
    assert games[0] == games[1]
