"""The measure of attacks: who has which processor, and how sure a ratio is."""

import os

import pytest

from mozaika.lab.bench_attacks import _interval, _on, _share_processors


def processors():
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()


def test_the_server_and_everybody_else_have_processors_of_their_own():
    server, others = _share_processors()
    assert server | others == processors()
    assert not server & others
    assert bool(server) == (len(processors()) > 1)


def test_what_is_started_meanwhile_runs_there_and_then_all_is_as_before():
    before = processors()
    server, _ = _share_processors()
    with _on(server):
        assert processors() == (server or before)
    assert processors() == before


def test_the_interval_is_wide_where_the_slowest_moves_decide_and_narrow_where_they_are_many():
    few = [0.004] * 99 + [0.1]
    low, high = _interval(few, few)
    assert low < 1 < high
    many = [0.004] * 900 + [0.02] * 100
    assert _interval(many, [2 * each for each in many]) == pytest.approx((2, 2))
