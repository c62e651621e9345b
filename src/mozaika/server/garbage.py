"""When the garbage collector looks for what reference counting leaves over: never while somebody waits.

Nearly everything that a view is made of lives as long as it is kept, and nothing of it refers to itself. So
what is young is looked through in small portions, and all of it once a minute, between two requests.
"""

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager

PORTIONS = (2_000, 4, 1_000_000)
"""So many new objects, so many such portions; and all the others not by themselves."""
SECONDS_BETWEEN = 60.0


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


async def look_now_and_then() -> None:
    """Once a minute through everything."""
    while True:
        await asyncio.sleep(SECONDS_BETWEEN)
        gc.collect()
