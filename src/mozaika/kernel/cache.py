"""Where compiled kernels lie: a file for each kernel and signature, named for all that it can reach.

Every checkout on a machine uses the same files, and an edit compiles anew only what it can change.
"""

import functools
import hashlib
import importlib.metadata
import io
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import platformdirs

from mozaika.game import Game
from mozaika.kernel.reach import TOOLS, reach
from mozaika.kernel.verbs import registered_games

UNUSED_DAYS = 30
"""What nobody has loaded for so long is cleared away."""


class NotCompiled(Exception):
    """A kernel is not in the cache, and this is not the place to compile it."""


def cache_folder() -> Path:
    """Where compiled kernels lie."""
    chosen = os.environ.get("MOZAIKA_CACHE")
    root = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("mozaika")) / "kernels"
    try:
        root.mkdir(parents=True, exist_ok=True)
        if os.access(root, os.W_OK | os.X_OK):
            return root
    except OSError:
        pass
    return _private_folder()


@functools.cache
def _private_folder() -> Path:
    """A folder for this process alone: what lies in a cache is run, so nobody else may put it there."""
    return Path(tempfile.mkdtemp(prefix="mozaika-kernels-"))


@contextmanager
def alone() -> Iterator[None]:
    """Of several processes with the same cache one compiles at a time: the next finds what it has made."""
    try:
        import fcntl
    except ImportError:  # there is no such thing on Windows
        yield
        return
    with (cache_folder() / "compiling").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # until the file is closed, also by a death
        yield


def clear_unused() -> int:
    """Remove what nobody has used for long, whichever installation made it; returns how many files went."""
    oldest, removed = time.time() - UNUSED_DAYS * 86_400, 0
    for path in cache_folder().rglob("*"):
        if path.is_file() and path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)
            removed += 1
    return removed


class _Unpickler(pickle.Unpickler):
    """Loads a kernel also where the file that it was compiled from is called differently now."""

    def find_class(self, module: str, name: str) -> Any:
        return _rebuild_environment if name == "_rebuild_env" else super().find_class(module, name)


def _rebuild_environment(module: str, *rest: Any) -> Any:
    """What compiled code would need to call plain Python, which kernels never do: any module will do."""
    from numba.core.environment import _rebuild_env

    try:
        return _rebuild_env(module, *rest)  # type: ignore[no-untyped-call]
    except ModuleNotFoundError:
        return _rebuild_env(__name__, *rest)  # type: ignore[no-untyped-call]


class KernelCache:
    """The compiled forms of one kernel, as Numba's dispatcher asks for them."""

    def __init__(self, function: Callable[..., Any], miss: Callable[[Callable[..., Any]], None]) -> None:
        """With what to do before a form is compiled that is not here."""
        self.function = function
        self.miss = miss

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def load_overload(self, signature: tuple[Any, ...], context: Any) -> Any:
        """The compiled form for a signature, or None after `miss`."""
        from numba.core.compiler import CompileResult

        context.refresh()
        path = self._path(signature, context.codegen())
        payload = _read(path)
        if payload is None:
            self.miss(self.function)
            return None
        return CompileResult._rebuild(context, *_Unpickler(io.BytesIO(payload)).load())  # type: ignore[no-untyped-call]

    def save_overload(self, signature: tuple[Any, ...], result: Any) -> None:
        """Keep a compiled form, unless it holds addresses of this process."""
        from numba.core.serialize import dumps

        if not result.library.has_dynamic_globals:
            _write(self._path(signature, result.codegen), dumps(result._reduce()))  # type: ignore[no-untyped-call]

    def enable(self) -> None:
        """Numba asks for it; the cache is always in use."""

    disable = flush = enable

    def _path(self, signature: tuple[Any, ...], codegen: Any) -> Path:
        digest = hashlib.sha256(repr((_versions(), codegen.magic_tuple(), str(signature))).encode())
        digest.update(reach(self.function, _games_in(signature)))
        name = self.function.__qualname__
        return cache_folder() / f"{name}-{digest.hexdigest()[:32]}.kernel"


def _read(path: Path) -> bytes | None:
    """What a file holds, if it is whole."""
    try:
        kept = path.read_bytes()
        if time.time() - path.stat().st_mtime > 86_400:
            os.utime(path)  # it is in use
    except OSError:
        return None
    seal, payload = kept[:32], kept[32:]
    return payload if hashlib.sha256(payload).digest() == seal else None


def _write(path: Path, payload: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(hashlib.sha256(payload).digest() + payload)
    Path(file.name).replace(path)


@functools.cache
def _versions() -> tuple[str, ...]:
    return (sys.version, *(importlib.metadata.version(tool) for tool in TOOLS))


def _games_in(signature: tuple[Any, ...]) -> list[Game]:
    """The games whose records a signature speaks of."""
    from numba.core.types import Array
    from numba.np.numpy_support import from_dtype

    spoken = {each.dtype if isinstance(each, Array) else each for each in signature}
    return [game for dtype, game in registered_games().items() if from_dtype(dtype) in spoken]
