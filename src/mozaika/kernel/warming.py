"""Getting a game's kernels ready: at once, or in the background by a process beside this one.

The compiler needs a gigabyte of memory and a processor for minutes, and never gives the memory back. So a
server lets another process compile into the cache, and only loads from there.
"""

import atexit
import gc
import hashlib
import inspect
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mozaika.game import Game
from mozaika.kernel.cache import NotCompiled, alone, cache_folder
from mozaika.kernel.compiler import awaited_game, compiling, loading, swift_game, swift_stages, waits
from mozaika.kernel.numbers import new_random, random_below
from mozaika.state import CHANCE, WATCHER, State
from mozaika.thought import Budget

BESIDE = (
    "import sys; from mozaika.kernel.warming import yield_to; yield_to(int(sys.argv[2])); "
    "from mozaika.games import find_game; from mozaika.kernel.warming import warm_alone; "
    "warm_alone(find_game(sys.argv[1]))"
)
"""What the process beside this one runs."""


def warm(game: Game) -> None:
    """Compile the rules and the bots of a game, or load them from the cache."""
    if game.id in _warm:
        return
    with compiling():
        _use_everything(game)
    _warm.add(game.id)
    _mark(game).touch()


def warm_alone(game: Game) -> None:
    """The same, one process after the other: a server and the process that thinks for it want the same."""
    with alone():
        warm(game)


_warm: set[str] = set()
_awaited: set[str] = set()


def wait_for_rules(game: Game) -> None:
    """Before a bot thinks in a program: its rules are compiled or loaded, unless nobody waits."""
    if game.id not in _awaited and waits():
        _use_rules(awaited_game(game))
        _awaited.add(game.id)


def _use_rules(fast: Game) -> tuple[State, int]:
    """Use each rule once; returns a state in which a seat is to move."""
    state, buffer = fast.new(fast.seats[-1], fast.options()), np.zeros(fast.most_moves, np.int32)
    random = new_random(0)
    while (mask := int(fast.movers(state))) >> CHANCE:
        outcomes = fast.legal(state, CHANCE, buffer)
        fast.weigh(state, buffer.copy())
        fast.apply(state, CHANCE, int(buffer[random_below(random, outcomes)]))
    seat = mask.bit_length() - 1
    fast.scores(state, buffer)
    fast.ranks(state, buffer)
    fast.legal(state, seat, buffer)
    fast.apply(state.copy(), seat, int(buffer[0]))
    return state, seat


def yield_to(parent: int, niceness: int = 10) -> None:
    """In a process beside: everything else goes first, and it ends when nobody is left to work for."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    if hasattr(os, "nice"):
        os.nice(niceness)
    threading.Thread(target=watch, daemon=True).start()


def _use_everything(game: Game) -> None:
    state, seat = _use_rules(fast := swift_game(game))
    if stages := swift_stages(game):
        first = stages.skip_forced(state, seat, [])
        while following := stages.next_choices(state, seat, first):
            first = [*first, following[0]]
        stages.split_move(stages.join_choices(state, first))
    for bot in game.bots.values():
        bot(game, game.hide(state, seat), seat, new_random(0), Budget(nodes=1))
    _look_on(fast)
    if game.hindsight is not None:
        game.hindsight(*_play_first_moves(fast))
    swift_game(game)


def _look_on(game: Game) -> None:
    """Use whatever a picture and sentences ask of the rules, for a part of a game."""
    state, words, random = game.new(game.seats[0], game.options()), game.words(), new_random(0)
    names = ("",) * int(state["seats"])
    for _ in range(PLIES_LOOKED_AT):
        mask = int(game.movers(state))
        if not mask:
            return
        seat = mask.bit_length() - 1
        if seat != CHANCE:
            game.scene(game.hide(state, seat), seat, names, words, "wide")
        moves = game.legal_moves(state, seat)
        move = moves[random_below(random, len(moves))]
        game.tell(state, seat, move, WATCHER, words)
        game.apply(state, seat, move)


PLIES_LOOKED_AT = 150


def _play_first_moves(game: Game) -> tuple[State, list[tuple[int, int]]]:
    """A whole game in which everybody makes the first move there is: its first state and its entries."""
    start = game.new(game.seats[0], game.options())
    state, entries = start.copy(), list[tuple[int, int]]()
    while mask := int(game.movers(state)):
        seat = mask.bit_length() - 1
        entries.append((seat, game.legal_moves(state, seat)[0]))
        game.apply(state, *entries[-1])
    return start, entries


def _mark(game: Game) -> Path:
    """A file that says that everything of a game was compiled from the sources as they are. It only saves a
    look at the cache: what is not there is noticed when it is loaded.
    """
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(_sources(game)):
        digest.update(path.name.encode() + path.read_bytes())
    return cache_folder() / f"{game.id}-{digest.hexdigest()[:16]}.warm"


def _sources(game: Game) -> Iterator[Path]:
    house = Path(__file__).parent.parent
    own = game.folder or Path(inspect.getfile(game.new)).parent
    for folder in (own, house / "kernel", house / "search"):
        yield from (path for path in folder.iterdir() if path.suffix in (".py", ".npz"))


class Warmer:
    """Warms games in the background, one after the other; those that somebody plays go first."""

    def __init__(self) -> None:
        self._wanted: dict[str, Game] = {}
        self._later: dict[str, Game] = {}
        self._lock = threading.Lock()
        self._running = False
        self._beside: subprocess.Popen[bytes] | None = None
        atexit.register(self.stop)

    def load(self, game: Game) -> None:
        """Somebody plays this game: load its kernels, when they are compiled."""
        if game.id not in _warm:
            self._put(self._wanted, game)

    def is_warm(self, game: Game) -> bool:
        """Whether everything of a game has been compiled or loaded."""
        return game.id in _warm

    def compile(self, *games: Game) -> None:
        """Somebody may play these games: see to it that their kernels are in the cache."""
        for game in games:
            self._put(self._later, game)

    def stop(self) -> None:
        """Compile no further."""
        with self._lock:
            self._wanted.clear()
            self._later.clear()
        if self._beside is not None and self._beside.poll() is None:
            self._beside.kill()

    def _put(self, where: dict[str, Game], game: Game) -> None:
        with self._lock:
            where[game.id] = game
            if not self._running:
                self._running = True
                threading.Thread(target=self._work, name="warm", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._lock:
                wanted = bool(self._wanted)
                waiting = self._wanted or self._later
                if not waiting:
                    self._running = False
                    return
                game = waiting.pop(next(iter(waiting)))
            if wanted:
                self._load(game)
            elif not _mark(game).exists():
                self._compile_beside(game)

    def _load(self, game: Game) -> None:
        for attempt in (1, 2):
            try:
                with loading():
                    _use_everything(game)
            except NotCompiled:
                if attempt == 1:
                    self._compile_beside(game)
            else:
                _warm.add(game.id)
                gc.freeze()  # it stays
                return
        warm(game)  # no cache can be used here

    def _compile_beside(self, game: Game) -> None:
        environment = {**os.environ, "MOZAIKA_CACHE": str(cache_folder())}
        self._beside = subprocess.Popen(  # noqa: S603  it is this program
            [sys.executable, "-c", BESIDE, game.id, str(os.getpid())],
            env=environment,
            stderr=subprocess.DEVNULL,
        )
        self._beside.wait()


warmer = Warmer()
