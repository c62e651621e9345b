"""The arena: paired deals, intervals, tests that stop, ladders."""

import dataclasses
import json
from math import inf

import pytest

from mozaika.doors.players import find_bot
from mozaika.games import GAMES
from mozaika.kernel import new_random
from mozaika.lab import ladder
from mozaika.lab.arena import Match, Sprt, check, play_match, report, unit_share, until_known
from mozaika.lab.ladder import ANCHOR, Ladder, climb, rate
from mozaika.lab.signature import signature, signatures, whole
from mozaika.lab.simulate import Outcome, interval, play_game, standings, unit_interval
from mozaika.rating import FILE, read_ratings
from mozaika.record import Record
from mozaika.search.simple import random_mover
from mozaika.table import Table
from mozaika.thought import LEVELS, Budget, Thought

AZUL, FITS = GAMES["azul"], GAMES["fits"]


def outcome(seed, shares, scores=(10, 5)):
    ranks = [1 if share else 2 for share in shares]
    return Outcome(0, seed, ["a", "b"], list(scores), ranks, 20)


def test_a_pair_changes_seats():
    match = Match("azul", 2, {}, ("greedy", "random"), "s")
    assert match.seatings == [("greedy", "random"), ("random", "greedy")]


def test_the_last_bot_fills_the_table():
    match = Match("azul", 4, {}, ("greedy", "random"), "s")
    assert match.line_up == ("greedy", "random", "random", "random")
    assert [seating.index("greedy") for seating in match.seatings] == [0, 3, 2, 1]


def test_equal_seatings_are_played_once():
    assert len(Match("azul", 4, {}, ("greedy", "random", "greedy", "random"), "s").seatings) == 2
    assert Match("fits", 1, {}, ("greedy", "random"), "s").seatings == [("greedy",), ("random",)]


@pytest.mark.parametrize(("game", "bots"), [("azul", ("greedy", "random")), ("fits", ("greedy", "random"))])
def test_the_games_of_a_pair_draw_the_same(game, bots):
    """Azul: the tiles of the first five rounds, since until the bag is empty all draw from the same."""
    shelf_game = GAMES[game]
    drawn = []
    for seating in (bots, bots[::-1]):
        _, record = play_game(
            shelf_game, shelf_game.read_options(), shelf_game.bots, seating, "pair", None, paired=True
        )
        draws = [move for seat, move in record.entries if seat not in (0, 1)]
        drawn.append(draws[:100])
        assert Record.read(record.write()).verify() == [
            "The draws were typed in, so there is nothing to verify."
        ]
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) > 50


def test_games_that_are_not_paired_can_be_verified():
    _, record = play_game(AZUL, AZUL.read_options(), AZUL.bots, ("greedy", "random"), "single", None)
    assert record.verify() == []


def test_a_match_does_not_depend_on_the_number_of_processes():
    match = Match("gemino", 2, {}, ("greedy", "random"), "s")
    alone = list(play_match(match, 0, 3))
    assert list(play_match(match, 0, 3, jobs=2)) == alone
    assert list(play_match(match, 1, 1)) == alone[1:2], "a later unit can be played alone"


def test_a_bot_can_have_nodes_of_its_own():
    players = {name: find_bot(AZUL, name) for name in ("expert@40", "expert")}
    state, seat = Table("azul", 2, seed=1).state, Table("azul", 2, seed=1).movers[0]
    thoughts = {
        name: bot(AZUL, state, seat, new_random(1), Budget(nodes=9)).nodes for name, bot in players.items()
    }
    assert thoughts == {"expert@40": 40, "expert": 9}
    for name in ("expert@", "expert@0", "expert@many", "expert@1000000001"):
        with pytest.raises(ValueError, match="BOT@NODES"):
            find_bot(AZUL, name)


def test_pairs_are_the_unit():
    """In each pair the first seat wins: single games would leave 50 % open, pairs leave little."""
    even = [outcome(str(pair), shares) for pair in range(40) for shares in ((1, 0), (0, 1))]
    first = standings(even)[0]
    assert (first.share, first.wins, first.seats) == (0.5, 40, 80)
    assert (first.low, first.high) == interval(20, 40), "where all units are equal each is one game"
    mixed = [*even, outcome("x", (1, 0)), outcome("x", (1, 0))]
    first = next(each for each in standings(mixed) if each.bot == "a")
    assert first.high - first.low < 0.06
    twins = [outcome(str(pair), (pair % 2, 1 - pair % 2)) for pair in range(40) for _ in range(2)]
    assert standings(twins)[0].high == pytest.approx(interval(20, 40)[1], abs=0.005)


def test_units_that_are_single_games_have_wilsons_interval():
    assert unit_interval([1.0] * 60 + [0.0] * 40) == pytest.approx(interval(60, 100), abs=0.001)
    assert unit_interval([1.0]) == interval(1, 1)


def test_points_have_an_interval():
    table = standings([outcome("1", (1, 0), (10, 0)), outcome("2", (1, 0), (20, 0))])
    assert table[0].score == 15
    assert table[0].score_low == pytest.approx(15 - 1.96 * 5, abs=0.01)
    assert standings([outcome("1", (1, 0))])[0].score_low is None


def test_a_sequential_test_accepts_rejects_and_waits():
    test = Sprt(0, 30)
    assert test.verdict([1.0] * 40, 2) == "accepted"
    assert test.verdict([0.25, 0.5] * 40, 2) == "rejected"
    assert test.verdict([0.25, 0.5, 0.75] * 20, 2) == ""
    assert test.verdict([1.0] * 3, 2) == "", "a few victories prove nothing"
    assert test.share(0, 4) == 0.25
    assert test.share(400, 2) == pytest.approx(10 / 11)


def test_the_evidence_is_walds():
    """For units of one game around 50 %: n (s1 - s0) (2 mean - s0 - s1) / (2 variance)."""
    units = [1.0, 0.0] * 500 + [1.0] * 100
    mean, low, high = 600 / 1100, 0.5, Sprt(0, 30).share(30, 2)
    expected = 1100 * (high - low) * (2 * mean - low - high) / (2 * mean * (1 - mean))
    assert Sprt(0, 30).evidence(units, 2) == pytest.approx(expected, rel=0.01)


def test_a_match_stops_when_it_is_known_who_is_stronger():
    match, test = Match("azul", 2, {}, ("greedy", "random"), "s"), Sprt(0, 50)
    units = list(until_known(match, play_match(match, 0, 200), test))
    assert 3 < len(units) < 30
    told = report(match, units, test)
    assert told.sprt.verdict == "accepted"
    assert (told.units, told.games) == (len(units), 2 * len(units))


def test_a_report_says_by_how_much():
    match = Match("azul", 2, {}, ("b", "a"), "s")
    units = [[outcome(str(pair), (1, 0)), outcome(str(pair), (pair % 2, 1 - pair % 2))] for pair in range(40)]
    told = report(match, units, None)
    assert told.elo[0] == pytest.approx(-190.8, abs=0.1)
    assert told.elo[1] < told.elo[0] < told.elo[2] < 0


@pytest.mark.parametrize(
    ("match", "sentence"),
    [
        (Match("azul", 2, {}, ("greedy", "deep"), "s"), "exec:COMMAND, not “deep”"),
        (Match("azul", 2, {}, ("greedy", "exec:no-such-program-here"), "s"), "cannot be started"),
        (Match("azul", 2, {}, ("greedy",) * 3, "s"), "There are 3 bots for 2 seats."),
        (Match("azul", 5, {}, ("greedy",), "s"), "for 2 to 4 players"),
    ],
)
def test_a_match_that_cannot_begin_says_why(match, sentence):
    with pytest.raises(ValueError, match=sentence):
        check(match)


@pytest.fixture
def levels(monkeypatch, tmp_path):
    """GEMINO with two levels, in a folder of its own: one errs always, the other half the time."""
    game = GAMES["gemino"]

    def erring(game, view, seat, random, budget=None):
        chosen = random_mover(game, view, seat, random)
        return chosen if random[0] % 2 else Thought(greedy(game, view, seat, random, budget).move)

    greedy = game.bots["greedy"]
    bots = {"greedy": greedy, "beginner": random_mover, "club": erring}
    game = dataclasses.replace(game, bots=bots, folder=tmp_path)
    monkeypatch.setitem(GAMES, "gemino", game)
    monkeypatch.setattr(ladder, "RESAMPLES", 10)
    return game


def test_a_ladder_rates_the_levels(levels):
    ratings = climb(levels, 12, None, 1, levels.folder / FILE, lambda *_: None)
    assert [each.bot for each in ratings.bots] == ["greedy", "beginner", "club"]
    assert ratings.anchor == "greedy"
    assert levels.rating("greedy").rating == ANCHOR
    beginner, club = levels.rating("beginner"), levels.rating("club")
    assert beginner.low <= beginner.rating <= beginner.high < ANCHOR
    assert beginner.rating < club.rating
    assert [(each.first, each.second, each.games) for each in ratings.meetings] == [
        ("greedy", "beginner", 12),
        ("greedy", "club", 6),
        ("beginner", "club", 12),
    ]
    assert ratings.meetings[0].share > 0.7
    assert levels.ratings() == ratings
    assert levels.rating("expert") is None


def test_a_ladder_goes_on_where_it_was_cut_off(levels):
    path = levels.folder / FILE
    whole_run = climb(levels, 8, None, 1, path, lambda *_: None)
    path.unlink()

    def cut(pairs, left):
        if pairs:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        climb(levels, 8, None, 1, path, cut)
    assert not path.exists(), "ratings are there when they are whole"
    steps = []
    assert climb(levels, 8, None, 1, path, lambda pairs, left: steps.append((pairs, left))) == whole_run
    assert steps[0] == (0, 10 - 4)
    assert [file.name for file in levels.folder.iterdir()] == [FILE]


def test_a_ladder_begins_anew_when_something_else_is_measured(levels):
    path = levels.folder / FILE
    climb(levels, 4, None, 1, path, lambda *_: None)
    assert Ladder(levels).resume(read_ratings(path))
    assert not Ladder(levels, Budget(nodes=10, milliseconds=inf)).resume(read_ratings(path))


def test_a_game_that_nobody_has_measured_has_no_ratings(tmp_path):
    assert read_ratings(tmp_path) is None
    (tmp_path / FILE).write_text("{}")
    with pytest.raises(ValueError, match="holds no ratings"):
        read_ratings(tmp_path)


def test_every_rating_in_the_house_is_of_a_bot_that_is_there():
    for game in GAMES.values():
        ratings = game.ratings()
        for each in ratings.bots if ratings else ():
            assert each.bot in game.bots
            assert each.low <= each.rating <= each.high


def test_a_rating_tells_how_often_somebody_wins():
    """200 pairs, three of four games won: 191 Elo points; and nothing is made of equals."""
    pairs = {
        ("a", "b"): [0, 0, 100, 0, 100],
        ("a", "c"): [50, 0, 100, 0, 50],
        ("b", "c"): [100, 0, 100, 0, 0],
    }
    ratings = rate(["a", "b", "c"], pairs)
    assert ratings["a"] == ANCHOR
    assert ratings["b"] == pytest.approx(ANCHOR - 191, abs=15)
    assert ratings["c"] == pytest.approx(ANCHOR, abs=15)


def test_who_played_little_is_not_thought_weaker():
    """The same results, once of many games and once of few."""
    shares = {("a", "b"): [1, 0, 2, 0, 1], ("a", "c"): [3, 0, 1, 0, 0], ("b", "c"): [3, 0, 1, 0, 0]}
    ratings = rate(["a", "b", "c"], {**shares, ("a", "b"): [50, 0, 100, 0, 50]})
    assert ratings == rate(["a", "b", "c"], shares)
    assert ratings["c"] == pytest.approx(ANCHOR + 338, abs=40)  # seven of eight


def test_a_game_without_levels_has_no_ladder(monkeypatch):
    bare = dataclasses.replace(AZUL, bots={"random": random_mover})
    with pytest.raises(ValueError, match="no two levels"):
        Ladder(bare)


def test_a_signature_changes_with_what_a_bot_plays_or_looks_at():
    before = signature(FITS)
    assert signature(FITS) == before
    greedy = FITS.bots["greedy"]

    def other(change):
        bots = {**FITS.bots, "greedy": lambda *asked: dataclasses.replace(greedy(*asked), **change)}
        return signature(dataclasses.replace(FITS, bots=bots))

    assert other({}) == before
    assert len({before, other({"nodes": 7}), other({"points": (1.0, 2.0)}), other({"move": 0})}) == 4


def test_every_bot_plays_the_same_under_a_budget_of_nodes():
    parts = signatures()
    assert signatures() == parts
    assert whole(parts) != whole({**parts, "azul": 0})


def test_the_arena_on_the_command_line(run, tmp_path):
    out = tmp_path / "games.json"
    arguments = ("arena", "azul", "--bots", "greedy,random", "--games", "3", "--seed", "s")
    told = json.loads(run(*arguments, "--json", "--out", str(out)))
    assert (told["units"], told["games"], told["seats"]) == (2, 4, 2)
    assert told["bots"][0]["bot"] == "greedy"
    assert told["bots"][0]["milliseconds"] > 0
    assert len(json.loads(out.read_text())) == 4
    shown = run(*arguments, "--sprt", "0,30")
    assert "That greedy is +30 Elo ahead rather than +0: undecided." in shown
    assert "2 deals, 4 games" in shown


def test_alone_points_are_what_counts(run):
    shown = run("arena", "fits", "--bots", "greedy,random", "--seats", "1", "--games", "4", "-o", "boards=1")
    assert "share" not in shown
    assert "points" in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Name a game and its bots"),
        (("azul", "--bots", "greedy,random", "--sprt", "30,0"), "from the smaller to the greater"),
        (("azul", "--bots", "greedy,random", "--sprt", "x"), "--sprt takes two numbers such as 0,30"),
        (("azul", "--bots", "greedy,greedy", "--sprt", "0,30"), "a first bot that plays in one seat"),
        (("azul", "--bots", "greedy,random", "--out", "x.xls"), "as .csv or .json"),
        (("azul", "--ladder", "--bots", "greedy"), "With --ladder go only"),
        (("azul", "--ladder", "--out", "x.csv"), "names a .json file"),
    ],
)
def test_wrong_usage_is_answered_with_a_sentence(run, arguments, sentence):
    told = run("arena", *arguments, code=2)
    assert sentence in told
    assert told.count("\n") == 1


def test_what_was_played_before_an_interruption_counts(run, monkeypatch):
    def interrupted(match, first, units, jobs, cluster):
        yield from play_match(match, first, 2)
        raise KeyboardInterrupt

    monkeypatch.setattr("mozaika.cli.laboratory.play_match", interrupted)
    shown = run("arena", "azul", "--bots", "greedy,random", "--games", "100", "--seed", "s")
    assert "2 deals, 4 games" in shown


def test_a_ladder_on_the_command_line(run, levels):
    shown = run("arena", "gemino", "--ladder", "--games", "4")
    assert "beginner" in shown
    assert (levels.folder / FILE).exists()
    told = json.loads(run("arena", "gemino", "--ladder", "--games", "4", "--json"))
    assert [each["bot"] for each in told[0]["bots"]] == ["greedy", "beginner", "club"]


def test_the_signature_on_the_command_line(run):
    number = int(run("bench", "--signature"))
    told = json.loads(run("bench", "--signature", "--json"))
    assert told["signature"] == number
    assert set(told["games"]) <= set(GAMES)


def test_levels_are_compared_with_their_neighbours_most(levels):
    wanted = Ladder(levels).wanted(100)
    assert wanted == {("greedy", "beginner"): 50, ("greedy", "club"): 25, ("beginner", "club"): 50}
    assert set(LEVELS) >= {"beginner", "club"}


def test_a_champion_plays_less_often(levels):
    with_champion = dataclasses.replace(levels, bots={**levels.bots, "champion": levels.bots["greedy"]})
    wanted = Ladder(with_champion).wanted(64)
    assert [wanted["club", "champion"], wanted["beginner", "champion"]] == [16, 4]
    assert [wanted["beginner", "club"], wanted["greedy", "club"]] == [32, 16]


def test_the_share_of_a_unit_is_a_mean():
    unit = [outcome("1", (1, 0)), outcome("1", (1, 1))]
    assert unit_share("a", unit) == 0.75
