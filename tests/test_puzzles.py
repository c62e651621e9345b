"""Puzzles: what stands in the files is a position with a legal best move, and a search finds it again."""

from datetime import date, timedelta

import pytest

from mozaika.games import GAMES
from mozaika.kernel import compiling, new_random, swift_game
from mozaika.lab.puzzling import CERTAIN, CONFIRMERS, FINDER, LEAST, Maker, go_on
from mozaika.reviewing.judge import FOREVER, POINTS, SHARE
from mozaika.reviewing.puzzles import (
    FIRST_DAY,
    MOST_DIFFICULT,
    find_puzzles,
    head_of,
    name_puzzle,
    puzzle_of,
    read_puzzles,
)
from mozaika.state import seats_in
from mozaika.thought import Budget

SHELF = [game for game in GAMES.values() if game.folder and (game.folder / "puzzles.txt").exists()]
named = pytest.mark.parametrize("game", SHELF, ids=lambda game: game.id)
QUICK = 200
"""With so few nodes puzzles can be made in a test."""


def test_every_game_whose_bots_were_measured_has_puzzles():
    assert {game.id for game in SHELF} == {game.id for game in GAMES.values() if game.ratings()}


@named
def test_a_puzzle_is_a_position_of_one_seat_with_a_legal_best_move(game):
    fast, unit = swift_game(game), {"share": SHARE, "points": POINTS}
    for puzzle in find_puzzles(game):
        state, seat = game.parse_position(puzzle.position), puzzle.seat - 1
        assert puzzle.id == name_puzzle(puzzle.position, puzzle.seat)
        assert game.write_position(state) == puzzle.position
        assert seats_in(int(fast.movers(state))) == [seat]
        assert all(fast.is_legal(state, seat, game.parse_move(move)) for move in puzzle.best)
        assert puzzle.margin >= max(LEAST[unit[puzzle.unit]], CERTAIN * puzzle.error) - 0.0015
        assert 1 <= puzzle.difficulty <= MOST_DIFFICULT
        assert set(puzzle.found_by) <= set(game.levels)
        assert (puzzle.unit == "points") == (int(state["seats"]) == 1)


@named
def test_no_puzzle_stands_there_twice_and_the_file_is_read_as_it_is_written(game):
    puzzles = find_puzzles(game)
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    text = "\n\n".join([head_of(game), *(puzzle.write() for puzzle in puzzles)]) + "\n"
    assert text == (game.folder / "puzzles.txt").read_text("utf-8")


@named
def test_another_search_finds_what_a_puzzle_means(game):
    found, sample = 0, find_puzzles(game)[::40]
    with compiling():
        for puzzle in sample:
            seat = puzzle.seat - 1
            view = game.hide(game.parse_position(puzzle.position), seat)
            bot = game.bots[CONFIRMERS[0]]
            move = bot(swift_game(game), view, seat, new_random(77), Budget(4_000, FOREVER)).move
            found += game.write_move(move) in puzzle.best
    assert found >= 0.7 * len(sample)


@pytest.mark.parametrize("text", ["Puzzle: x", "Puzzle: x\nSeat: 1\nSecret: 3", "Seat 1"])
def test_a_text_that_is_no_puzzle_is_refused(text):
    game = SHELF[0]
    with pytest.raises(ValueError, match="no puzzle"):
        list(read_puzzles(game, f"{head_of(game)}\n\n{text}\n"))
    with pytest.raises(ValueError, match="begin with"):
        read_puzzles(game, text)


def test_the_puzzle_of_a_day_follows_from_the_date_and_games_take_turns():
    days = [FIRST_DAY + timedelta(n) for n in range(3 * len(SHELF))]
    assert puzzle_of(FIRST_DAY - timedelta(1)) is None
    chosen = [puzzle_of(day) for day in days]
    assert chosen == [puzzle_of(day) for day in days]
    assert [game for game, _ in chosen] == [game for game in GAMES.values() if game in SHELF] * 3
    assert len({puzzle.id for _, puzzle in chosen}) == len(days)
    assert puzzle_of(date(2199, 1, 1)) is not None


def test_making_goes_on_as_if_it_had_never_stopped(tmp_path):
    game = SHELF[0]
    whole = Maker(game, 3, "test", QUICK)
    for _ in whole.run():
        pass
    assert FINDER in game.bots
    path = tmp_path / "puzzles.txt"
    first = go_on(game, path, 3, "test", QUICK)
    for done in first.run():
        path.write_text(first.write(), "utf-8")
        if done:
            break
    assert 0 < len(first.puzzles) <= 3
    second = go_on(game, path, 3, "test", QUICK)
    for _ in second.run():
        pass
    assert second.write() == whole.write()
