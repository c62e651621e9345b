"""Plain functions and their compiled forms: who waits for the compiler, and who does not.

`compiled(f)` is a kernel compiled by Numba, which is imported only then. Bots ask for `swift(f)`: in a
program they wait until it is compiled or loaded; a server and a terminal say `with never_waiting():` and get
the plain function while the compiled one is not ready. The rules of a table (`swift_game`) are plain until
they are ready, whoever asks.
"""

import dataclasses
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import _GeneratorContextManager, contextmanager
from typing import Any, Literal, TypeVar

from mozaika.game import Game
from mozaika.kernel.cache import KernelCache, NotCompiled
from mozaika.kernel.verbs import RULES, VERBS, kernels, not_copied, registered_games, rule_of
from mozaika.stages import Stages

F = TypeVar("F", bound=Callable[..., Any])
Mode = Literal["wait", "compile", "load", "never wait"]

log = logging.getLogger("mozaika")

_compiled: dict[Callable[..., Any], Callable[..., Any]] = {}
_ready: set[tuple[Callable[..., Any], Any]] = set()
_swift_games: dict[tuple[Game, bool], tuple[int, Game]] = {}
_thread = threading.local()
_lock = threading.RLock()


def compiled(function: F) -> F:
    """The compiled form of a `@kernel`. It is compiled at its first call, or loaded from the cache."""
    with _lock:
        if function not in _compiled:
            made = _numba().njit(nogil=True)(function)
            if made is not function:  # it is, where the compiler is switched off
                made._cache = KernelCache(function, _miss)
            _compiled[function] = made
        return _compiled[function]  # type: ignore[return-value]


def _mode() -> Mode:
    return getattr(_thread, "mode", "wait")


@contextmanager
def _in_mode(mode: Mode) -> Iterator[None]:
    before = _mode()
    _thread.mode = mode
    try:
        yield
    finally:
        _thread.mode = before


def compiling() -> "_GeneratorContextManager[None]":
    """In this thread, for a while: everything is compiled, the rules of tables too."""
    return _in_mode("compile")


def loading() -> "_GeneratorContextManager[None]":
    """In this thread, for a while: the same from the cache only; NotCompiled where something is not there."""
    return _in_mode("load")


def never_waiting() -> "_GeneratorContextManager[None]":
    """In this thread, for a while: nobody waits for the compiler; what is not ready runs as it is."""
    return _in_mode("never wait")


def waits() -> bool:
    """Whether this thread waits for the compiler where it has to."""
    return _mode() != "never wait"


def _miss(function: Callable[..., Any]) -> None:
    """A kernel has to be compiled."""
    if _mode() == "load":
        raise NotCompiled(function.__qualname__)
    if _mode() == "wait" and not hasattr(_miss, "said"):
        _miss.said = True  # type: ignore[attr-defined]
        log.warning("Compiling for this machine; this takes up to a minute, once.")


def swift(function: F, state: Any = None) -> F:
    """A `@kernel` for a bot: compiled, or plain where nobody waits for the compiler.

    What works on the states of several games is ready for each of them apart: `state` is their dtype.
    """
    return _soon(function, state) if waits() or is_ready(function, state) else function


def is_ready(function: Callable[..., Any], state: Any = None) -> bool:
    """Whether a kernel has been compiled or loaded already."""
    return (function, state) in _ready


def _soon(function: F, state: Any = None) -> F:
    """The compiled form, which is noted to be ready after its first call."""
    if is_ready(function, state):
        return compiled(function)

    def first_call(*arguments: Any) -> Any:
        result = compiled(function)(*arguments)
        _ready.add((function, state))
        return result

    return first_call  # type: ignore[return-value]


def swift_rule(rule: F) -> F:
    """A rule for a table: compiled if it is ready and plain if not, so that people never wait."""
    return _soon(rule) if is_ready(rule) or _mode() in ("compile", "load") else rule


def swift_game(game: Game) -> Game:
    """The same game with all its rules swift: made again only when something has become ready."""
    eager, ready = _mode() in ("compile", "load"), len(_ready)
    if (known := _swift_games.get((game, eager))) is None or known[0] != ready:
        known = _swift_games[game, eager] = ready, _with_rules(game, swift_rule)
    return known[1]


def swift_stages(game: Game) -> Stages | None:
    """The stages of a game with all their kernels swift; None where it has none."""
    stages = game.stages
    if stages is None:
        return None
    return dataclasses.replace(
        stages,
        split=swift_rule(stages.split),
        choices=swift_rule(stages.choices),
        join=swift_rule(stages.join),
    )


def awaited_game(game: Game) -> Game:
    """The same game for a bot: its rules are waited for, unless nobody waits."""
    return _with_rules(game, _soon) if waits() else swift_game(game)


def _with_rules(game: Game, how: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Game:
    rules: dict[str, Any] = {verb.__name__: how(getattr(game, verb.__name__)) for verb in RULES}
    return dataclasses.replace(game, **rules)


def _numba() -> Any:
    """Numba, told what our kernels and verbs are."""
    import numba
    from numba.extending import register_jitable

    if not hasattr(_numba, "told"):
        for verb in VERBS:
            _teach(verb)
        _numba.told = 0  # type: ignore[attr-defined]
    for function in kernels[_numba.told :]:  # type: ignore[attr-defined]
        register_jitable(forceinline=function not in not_copied)(function)
    _numba.told = len(kernels)  # type: ignore[attr-defined]
    return numba


def _teach(verb: Callable[..., Any]) -> None:
    from numba.extending import overload
    from numba.np.numpy_support import from_dtype

    @overload(verb, jit_options={"forceinline": True}, strict=False)
    def resolve(state: Any, *_: Any) -> Callable[..., Any] | None:
        games = (game for dtype, game in registered_games().items() if from_dtype(dtype) == state)
        return next((rule_of(verb, game) for game in games), None)
