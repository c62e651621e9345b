"""How rules are compiled, cached and dispatched.

Rules and searches are plain functions marked with `@kernel`; CPython runs them as they are. `compiled(f)`
gives the same function compiled by Numba, which is imported only then. A search calls the verbs below
(`legal(state, ...)`): inside compiled code a verb resolves, at compile time, to the rules of the game whose
record it is given; in plain code it looks them up by the record's dtype.
"""

import dataclasses
import hashlib
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import platformdirs

from mozaika.game import CHANCE, Budget, Floats, Game, Ints, Random, State

F = TypeVar("F", bound=Callable[..., Any])

KERNEL_FILES = ("pieces.py", "rules.py", "outlook.py", "bot.py", "weights.npz")
"""The files of a game that are compiled."""

_kernels: list[Callable[..., Any]] = []
_apart: set[Callable[..., Any]] = set()
_compiled: dict[Callable[..., Any], Callable[..., Any]] = {}
_games: dict[np.dtype[Any], Game] = {}
_ready: set[tuple[Callable[..., Any], Any]] = set()
_swift_games: dict[str, Game] = {}
_thread = threading.local()
_lock = threading.RLock()


def kernel(function: F) -> F:
    """Mark a plain function that compiled code may call."""
    _kernels.append(function)
    return function


def apart(function: F) -> F:
    """Mark a kernel that is compiled once. All others are copied to where they are called, which is faster,
    but copies of copies of large ones would keep the compiler busy for minutes.
    """
    _apart.add(function)
    return kernel(function)


def movers(state: State) -> int:
    """Bit mask of the seats that may act."""
    return _games[state.dtype].movers(state)


def legal(state: State, seat: int, out: Ints) -> int:
    """Fill `out` with the legal moves of a seat."""
    return _games[state.dtype].legal(state, seat, out)


def weigh(state: State, out: Ints) -> int:
    """Fill `out` with the weights of what CHANCE may do."""
    return _games[state.dtype].weigh(state, out)


def apply(state: State, seat: int, move: int) -> None:
    """Play a move in place."""
    _games[state.dtype].apply(state, seat, move)


def scores(state: State, out: Ints) -> None:
    """Fill `out` with the points of each seat."""
    _games[state.dtype].scores(state, out)


def ranks(state: State, out: Ints) -> None:
    """Fill `out` with the place of each seat."""
    _games[state.dtype].ranks(state, out)


def appraise(state: State, shares: Floats, points: Floats) -> None:
    """Fill in the share of the victory and the points that each seat can expect."""
    _games[state.dtype].appraise(state, shares, points)  # type: ignore[misc]


def rate(state: State, seat: int, moves: Ints, n: int, out: Floats) -> None:
    """Fill `out` with how good each of the first n moves looks at first sight."""
    _games[state.dtype].rate(state, seat, moves, n, out)  # type: ignore[misc]


def candidates(state: State, seat: int, out: Ints) -> int:
    """Fill `out` with the legal moves that are worth a search's time; all, where the game does not say."""
    game = _games[state.dtype]
    return (game.candidates or game.legal)(state, seat, out)


def promise(state: State, seat: int) -> int:
    """How good things look for a seat that has just moved."""
    return _games[state.dtype].promise(state, seat)  # type: ignore[misc]


RULES: tuple[Callable[..., Any], ...] = (movers, legal, weigh, apply, scores, ranks)
VERBS: tuple[Callable[..., Any], ...] = (*RULES, appraise, rate, candidates, promise)


MOST_MOVES = 10_240
"""The room that searches have for the legal moves of a seat."""


def register(game: Game) -> None:
    """Let the verbs know a game; its record type must be its own."""
    if game.most_moves > MOST_MOVES:
        raise ValueError(f"{game.id} has up to {game.most_moves} moves; searches have room for {MOST_MOVES}.")
    other = _games.setdefault(game.state, game)
    if other.id != game.id:
        raise ValueError(f"{game.id} and {other.id} have the same record type; add a field to one.")


def compiled(function: F) -> F:
    """The compiled form of a `@kernel`. It is compiled at its first call, or loaded from the cache."""
    with _lock:
        if function not in _compiled:
            _compiled[function] = _numba().njit(cache=True, nogil=True)(function)
        return _compiled[function]  # type: ignore[return-value]


@contextmanager
def compiling() -> Iterator[None]:
    """In this thread, for a while: `swift` waits for the compiler instead of running plain code."""
    before = getattr(_thread, "compiling", False)
    _thread.compiling = True
    try:
        yield
    finally:
        _thread.compiling = before


def swift(function: F, state: Any = None) -> F:
    """A `@kernel`, compiled if it is ready and plain if not, so that people never wait for the compiler.

    What works on the states of several games is ready for each of them apart: `state` is their dtype.
    """
    if (function, state) in _ready:
        return compiled(function)
    if not getattr(_thread, "compiling", False):
        return function

    def first_call(*arguments: Any) -> Any:
        result = compiled(function)(*arguments)
        _ready.add((function, state))
        return result

    return first_call  # type: ignore[return-value]


def swift_game(game: Game) -> Game:
    """The same game with all its rules swift."""
    if game.id in _swift_games:
        return _swift_games[game.id]
    rules = {verb.__name__: getattr(game, verb.__name__) for verb in RULES}
    fast = dataclasses.replace(game, **{name: swift(rule) for name, rule in rules.items()})
    if _ready.issuperset((rule, None) for rule in rules.values()):
        _swift_games[game.id] = fast
    return fast


def warm(game: Game) -> None:
    """Compile the rules and the bots of a game, or load them from the cache."""
    if game.id in _swift_games:
        return
    with compiling():
        fast = swift_game(game)
        state, buffer = game.new(game.seats[-1], game.options()), np.zeros(game.most_moves, np.int32)
        random = new_random(0)
        while not (mask := int(fast.movers(state))) or mask >> CHANCE:
            outcomes = fast.legal(state, CHANCE, buffer)
            fast.weigh(state, buffer.copy())
            fast.apply(state, CHANCE, int(buffer[random_below(random, outcomes)]))
        fast.scores(state, buffer)
        fast.ranks(state, buffer)
        seat = mask.bit_length() - 1
        for bot in game.bots.values():
            bot(game, game.hide(state, seat), seat, new_random(0), Budget(nodes=1))
        if game.look_back is not None:
            game.look_back(*_play_first_moves(fast), game.words())
    swift_game(game)


def _play_first_moves(game: Game) -> tuple[State, list[tuple[int, int]]]:
    """A whole game in which everybody makes the first move there is: its first state and its entries."""
    start = game.new(game.seats[0], game.options())
    state, entries = start.copy(), list[tuple[int, int]]()
    while mask := int(game.movers(state)):
        seat = mask.bit_length() - 1
        entries.append((seat, game.legal_moves(state, seat)[0]))
        game.apply(state, *entries[-1])
    return start, entries


def warm_soon(*games: Game) -> None:
    """Warm games in the background, one after the other."""

    def warm_all() -> None:
        for game in games:
            warm(game)

    threading.Thread(target=warm_all, name="warm", daemon=True).start()


def cache_folder() -> Path:
    """Where compiled kernels lie: one folder for each state of the sources.

    Numba does not notice that a function in another file has changed; a digest of all sources does.
    """
    return _cache_root() / _digest()


def clear_old_caches() -> int:
    """Remove the kernels of earlier sources; returns how many folders went."""
    old = [path for path in _cache_root().glob("*") if path.is_dir() and path != cache_folder()]
    for path in old:
        shutil.rmtree(path, ignore_errors=True)
    return len(old)


def _cache_root() -> Path:
    chosen = os.environ.get("MOZAIKA_CACHE")
    root = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("mozaika")) / "kernels"
    try:
        root.mkdir(parents=True, exist_ok=True)
        if os.access(root, os.W_OK | os.X_OK):
            return root
    except OSError:
        pass
    return _private_folder()


@cache
def _private_folder() -> Path:
    """A folder for this process alone: what lies in a cache is run, so nobody else may put it there."""
    return Path(tempfile.mkdtemp(prefix="mozaika-kernels-"))


def _digest() -> str:
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(_sources()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _sources() -> Iterator[Path]:
    """The files with kernels, or with constants that kernels use."""
    house = Path(__file__).parent
    yield from (
        house / "game.py",
        house / "kernel.py",
        *house.glob("search/*.py"),
        house / "lab" / "bench.py",
    )
    folders = [path for path in house.glob("games/*") if path.is_dir()]
    for entry in entry_points(group="mozaika.games"):
        spec = find_spec(entry.module)
        if spec and spec.origin:
            folders.append(Path(spec.origin).parent)
    for folder in folders:
        yield from (folder / name for name in KERNEL_FILES if (folder / name).exists())


def _numba() -> Any:
    """Numba, told where its cache lies and what our kernels and verbs are."""
    import numba

    if not hasattr(_numba, "told"):
        numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]
        for verb in VERBS:
            _teach(verb)
        _numba.told = 0  # type: ignore[attr-defined]
    from numba.extending import register_jitable

    for function in _kernels[_numba.told :]:  # type: ignore[attr-defined]
        register_jitable(forceinline=function not in _apart)(function)
    _numba.told = len(_kernels)  # type: ignore[attr-defined]
    return numba


def _teach(verb: Callable[..., Any]) -> None:
    from numba.extending import overload
    from numba.np.numpy_support import from_dtype

    @overload(verb, jit_options={"forceinline": True}, strict=False)
    def resolve(state: Any, *_: Any) -> Callable[..., Any] | None:
        for dtype, game in _games.items():
            if from_dtype(dtype) == state:
                rule: Callable[..., Any] | None = getattr(game, verb.__name__)
                return game.legal if rule is None and verb is candidates else rule
        return None


@kernel
def count_bits(bits: int) -> int:
    """How many bits are set. The compiler knows this loop and makes one instruction of it."""
    n = 0
    while bits != 0:
        bits &= bits - 1
        n += 1
    return n


def new_random(seed: int) -> Random:
    """A generator that begins at a seed."""
    return np.array([seed & 0xFFFFFFFFFFFFFFFF], np.uint64)


@kernel
def random_bits(random: Random) -> int:
    """The next 64 random bits (splitmix64)."""
    z = (int(random[0]) + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    random[0] = z
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return z ^ (z >> 31)


@kernel
def random_below(random: Random, n: int) -> int:
    """A random number from 0 to n - 1, for n far below 2**32."""
    return int(((random_bits(random) >> 32) * int(n)) >> 32)
