"""Compiling, caching and dispatching."""

import dataclasses
import subprocess
import sys
from threading import Thread

import numpy as np
import pytest

from kinds import KINDS
from mozaika import kernel
from mozaika.kernel import new_random, random_below, random_bits


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment or None
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_random_numbers_are_splitmix64_compiled_and_plain():
    known = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    random = new_random(0)
    assert [random_bits(random) for _ in range(3)] == known
    plain, fast = new_random(9), new_random(9)
    for n in (1, 2, 7, 100, 1 << 20):
        assert random_below(plain, n) == kernel.compiled(random_below)(fast, n) < n
    assert plain == fast


def test_the_compiler_is_not_imported_before_it_is_wanted():
    code = "import sys, mozaika; mozaika.Table('azul').play; print('numba' in sys.modules)"
    assert run(code).strip() == "False"


def test_plain_rules_until_the_compiled_ones_are_ready():
    code = (
        "from mozaika import Table, kernel\n"
        "table = Table('azul', seed=1)\n"
        "assert kernel.swift_game(table.game).legal is table.game.legal\n"
        "moves = table.legal_moves()\n"
        "kernel.warm(table.game)\n"
        "assert kernel.swift_game(table.game).legal is not table.game.legal\n"
        "assert table.legal_moves() == moves\n"
    )
    run(code)


def test_everything_runs_without_the_compiler():
    code = (
        "from mozaika import Table, kernel\n"
        "table = Table('azul', seed=1)\n"
        "kernel.warm(table.game)\n"
        "while not table.is_over: table.play(table.ask('greedy'))\n"
        "print(table.scores)\n"
    )
    assert run(code, NUMBA_DISABLE_JIT="1") == run(code)


def test_kernels_are_loaded_from_the_cache():
    code = (
        "from mozaika import GAMES, kernel\n"
        "for game in GAMES.values():\n"
        "    kernel.warm(game)\n"
        "    for verb in kernel.RULES:\n"
        "        stats = kernel.compiled(getattr(game, verb.__name__)).stats\n"
        "        assert sum(stats.cache_hits.values()) and not stats.cache_misses, verb\n"
    )
    for kind in KINDS:
        kernel.warm(kind.game)
    run(code)


def test_a_change_of_the_sources_moves_the_cache(tmp_path, monkeypatch):
    source = tmp_path / "rules.py"
    source.write_text("a", "utf-8")
    monkeypatch.setattr(kernel, "_sources", lambda: iter([source]))
    before = kernel.cache_folder()
    source.write_text("b", "utf-8")
    assert kernel.cache_folder() != before


def test_old_caches_are_cleared_away(tmp_path, monkeypatch):
    monkeypatch.setenv("MOZAIKA_CACHE", str(tmp_path / "cache"))
    mine = kernel.cache_folder()
    mine.mkdir()
    (mine.parent / "older").mkdir()
    assert kernel.clear_old_caches() == 1
    assert mine.exists()


def test_a_cache_that_cannot_be_written_is_elsewhere(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("no folder", "utf-8")
    monkeypatch.setenv("MOZAIKA_CACHE", str(blocked / "cache"))
    elsewhere = kernel.cache_folder().parent
    assert elsewhere.name.startswith("mozaika-kernels-")
    assert elsewhere.stat().st_mode & 0o077 == 0, "what lies in a cache is run, so it is nobody else's"
    assert kernel.cache_folder().parent == elsewhere


def test_two_games_cannot_share_a_record_type():
    game = KINDS[0].game
    with pytest.raises(ValueError, match="same record type"):
        kernel.register(dataclasses.replace(game, id="twin"))
    kernel.register(game)


def test_a_game_with_too_many_moves_is_refused():
    with pytest.raises(ValueError, match=f"searches have room for {kernel.MOST_MOVES}"):
        kernel.register(dataclasses.replace(KINDS[0].game, most_moves=kernel.MOST_MOVES + 1))


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
