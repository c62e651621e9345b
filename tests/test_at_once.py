"""Seats that move at the same time do not wait for each other at a shared table."""

import asyncio

import pytest

from kinds import KINDS, Kind, moves_at_once
from mozaika import kernel
from mozaika.game import CHANCE, Budget, MoveError
from mozaika.games import GAMES
from mozaika.server.views import Viewer, build_view, tell_log
from mozaika.store.sqlite import SqliteStore
from mozaika.table.commands import digest
from mozaika.table.hall import Hall
from mozaika.table.plan import Plan, create_game
from mozaika.table.refusals import NotAllowed, Stale
from mozaika.table.shared import Occupant, SharedTable
from mozaika.table.takeback import answer, take_back
from tables import again as reload

pytestmark = pytest.mark.anyio

PEOPLE = [Occupant("person", name, digest(name)) for name in ("Ania", "Bartek", "Celina", "Darek")]
BOT = Occupant("bot", "greedy", bot="greedy")


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def store(tmp_path):
    for game in GAMES.values():
        kernel.warm(game)
    store = SqliteStore(tmp_path / "games.db")
    yield store
    await store.close()


async def create(store, kind: Kind, *seats: Occupant) -> SharedTable:
    """A table of this kind at the first moment at which several may move; None if there is none."""
    people = [*seats, *PEOPLE][: kind.seats]
    live, _ = await create_game(store, Plan(kind.game, kind.options, people, PEOPLE[0].guest, seed="sunday"))
    for _ in range(400):
        movers = live.table.movers
        if len(movers) > 1 or not movers:
            break
        await move(live, movers[0])
    return live


async def move(
    live: SharedTable, seat: int, seq: int | None = None, choice: int = 0, command: str = ""
) -> int:
    moves = live.table.legal_moves(seat)
    name = command or f"{seat}-{live.seq}-{choice}"
    return await live.submit(seat, live.seq if seq is None else seq, name, moves[choice % len(moves)])


AT_ONCE = [kind for kind in KINDS if moves_at_once(kind)]
every_kind = pytest.mark.parametrize("kind", AT_ONCE, ids=repr)


@every_kind
async def test_all_may_move_from_the_same_moment_in_any_order(store, kind: Kind):
    live = await create(store, kind)
    seq = live.seq
    for seat in reversed(range(kind.seats)):
        assert seat in live.table.movers
        await move(live, seat, seq)
    assert [entry.seat for entry in live.table.entries if entry.seat != CHANCE] == [
        *reversed(range(kind.seats))
    ]
    assert (await reload(live)).table.state.tobytes() == live.table.state.tobytes()


@every_kind
async def test_all_may_move_at_the_same_time_from_several_processes(store, kind: Kind):
    live = await create(store, kind)
    twins = [await reload(live) for _ in range(kind.seats)]
    await asyncio.gather(*(move(twin, seat, live.seq) for seat, twin in enumerate(twins)))
    last = await reload(live)
    assert sorted(entry.seat for entry in last.table.entries if entry.seat != CHANCE) == [*range(kind.seats)]


@every_kind
async def test_a_command_sent_twice_is_one_move_also_when_others_moved_between(store, kind: Kind):
    live = await create(store, kind)
    seq = live.seq
    first = await move(live, 0, seq, command="first")
    await move(live, 1, seq)
    entries = live.table.entries
    assert await live.submit(0, seq, "first", "anything") == first
    assert live.table.entries == entries


async def test_who_has_moved_does_not_move_again_from_an_old_moment(store):
    live = await create(store, AT_ONCE[1])
    seq = live.seq
    await move(live, 0, seq)
    with pytest.raises(Stale):
        await live.submit(0, seq, "again", "aside")
    with pytest.raises(MoveError):
        await live.submit(0, live.seq, "again", "aside")


async def test_a_move_for_the_card_before_is_stale(store):
    """After a draw an old choice means something else."""
    live = await create(store, AT_ONCE[0])
    seq = live.seq
    await move(live, 0, seq)
    await move(live, 1, seq)
    assert live.table.entries[-1].seat == CHANCE
    for seat in range(2):
        with pytest.raises(Stale):
            await live.submit(seat, seq, f"late {seat}", "aside")


async def test_a_refused_move_changes_nothing_also_from_an_old_moment(store):
    live = await create(store, AT_ONCE[0])
    seq = live.seq
    await move(live, 0, seq)
    before = live.table.entries
    with pytest.raises(MoveError):
        await live.submit(1, seq, "wrong", "nonsense")
    assert live.table.entries == before


@every_kind
async def test_a_move_that_nothing_hangs_on_is_taken_back_without_asking(store, kind: Kind):
    """Also after others have moved beside it: theirs stay."""
    live = await create(store, kind)
    start = live.table.state.tobytes()
    if kind.seats == 2:
        await move(live, 0)
        assert await take_back(live, PEOPLE[0].guest, live.seq, "back") == (live.seq, False)
        assert live.table.state.tobytes() == start
        return
    seq = live.seq
    await move(live, 0, seq, choice=1)
    await move(live, 1, seq, choice=2)
    after = [live.table.entries[-1]]
    viewer = Viewer(PEOPLE[1].guest, admitted=True, lang="en", shape="wide")
    seen = build_view(live, viewer)
    assert build_view(live, Viewer(PEOPLE[0].guest, admitted=True, lang="en", shape="wide")).undo.free
    _, asked = await take_back(live, PEOPLE[0].guest, live.seq, "back")
    assert not asked
    assert [entry for entry in live.table.entries if entry.seat != CHANCE] == after
    assert 0 in live.table.movers
    assert 1 not in live.table.movers
    news = build_view(live, viewer, seen=seen.seq)
    lines = [line for line in seen.log if line.ply < news.log_stands] + news.log
    assert lines == tell_log(live, Viewer("", False, "en", "wide"), 0, news.plies), (
        "the log of a viewer is right"
    )
    again = await reload(live)
    assert (again.table.state.tobytes(), again.entry_seqs) == (live.table.state.tobytes(), live.entry_seqs)
    await move(live, 0)


async def test_a_move_before_a_draw_is_taken_back_by_consent(store):
    live = await create(store, AT_ONCE[0])
    seq = live.seq
    await move(live, 0, seq)
    await move(live, 1, seq)
    _, asked = await take_back(live, PEOPLE[0].guest, live.seq, "back")
    assert asked
    await answer(live, PEOPLE[1].guest, live.seq, "yes", agree=True)
    assert 0 in live.table.movers


async def test_after_a_taking_back_an_old_moment_does_not_count(store):
    live = await create(store, AT_ONCE[1])
    seq = live.seq
    await move(live, 0, seq)
    await take_back(live, PEOPLE[0].guest, live.seq, "back")
    with pytest.raises(Stale):
        await live.submit(1, seq, "late", "aside")
    await move(live, 1)


async def test_a_watcher_takes_nothing_back(store):
    live = await create(store, AT_ONCE[0])
    await move(live, 0)
    with pytest.raises(NotAllowed):
        await take_back(live, digest("nobody"), live.seq, "back")


async def test_bots_move_at_once_and_wait_for_nobody(store):
    """All bots move while a person thinks; what the person then does counts."""
    hall = Hall(store, patience=0, budget=Budget(nodes=20, milliseconds=50))
    kind = max(AT_ONCE, key=lambda kind: kind.seats)
    company = [PEOPLE[0], *[BOT] * (kind.seats - 1)]
    live, _ = await hall.create(Plan(kind.game, kind.options, company, PEOPLE[0].guest, seed="monday"))
    seq = live.seq
    for _ in range(400):
        if live.table.movers == [0]:
            break
        await asyncio.sleep(0.02)
    assert live.table.movers == [0]
    assert live.seq == seq + kind.seats - 1
    await live.submit(0, seq, "mine", live.table.legal_moves(0)[-1])
    assert live.table.entries[-1].seat == CHANCE
    await hall.close()
