"""Compiling, caching and dispatching."""

import dataclasses
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from types import CodeType, SimpleNamespace

import numpy as np
import pytest

from kinds import FIRST, KINDS
from mozaika import kernel
from mozaika.kernel import atoms, new_random, random_below, random_bits
from mozaika.kernel.cache import KernelCache
from mozaika.kernel.reach import reach
from nursery import BARE, Nursery


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment or None
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def bare() -> Iterator[Nursery]:
    nursery = Nursery(BARE)
    yield nursery
    nursery.close()


@pytest.fixture
def run_loaded(bare: Nursery, tmp_path: Path) -> Callable[..., str]:
    """Runs a script in a process that has the compiler but no kernel, perhaps with a cache of its own."""

    def call(code: str, cache: Path | None = None) -> str:
        first = f"import os; os.environ['MOZAIKA_CACHE'] = {str(cache)!r}\n" if cache else ""
        output = tmp_path / "output.txt"
        ended = bare.fork(output, "-c", first + code).wait()
        assert ended == 0, output.read_text("utf-8")
        return output.read_text("utf-8")

    return call


def test_random_numbers_are_splitmix64_compiled_and_plain():
    known = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    random = new_random(0)
    assert [random_bits(random) for _ in range(3)] == known
    plain, fast = new_random(9), new_random(9)
    for n in (1, 2, 7, 100, 1 << 20):
        assert random_below(plain, n) == kernel.compiled(random_below)(fast, n) < n
    assert plain == fast


def test_the_compiler_is_not_imported_before_it_is_wanted():
    code = f"import sys, mozaika; mozaika.Table({FIRST!r}).play; print('numba' in sys.modules)"
    assert run(code).strip() == "False"


def test_plain_rules_until_the_compiled_ones_are_ready(run_loaded):
    code = (
        "from mozaika import Table, kernel\n"
        f"table = Table({FIRST!r}, seed=1)\n"
        "assert kernel.swift_game(table.game).legal is table.game.legal\n"
        "moves = table.legal_moves()\n"
        "kernel.warm(table.game)\n"
        "assert kernel.swift_game(table.game).legal is not table.game.legal\n"
        "assert table.legal_moves() == moves\n"
    )
    run_loaded(code)


def test_everything_runs_without_the_compiler(run_loaded):
    code = (
        "from mozaika import Table, kernel\n"
        f"table = Table({FIRST!r}, seed=1)\n"
        "kernel.warm(table.game)\n"
        "while not table.is_over: table.play(table.ask('greedy'))\n"
        "print(table.scores)\n"
    )
    assert run(code, NUMBA_DISABLE_JIT="1") == run_loaded(code)


def test_kernels_are_loaded_from_the_cache(run_loaded):
    code = (
        "from mozaika import GAMES, kernel\n"
        "for game in GAMES.values():\n"
        "    kernel.warm(game)\n"
        "    for verb in kernel.RULES:\n"
        "        stats = kernel.compiled_rule(getattr(game, verb.__name__)).__wrapped__.stats\n"
        "        assert sum(stats.cache_hits.values()) and not stats.cache_misses, verb\n"
    )
    for kind in KINDS:
        kernel.warm(kind.game)
    run_loaded(code)


KERNEL = "def top(n):\n    return below(n) + STEP * len(ROWS)\n"
OTHER = np.array([1, 2])
BELOW = "def below(n):\n    return n + OTHER\n"


def reach_of(*, step=2, rows=(1, 2), other=OTHER, below=BELOW, kernel_code=KERNEL, file="here.py"):
    names = {"STEP": step, "ROWS": rows, "OTHER": other, "__name__": "somebodys.rules"}
    exec(compile(kernel_code + below, file, "exec"), names)
    return reach(names["top"], [])


@pytest.mark.parametrize(
    "edit",
    [
        {"step": 3},
        {"rows": (1, 3)},
        {"other": np.array([1, 3])},
        {"other": np.array([1, 2], np.int8)},
        {"below": BELOW.replace("+", "-")},
        {"kernel_code": KERNEL.replace("*", "+")},
    ],
)
def test_an_edit_of_whatever_a_kernel_reaches_compiles_it_anew(edit):
    assert reach_of(**edit) != reach_of()


@pytest.mark.parametrize(
    "edit", [{"file": "elsewhere.py"}, {"below": f"# a remark\n{BELOW}\nOTHERS = 3\ndef beside(): pass\n"}]
)
def test_an_edit_of_anything_else_does_not(edit):
    assert reach_of(**edit) == reach_of()


def test_a_search_is_compiled_anew_for_the_game_that_has_changed():
    from mozaika.search.playout import playouts

    game = KINDS[0].game
    edited = dataclasses.replace(game, apply=lambda state, seat, move: None)
    assert reach(playouts, [edited]) != reach(playouts, [game])
    for kind in KINDS:
        assert (reach(playouts, [kind.game]) == reach(playouts, [game])) == (kind.game is game)


@pytest.mark.parametrize("atom", atoms.ATOMS, ids=lambda atom: atom.__name__)
def test_an_edit_of_what_an_atomic_number_is_compiled_to_compiles_anew_what_uses_it(atom, monkeypatch):
    names = {"atom": atom, "__name__": "somebodys.rules"}
    exec("def top(numbers):\n    return atom(numbers, 0)\n", names)

    def now():
        return reach(names["top"], [])

    before, apart = now(), reach(random_below, [])
    with monkeypatch.context() as patched:
        patched.setattr(atoms, "PAUSE", ("llvm.another.pause", ()))
        assert now() != before
    with monkeypatch.context() as patched:
        patched.setattr(atoms._generate, "__code__", (lambda instruction: None).__code__)
        assert now() != before
    code = atoms.teach_atoms.__code__
    with monkeypatch.context() as patched:
        weaker = tuple("monotonic" if each == "seq_cst" else each for each in code.co_consts)
        assert weaker != code.co_consts
        patched.setattr(atoms.teach_atoms, "__code__", code.replace(co_consts=weaker))
        assert now() != before
        assert reach(random_below, []) == apart
    with monkeypatch.context() as patched:
        inner = tuple(_subtracting(each) for each in code.co_consts)
        assert inner != code.co_consts
        patched.setattr(atoms.teach_atoms, "__code__", code.replace(co_consts=inner))
        assert now() != before
    assert now() == before


def _subtracting(constant):
    """Byte code in which whatever adds, however deep inside, subtracts."""
    if constant == "add":
        return "sub"
    if not isinstance(constant, CodeType):
        return constant
    return constant.replace(co_consts=tuple(map(_subtracting, constant.co_consts)))


def test_a_batch_is_compiled_anew_when_what_its_threads_share_is(monkeypatch):
    from mozaika.doors.crew import attend

    before = reach(attend, [KINDS[0].game])
    monkeypatch.setattr(atoms, "_pause", lambda context, builder, signature, arguments: None)
    assert reach(attend, [KINDS[0].game]) != before


def test_a_constant_that_cannot_be_compared_is_refused():
    with pytest.raises(TypeError, match="top uses STEP, a dict"):
        reach_of(step={})


def test_only_what_nobody_uses_is_cleared_away(tmp_path, monkeypatch):
    monkeypatch.setenv("MOZAIKA_CACHE", str(tmp_path))
    for name, days in (("another checkout's", 1), ("nobody's", 31)):
        (tmp_path / name).write_text("code", "utf-8")
        os.utime(tmp_path / name, (time.time() - days * 86_400,) * 2)
    assert kernel.clear_unused() == 1
    assert [path.name for path in tmp_path.iterdir()] == ["another checkout's"]


PROBE = (
    "from mozaika import kernel\nfrom mozaika.kernel.compiler import loading\nrandom = kernel.new_random(1)\n"
)


def test_another_processor_has_other_files():
    """An image names the processor and its features when it is built and when it runs."""
    cache = KernelCache(random_below, print)
    common, other, features = (
        SimpleNamespace(magic_tuple=lambda about=about: ("linux", *about))
        for about in (("x86-64-v3", "+avx2"), ("generic", "+avx2"), ("x86-64-v3", ""))
    )
    assert cache._path((), common) == cache._path((), common)
    assert len({cache._path((), each) for each in (common, other, features)}) == 3


def test_a_broken_file_of_the_cache_is_made_anew(run_loaded, tmp_path):
    code = f"{PROBE}print(kernel.compiled(kernel.random_bits)(random))"
    cache = tmp_path / "cache"
    right = run_loaded(code, cache)
    (file,) = cache.glob("random_bits-*")
    whole = file.read_bytes()
    for broken in (b"", whole[:-1], whole[:40] + b"x" + whole[41:]):
        file.write_bytes(broken)
        assert run_loaded(code, cache) == right
        assert len(file.read_bytes()) > 1000, "the whole file is there again"


def test_a_kernel_that_has_moved_to_another_file_is_still_found(run_loaded, tmp_path):
    source = "from mozaika.kernel import kernel\n\n@kernel\ndef double(n):\n    return 2 * n\n"
    ask = "print(kernel.compiled(double)(21), dict(kernel.compiled(double).stats.cache_misses))"
    for name, missed in (("here", "{(int64,): 1}"), ("there", "{}")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text(source, "utf-8")
        find = f"import sys; sys.path.insert(0, {str(tmp_path / name)!r}); from {name} import double"
        code = f"from mozaika import kernel; {find}; {ask}"
        assert run_loaded(code, tmp_path / "cache").splitlines()[-1] == f"42 {missed}"


def test_who_only_loads_never_compiles(run_loaded, tmp_path):
    code = (
        f"{PROBE}"
        "try:\n"
        "    with loading():\n"
        "        kernel.compiled(kernel.random_bits)(random)\n"
        "except kernel.NotCompiled as missing:\n"
        "    print(missing)\n"
    )
    assert run_loaded(code, tmp_path / "cache").strip() == "random_bits"
    assert not list(tmp_path.glob("cache/*"))


def test_who_compiles_beside_ends_with_the_one_it_compiles_for():
    code = (
        "import os, subprocess, sys\n"
        "beside = 'import time; from mozaika.kernel.warming import yield_to; yield_to({}); time.sleep(60)'\n"
        "subprocess.Popen([sys.executable, '-c', beside.format(os.getpid())])\n"
        "os._exit(9)\n"
    )
    # both have the pipe, so this waits for the second one too
    ended = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, timeout=50)
    assert ended.returncode == 9


def test_bots_in_a_program_are_compiled_and_nobody_waits_who_does_not_want_to(run_loaded):
    code = (
        "from mozaika import GAMES, Table, kernel\n"
        "game = list(GAMES.values())[-1]\n"
        "table = Table(game, seed=1)\n"
        "with kernel.never_waiting():\n"
        "    table.ask('greedy', table.movers[0])\n"
        "    assert kernel.swift_game(game).legal is game.legal\n"
        "table.ask('greedy', table.movers[0])\n"
        "assert kernel.swift_game(game).legal is not game.legal\n"
        "assert kernel.swift_rule(game.apply) is not game.apply\n"
    )
    run_loaded(code)


def test_a_cache_that_cannot_be_written_is_elsewhere(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("no folder", "utf-8")
    monkeypatch.setenv("MOZAIKA_CACHE", str(blocked / "cache"))
    elsewhere = kernel.cache_folder()
    assert elsewhere.name.startswith("mozaika-kernels-")
    assert elsewhere.stat().st_mode & 0o077 == 0, "what lies in a cache is run, so it is nobody else's"
    assert kernel.cache_folder() == elsewhere


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_a_compiled_rule_works_on_the_very_state_it_is_given(kind):
    game, batch = kind.game, np.empty(3, kind.game.state)
    batch[:] = kind.start()
    plain, moves = batch[0].copy(), np.empty(game.most_moves, np.int32)
    seat = int(game.movers(plain)).bit_length() - 1
    game.legal(plain, seat, moves)
    game.apply(plain, seat, int(moves[0]))
    untouched = batch[0].tobytes()
    kernel.compiled_rule(game.apply)(batch[1], seat, int(moves[0]))
    assert [row.tobytes() for row in batch] == [untouched, plain.tobytes(), untouched]


def test_a_compiled_rule_reads_a_state_that_nobody_may_change():
    game, kept = KINDS[0].game, KINDS[0].start().tobytes()
    movers = kernel.compiled_rule(game.movers)
    assert movers(np.frombuffer(kept, game.state)[0]) == game.movers(KINDS[0].start())
    assert len(movers.__wrapped__.signatures) == 1, "nothing is compiled for it alone"


def test_two_games_cannot_share_a_record_type():
    game = KINDS[0].game
    with pytest.raises(ValueError, match="same record type"):
        kernel.register(dataclasses.replace(game, id="twin"))
    kernel.register(game)


def test_a_game_with_too_many_moves_is_refused():
    with pytest.raises(ValueError, match=f"searches have room for {kernel.MOST_MOVES}"):
        kernel.register(dataclasses.replace(KINDS[0].game, most_moves=kernel.MOST_MOVES + 1))


def test_a_game_for_more_than_searches_have_room_for_is_refused():
    with pytest.raises(ValueError, match=f"searches have room for {kernel.MOST_SEATS}"):
        kernel.register(dataclasses.replace(KINDS[0].game, seats=range(2, kernel.MOST_SEATS + 2)))


def test_a_search_wider_than_its_arrays_is_refused():
    from mozaika.search.alphabeta import WIDEST, Style

    Style(widest=WIDEST)
    for widest in (0, WIDEST + 1):
        with pytest.raises(ValueError, match=f"1 to {WIDEST} moves"):
            Style(widest=widest)


def test_compiled_rules_leave_the_other_threads_running():
    """The kernels release the interpreter lock: two threads play at the same time without harm."""
    from mozaika.search.playout import new_desk, playouts

    kind = KINDS[0]
    batches = [np.empty(2000, kind.game.state) for _ in range(2)]
    for batch in batches:
        batch[:] = kind.start()
    run = kernel.compiled(playouts)
    threads = [Thread(target=run, args=(batch, new_desk(3), 100_000)) for batch in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert batches[0].tobytes() == batches[1].tobytes()
