"""What a kernel can reach: a digest that changes when its compiled code could.

Numba keeps compiled code by the path and the time of one source file; it does not notice that a function or a
constant in another file has changed. This digest is made of the byte code of a kernel and of all that it
calls, and of the values of the constants they use.
"""

import hashlib
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mozaika.game import Game
from mozaika.kernel.atoms import ATOMS, teach_atoms
from mozaika.kernel.verbs import VERBS, not_copied, registered_games, rule_of

TOOLS = ("numba", "llvmlite", "numpy")
"""What kernels may use without it being looked into: its version is enough."""


def reach(function: Callable[..., Any], games: list[Game]) -> bytes:
    """A digest of all code and all values that a kernel can meet with the records of these games."""
    return _Reach(games or list(registered_games().values())).of(function)


class _Reach:
    def __init__(self, games: list[Game]) -> None:
        self.games = games
        self.digest = hashlib.sha256()
        self.seen: set[Callable[..., Any]] = set()

    def of(self, function: Callable[..., Any]) -> bytes:
        self._add_function(function)
        return self.digest.digest()

    def _note(self, *facts: object) -> None:
        self.digest.update(repr(facts).encode())

    def _add_function(self, function: Callable[..., Any]) -> None:
        if function in VERBS:
            self._note("verb", function.__name__)
            for game in self.games:
                self._add(rule_of(function, game), function.__name__)
            return
        self._note("function", function.__qualname__, function in not_copied)
        if function in self.seen or function.__module__.partition(".")[0] in TOOLS:
            return
        self.seen.add(function)
        code: types.CodeType = function.__code__
        for each in _codes(code):
            self._note(
                each.co_code, each.co_exceptiontable, each.co_varnames, each.co_names, each.co_argcount
            )
            for constant in each.co_consts:
                if not isinstance(constant, types.CodeType):
                    self._add(constant, function.__qualname__)
        taught = (teach_atoms,) if function in ATOMS else ()  # these are not compiled to what they read
        cells = (cell.cell_contents for cell in function.__closure__ or ())
        for value in (function.__defaults__, *cells, *taught):
            self._add(value, function.__qualname__)
        names = sorted({name for each in _codes(code) for name in each.co_names})
        for name in names:
            if name in function.__globals__:
                self._note("global", name)
                self._add(function.__globals__[name], f"{function.__qualname__} uses {name}", names)

    def _add(self, value: Any, where: str, names: list[str] | None = None) -> None:  # noqa: C901
        """A value that a kernel uses; of a module, whatever has one of the names in the kernel."""
        match value:  # whatever Numba takes for a constant, and nothing else
            case None | bool() | int() | float() | complex() | str() | bytes() | range() | slice():
                self._note(type(value).__name__, value)
            case np.ndarray() | np.generic():
                self._note(str(value.dtype), value.shape)
                self.digest.update(value.tobytes())
            case np.dtype() | np.ufunc():
                self._note(str(value))
            case tuple():
                self._note("tuple", len(value))
                for each in value:
                    self._add(each, where)
            case frozenset():
                self._note("set", sorted(map(repr, value)))
            case types.FunctionType():
                self._add_function(value)
            case type() | types.BuiltinFunctionType():
                self._note(value.__module__, value.__qualname__)
            case types.ModuleType():
                self._note("module", value.__name__)
                for name in names or ():
                    if hasattr(value, name):
                        self._add(getattr(value, name), where)
            case _ if type(value).__module__.partition(".")[0] in TOOLS:
                self._note(type(value).__name__, getattr(value, "__name__", ""))
            case _:
                raise TypeError(
                    f"{where}, a {type(value).__name__}; then nobody could tell whether its compiled code is "
                    "up to date. Use numbers, texts, tuples, NumPy arrays, types and kernels."
                )


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A piece of byte code and those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)
