"""When the garbage collector looks for what reference counting leaves over: never while somebody waits.

Nearly everything that a view is made of lives as long as it is kept, and nothing of it refers to itself. So
what is young is looked through in portions that take less than a millisecond, the rest once a minute, between
two requests. What has been looked through then stays, and is looked through again once an hour only.
"""

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

PORTIONS = (300, 1_000_000, 1_000_000)
"""So many new objects at once; all the others not by themselves."""
SECONDS_BETWEEN = 60.0
LOOKS_BEFORE_ALL = 60


@contextmanager
def small_portions() -> Iterator[None]:
    """What is here now stays: nobody has to look through it."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*PORTIONS)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def look_at_young() -> None:
    """Look through what is new. The collector counts what is made less what is let go of, so where everything
    that is kept has its full size it waits for thousands of objects, and then takes milliseconds.
    """
    gc.collect(0)


async def look_now_and_then() -> None:
    """Once a minute through what is new, now and then through everything."""
    for number in count(1):
        await asyncio.sleep(SECONDS_BETWEEN)
        if number % LOOKS_BEFORE_ALL == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
