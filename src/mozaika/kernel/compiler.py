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

import numpy as np

from mozaika.game import Game
from mozaika.kernel.atoms import teach_atoms
from mozaika.kernel.cache import KernelCache, NotCompiled
from mozaika.kernel.verbs import RULES, VERBS, kernels, not_copied, registered_games, rule_of
from mozaika.stages import Stages

F = TypeVar("F", bound=Callable[..., Any])
Mode = Literal["wait", "compile", "load", "never wait"]

log = logging.getLogger("mozaika")

_compiled: dict[Callable[..., Any], Callable[..., Any]] = {}
_rules: dict[Callable[..., Any], Callable[..., Any]] = {}
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


def compiled_rule(rule: F) -> F:
    """The compiled form of a rule for whoever asks it move by move, in plain code.

    Numba takes ten microseconds to take a record apart and one for an array, so the record goes as one.
    """
    with _lock:
        if rule not in _rules:
            count = rule.__code__.co_argcount
            entry = _ENTRIES[count](rule)
            entry.__name__ = entry.__qualname__ = f"{rule.__qualname__}_of_array"
            run = compiled(entry)

            def ask(state: Any, *rest: Any) -> Any:
                array = np.asarray(state)
                return run(array if array.flags.writeable else array.copy(), *rest)

            ask.__wrapped__ = run  # type: ignore[attr-defined]
            _rules[rule] = ask
        return _rules[rule]  # type: ignore[return-value]


_ENTRIES: dict[int, Callable[[Any], Any]] = {
    1: lambda rule: lambda state: rule(state[()]),
    2: lambda rule: lambda state, a: rule(state[()], a),
    3: lambda rule: lambda state, a, b: rule(state[()], a, b),
    4: lambda rule: lambda state, a, b, c: rule(state[()], a, b, c),
    5: lambda rule: lambda state, a, b, c, d: rule(state[()], a, b, c, d),
}
"""Rules that take an array of no dimensions for their state, by how much they are told."""


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


def count_ready() -> int:
    """How many kernels have been compiled or loaded by now."""
    return len(_ready)


def _soon(function: F, state: Any = None, form: Callable[[F], F] = compiled) -> F:
    """The compiled form, which is noted to be ready after its first call."""
    if is_ready(function, state):
        return form(function)

    def first_call(*arguments: Any) -> Any:
        result = form(function)(*arguments)
        _ready.add((function, state))
        return result

    return first_call  # type: ignore[return-value]


def _rule_soon(rule: F) -> F:
    return _soon(rule, TABLE, compiled_rule)


TABLE = "table"
"""A rule is ready for tables apart from its being ready for a bot."""


def swift_rule(rule: F) -> F:
    """A rule for a table: compiled if it is ready and plain if not, so that people never wait."""
    if is_ready(rule, TABLE):
        return _rules[rule]  # type: ignore[return-value]
    return _rule_soon(rule) if _mode() in ("compile", "load") else rule


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
    return _with_rules(game, _rule_soon) if waits() else swift_game(game)


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
        teach_atoms()
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
