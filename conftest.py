"""What holds for all tests, wherever they lie."""

import gc
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import settings

import mozaika.games  # noqa: F401  before pytest imports the folder of a game by itself, as another game

MEMORY, ROOM = Path("/dev/shm"), 1 << 30  # noqa: S108
"""Where files of tests lie if there is so much room: a store waits until what it writes is on the disk."""

# else every process of the tests would compile and rewrite them anew, as the Makefile says
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

settings.register_profile("house", deadline=None, max_examples=8, derandomize=True, database=None)
settings.register_profile("thorough", settings.get_profile("house"), max_examples=200)
settings.register_profile("glance", settings.get_profile("house"), max_examples=1)
settings.load_profile("house")


def pytest_configure(config: pytest.Config) -> None:
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_collection_finish() -> None:
    """What is here by now stays: the collector would look through all tests again and again."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: who waits for a server or a browser needs none."""
    return (os.cpu_count() or 1) + 1
