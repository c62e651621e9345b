"""Seats that move at the same time do not wait for each other at a shared table."""

import asyncio

import pytest

from kinds import KINDS, moves_at_once
from mozaika import kernel
from mozaika.checks import Kind
from mozaika.games import GAMES
from mozaika.moves import MoveError
from mozaika.server.views import Viewer, build_view, tell_log
from mozaika.state import CHANCE
from mozaika.table.commands import digest
from mozaika.table.events import Occupant
from mozaika.table.hall import Hall
from mozaika.table.plan import Plan, create_game
from mozaika.table.refusals import NotAllowed, Stale
from mozaika.table.shared import SharedTable
from mozaika.table.takeback import answer, take_back
from mozaika.thought import Budget
from tables import again as reload

pytestmark = pytest.mark.anyio

PEOPLE = [Occupant("person", name, digest(name)) for name in ("Ania", "Bartek", "Celina", "Darek")]
BOT = Occupant("bot", "greedy", bot="greedy")


@pytest.fixture(autouse=True)
def compiled():
    for game in GAMES.values():
        kernel.warm(game)


async def create(store, kind: Kind, *seats: Occupant) -> SharedTable:
    """A table of this kind at the first moment at which several may move; None if there is none."""
    people = [*seats, *PEOPLE][: kind.seats]
    shared, _ = await create_game(
        store, Plan(kind.game, kind.options, people, PEOPLE[0].guest, seed="sunday")
    )
    for _ in range(400):
        movers = shared.table.movers
        if len(movers) > 1 or not movers:
            break
        await move(shared, movers[0])
    return shared


async def move(
    shared: SharedTable, seat: int, seq: int | None = None, choice: int = 0, command: str = ""
) -> int:
    moves = shared.table.legal_moves(seat)
    name = command or f"{seat}-{shared.seq}-{choice}"
    return await shared.submit(seat, shared.seq if seq is None else seq, name, moves[choice % len(moves)])


AT_ONCE = [kind for kind in KINDS if moves_at_once(kind)]
every_kind = pytest.mark.parametrize("kind", AT_ONCE, ids=repr)


@every_kind
async def test_all_may_move_from_the_same_moment_in_any_order(store, kind: Kind):
    shared = await create(store, kind)
    seq = shared.seq
    for seat in reversed(range(kind.seats)):
        assert seat in shared.table.movers
        await move(shared, seat, seq)
    assert [entry.seat for entry in shared.table.entries if entry.seat != CHANCE] == [
        *reversed(range(kind.seats))
    ]
    assert (await reload(shared)).table.state.tobytes() == shared.table.state.tobytes()


@every_kind
async def test_all_may_move_at_the_same_time_from_several_processes(store, kind: Kind):
    shared = await create(store, kind)
    twins = [await reload(shared) for _ in range(kind.seats)]
    await asyncio.gather(*(move(twin, seat, shared.seq) for seat, twin in enumerate(twins)))
    last = await reload(shared)
    assert sorted(entry.seat for entry in last.table.entries if entry.seat != CHANCE) == [*range(kind.seats)]


@every_kind
async def test_a_command_sent_twice_is_one_move_also_when_others_moved_between(store, kind: Kind):
    shared = await create(store, kind)
    seq = shared.seq
    first = await move(shared, 0, seq, command="first")
    await move(shared, 1, seq)
    entries = shared.table.entries
    assert await shared.submit(0, seq, "first", "anything") == first
    assert shared.table.entries == entries


async def test_who_has_moved_does_not_move_again_from_an_old_moment(store):
    shared = await create(store, AT_ONCE[1])
    seq = shared.seq
    await move(shared, 0, seq)
    with pytest.raises(Stale):
        await shared.submit(0, seq, "again", "aside")
    with pytest.raises(MoveError):
        await shared.submit(0, shared.seq, "again", "aside")


async def test_a_move_for_the_card_before_is_stale(store):
    """After a draw an old choice means something else."""
    shared = await create(store, AT_ONCE[0])
    seq = shared.seq
    await move(shared, 0, seq)
    await move(shared, 1, seq)
    assert shared.table.entries[-1].seat == CHANCE
    for seat in range(2):
        with pytest.raises(Stale):
            await shared.submit(seat, seq, f"late {seat}", "aside")


async def test_a_refused_move_changes_nothing_also_from_an_old_moment(store):
    shared = await create(store, AT_ONCE[0])
    seq = shared.seq
    await move(shared, 0, seq)
    before = shared.table.entries
    with pytest.raises(MoveError):
        await shared.submit(1, seq, "wrong", "nonsense")
    assert shared.table.entries == before


@every_kind
async def test_a_move_that_nothing_hangs_on_is_taken_back_without_asking(store, kind: Kind):
    """Also after others have moved beside it: theirs stay."""
    shared = await create(store, kind)
    start = shared.table.state.tobytes()
    if kind.seats == 2:
        await move(shared, 0)
        assert await take_back(shared, PEOPLE[0].guest, shared.seq, "back") == (shared.seq, False)
        assert shared.table.state.tobytes() == start
        return
    seq = shared.seq
    await move(shared, 0, seq, choice=1)
    await move(shared, 1, seq, choice=2)
    after = [shared.table.entries[-1]]
    viewer = Viewer(PEOPLE[1].guest, admitted=True, lang="en", shape="wide")
    seen = build_view(shared, viewer)
    assert build_view(shared, Viewer(PEOPLE[0].guest, admitted=True, lang="en", shape="wide")).undo.free
    _, asked = await take_back(shared, PEOPLE[0].guest, shared.seq, "back")
    assert not asked
    assert [entry for entry in shared.table.entries if entry.seat != CHANCE] == after
    assert 0 in shared.table.movers
    assert 1 not in shared.table.movers
    news = build_view(shared, viewer, seen=seen.seq)
    lines = [line for line in seen.log if line.ply < news.log_stands] + news.log
    assert lines == tell_log(shared, viewer, 0, news.plies), "the log of a viewer is right"
    again = await reload(shared)
    assert (again.table.state.tobytes(), again.entry_seqs) == (
        shared.table.state.tobytes(),
        shared.entry_seqs,
    )
    await move(shared, 0)


async def test_a_move_before_a_draw_is_taken_back_by_consent(store):
    shared = await create(store, AT_ONCE[0])
    seq = shared.seq
    await move(shared, 0, seq)
    await move(shared, 1, seq)
    _, asked = await take_back(shared, PEOPLE[0].guest, shared.seq, "back")
    assert asked
    await answer(shared, PEOPLE[1].guest, shared.seq, "yes", agree=True)
    assert 0 in shared.table.movers


async def test_after_a_taking_back_an_old_moment_does_not_count(store):
    shared = await create(store, AT_ONCE[1])
    seq = shared.seq
    await move(shared, 0, seq)
    await take_back(shared, PEOPLE[0].guest, shared.seq, "back")
    with pytest.raises(Stale):
        await shared.submit(1, seq, "late", "aside")
    await move(shared, 1)


async def test_a_watcher_takes_nothing_back(store):
    shared = await create(store, AT_ONCE[0])
    await move(shared, 0)
    with pytest.raises(NotAllowed):
        await take_back(shared, digest("nobody"), shared.seq, "back")


async def test_bots_move_at_once_and_wait_for_nobody(store):
    """All bots move while a person thinks; what the person then does counts."""
    hall = Hall(store, patience=0, budget=Budget(nodes=20, milliseconds=50))
    kind = max(AT_ONCE, key=lambda kind: kind.seats)
    company = [PEOPLE[0], *[BOT] * (kind.seats - 1)]
    shared, _ = await hall.create(Plan(kind.game, kind.options, company, PEOPLE[0].guest, seed="monday"))
    seq = shared.seq
    for _ in range(400):
        if shared.table.movers == [0]:
            break
        await asyncio.sleep(0.02)
    assert shared.table.movers == [0]
    assert shared.seq == seq + kind.seats - 1
    await shared.submit(0, seq, "mine", shared.table.legal_moves(0)[-1])
    assert shared.table.entries[-1].seat == CHANCE
    await hall.close()
