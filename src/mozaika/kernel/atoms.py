"""Numbers that threads share: atomic in compiled code; in plain code one thing happens at a time anyway."""

import platform
from typing import Any

from numpy.typing import NDArray


def read_shared(numbers: NDArray[Any], place: int) -> int:
    """What stands there now, after all that was written before it."""
    return int(numbers[place])


def write_shared(numbers: NDArray[Any], place: int, value: int) -> None:
    """Write a number that other threads read, after all that was written before it."""
    numbers[place] = value


def add_shared(numbers: NDArray[Any], place: int, more: int) -> int:
    """Add to a number; what it was before."""
    before = int(numbers[place])
    numbers[place] = before + more
    return before


def breathe() -> None:
    """Tell the processor that a loop is waiting."""


ATOMS = (read_shared, write_shared, add_shared, breathe)

PAUSE: tuple[str, tuple[int, ...]] | None = {
    **dict.fromkeys(("x86_64", "AMD64"), ("llvm.x86.sse2.pause", ())),
    **dict.fromkeys(("aarch64", "arm64"), ("llvm.aarch64.hint", (1,))),
}.get(platform.machine())
"""What LLVM calls a pause of this kind of processor, and its arguments. Others do without one."""


def teach_atoms() -> None:
    """Let Numba know them. The numbers are 64 bits wide, in an array of one dimension."""
    from numba.core import types
    from numba.extending import intrinsic, overload

    number, nothing, same = types.int64, types.void, "seq_cst"

    def read(context: Any, numbers: Any, place: Any) -> Any:
        return number(numbers, number), _generate(lambda builder, at: builder.load_atomic(at, same, 8))

    def write(context: Any, numbers: Any, place: Any, value: Any) -> Any:
        return nothing(numbers, number, number), _generate(
            lambda builder, at, value: builder.store_atomic(value, at, same, 8)
        )

    def add(context: Any, numbers: Any, place: Any, more: Any) -> Any:
        return number(numbers, number, number), _generate(
            lambda builder, at, more: builder.atomic_rmw("add", at, more, same)
        )

    def pause(context: Any) -> Any:
        return nothing(), _pause

    reads: Any = intrinsic(read)
    writes: Any = intrinsic(write)
    adds: Any = intrinsic(add)
    pauses: Any = intrinsic(pause)

    @overload(read_shared, strict=False)
    def _(numbers: Any, place: Any) -> Any:
        return lambda numbers, place: reads(numbers, place)  # noqa: PLW0108  Numba compares the names

    @overload(write_shared, strict=False)
    def _(numbers: Any, place: Any, value: Any) -> Any:
        return lambda numbers, place, value: writes(numbers, place, value)  # noqa: PLW0108

    @overload(add_shared, strict=False)
    def _(numbers: Any, place: Any, more: Any) -> Any:
        return lambda numbers, place, more: adds(numbers, place, more)  # noqa: PLW0108

    @overload(breathe, strict=False)
    def _() -> Any:
        return lambda: pauses()  # noqa: PLW0108


def _generate(instruction: Any) -> Any:
    """The code of an instruction on a place of an array."""
    from numba.core import cgutils
    from numba.np.arrayobj import make_array

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        array = make_array(kind)(context, builder, arguments[0])  # type: ignore[no-untyped-call]
        at = cgutils.get_item_pointer(context, builder, kind, array, [arguments[1]])  # type: ignore[no-untyped-call]
        made = instruction(builder, at, *arguments[2:])
        return context.get_dummy_value() if signature.return_type.name == "none" else made

    return generate


def _pause(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba.core import cgutils

    if PAUSE is not None:
        name, given = PAUSE
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(32)] * len(given))
        pause = cgutils.get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]
        builder.call(pause, [ir.IntType(32)(each) for each in given])
    return context.get_dummy_value()
