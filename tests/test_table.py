"""A table as a Python user meets it."""

import pytest

import mozaika
from mozaika import CHANCE, WATCHER, AmbiguousMove, Budget, IllegalMove, MoveError, Record, Table, UnknownMove
from mozaika.kernel import kernel, swift
from mozaika.thought import Thought


@pytest.fixture
def table() -> Table:
    return Table("azul", seats=2, seed="sunday", start="1", names=["Ania", "Bartek"])


def test_the_package_offers_what_it_promises():
    for name in mozaika.__all__:
        assert hasattr(mozaika, name)


def test_the_same_seed_gives_the_same_game(table):
    assert Table("azul", 2, seed="sunday", start="1").position() == table.position()
    assert Table("azul", 2, seed="monday", start="1").position() != table.position()
    assert Table("azul", 2).seed != Table("azul", 2).seed


def test_seats_follow_from_names():
    assert len(Table("azul", names=["a", "b", "c"]).names) == 3
    assert Table("azul").names == ("P1", "P2")


def test_playing_moves(table):
    assert table.movers == [0]
    first = table.legal_moves()[0]
    assert table.play(first) == first
    assert table.movers == [1]
    assert table.legal_moves(0) == []
    assert not table.is_over


def test_a_shortened_move_is_enough_if_only_one_fits(table):
    full = next(move for move in table.legal_moves() if move.endswith(">4"))
    source, color, _ = full.split()
    assert table.play(f"{source.lower()} {color[:3]} 4") == full


def test_three_kinds_of_move_error(table):
    before = table.position()
    with pytest.raises(UnknownMove, match="There is no move “x y z” now"):
        table.play("x y z")
    with pytest.raises(UnknownMove):
        table.play("")
    source = table.legal_moves()[0].split()[0]
    with pytest.raises(AmbiguousMove, match=rf"“{source}” could be ") as ambiguous:
        table.play(source)
    assert set(ambiguous.value.candidates) < set(table.legal_moves())
    with pytest.raises(IllegalMove, match="It is not your turn") as illegal:
        table.play(table.legal_moves()[0], seat=1)
    assert illegal.value.rule == "AZ-A1"
    with pytest.raises(IllegalMove):
        table.play("start 1")
    assert table.position() == before


def test_refusals_speak_the_players_language():
    table = Table("azul", 2, seed=1, start="1", lang="pl")
    with pytest.raises(IllegalMove) as refusal:
        table.play(table.legal_moves()[0], seat=1)
    assert str(refusal.value) != "It is not your turn."
    with pytest.raises(ValueError, match="speaks en, pl, de, not 'fr'"):
        Table("azul", 2, lang="fr")


def test_told_draws():
    table = Table("azul", 2, draws="told")
    assert table.movers == [CHANCE]
    table.draw("start 2")
    table.draw("blue, blue, red, white")
    table.draw("black " * 4)
    before = table.position()
    with pytest.raises(UnknownMove):
        table.draw("blue blue green")
    for text in ("blue, , red", ""):
        with pytest.raises(UnknownMove):
            table.draw(text)
    assert table.position() == before, "all or nothing"
    with pytest.raises(IllegalMove):
        table.draw("start 1")
    assert table.undo() == "black"
    table.draw("yellow yellow yellow yellow red red red red white white white white white")
    assert table.movers == [1]
    with pytest.raises(IllegalMove) as refused:
        table.draw("blue")
    assert refused.value.rule == "AZ-C1"


def test_a_table_with_a_seed_cannot_be_told(table):
    with pytest.raises(ValueError, match="draws by itself"):
        table.draw("blue")
    with pytest.raises(ValueError, match="has no seed"):
        Table("azul", 2, draws="told", seed=1)
    with pytest.raises(ValueError, match="draws is one of"):
        Table("azul", 2, draws="dice")  # type: ignore[arg-type]


def test_undo_and_the_same_draws_again(table):
    states = []
    for _ in range(30):
        states.append(table.position())
        table.play(table.legal_moves(table.movers[0])[-1], table.movers[0])
    after = table.position()
    moves = [table.undo() for _ in range(30)]
    assert table.position() == states[0]
    for move in reversed(moves):
        table.play(move)
    assert table.position() == after


def test_resuming_from_a_position(table):
    for _ in range(5):
        table.play(table.legal_moves()[3])
    resumed = Table.from_position(table.position(), seed=1)
    assert resumed.legal_moves() == table.legal_moves()
    assert resumed.position() == table.position()
    resumed.play(resumed.legal_moves()[0])
    record = Record.read(resumed.record().write())
    assert record.state().tobytes() == resumed.state.tobytes()
    for text in ("", "chess 2", "azul", "azul 2; wall pink"):
        with pytest.raises(ValueError):
            Table.from_position(text)


def test_going_on_from_a_moment_of_a_record(table):
    while not table.is_over:
        table.play(table.ask("greedy"))
    record = table.record()
    ply = next(n for n, entry in enumerate(record.entries) if entry.seat != CHANCE) + 1
    again = Table.from_record(record, ply)
    assert again.ply == ply
    assert again.names == ("Ania", "Bartek")
    while not again.is_over:
        again.play(again.ask("greedy"))
    assert again.position() == table.position(), "the same seed, the same bot, the same game"
    with pytest.raises(ValueError, match="plies 0 to"):
        Table.from_record(record, 10_000)


def test_the_seed_is_shown_only_when_the_game_is_over(table):
    assert table.commitment in table.record().write()
    assert "Seed:" not in table.record().write()
    while not table.is_over:
        table.play(table.ask("random"))
    assert "Seed: sunday" in table.record().write()
    assert table.record().verify() == []


def test_asking_bots(table):
    for bot in table.game.bots:
        assert table.ask(bot, budget=Budget(nodes=2)) in table.legal_moves()
    with pytest.raises(ValueError, match="Azul has the bots random, greedy, "):
        table.ask("oracle")
    with pytest.raises(ValueError, match="Seat 1 is not to move; to move: 0"):
        table.ask("random", seat=1)


def test_what_a_table_says(table):
    table.play(table.legal_moves()[0])
    assert table.log()[0].startswith("Ania: takes ")
    assert table.log()[0].endswith("(AZ-A6)")
    assert [sentence.seat for sentence in table.tell()] == [0]
    assert "Round 1" in str(table)
    assert "[" not in str(table)
    assert "[#" in table.sketch()
    assert repr(table) == "<Table azul, 2 seats, ply 21>"
    with pytest.raises(ValueError, match="has 21 moves and draws"):
        table.tell(21)


def test_a_name_with_brackets_is_no_mark_up():
    table = Table("azul", names=["[red]Ania", "x" * 60])
    assert "(red)Ania" in str(table)
    assert max(map(len, str(table).splitlines())) < 80
    assert "&lt;b&gt;" in Table("azul", names=["<b>", "c"]).svg()


def test_pictures(table):
    assert table._repr_svg_().startswith("<svg ")
    assert "prefers-color-scheme" in table.svg()
    assert "prefers-color-scheme" not in table.svg(0, "tall", "dark")
    assert table.svg(0, theme="light") != table.svg(0, theme="dark")
    assert "Ania" in table.svg()


def test_seeds_are_lines_of_text():
    assert Table("azul", seed="  a \n b ").seed == "a b"
    for seed in ("", "  ", "a\x00b"):
        with pytest.raises(ValueError, match="A seed is a line of text"):
            Table("azul", seed=seed)


def test_nobody_moves_who_does_not_sit_here():
    table = play_to_tiling()
    for seat in (-3, -2, -1, 4, 15, 40):
        assert table.legal_moves(seat) == []
        with pytest.raises(MoveError):
            table.play(table.legal_moves(table.movers[0])[0], seat)
        if seat != WATCHER:
            with pytest.raises(ValueError, match="There are the seats 0 to 3"):
                table.svg(seat)


def play_to_tiling() -> Table:
    """A table at which several seats tile at once."""
    table = Table("azul", 4, wall="grey", seed=3)
    while len(table.movers) < 2:
        table.play(table.ask("greedy"))
    return table


def test_a_seat_takes_its_own_move_back_while_others_tile():
    table = play_to_tiling()
    one, other = table.movers[:2]
    before = table.position()
    first = table.play(table.legal_moves(one)[0], one)
    second = table.play(f"{other + 1}: {table.legal_moves(other)[0]}")
    assert table.undo(one) == first
    assert table.undo(other) == second
    assert table.position() == before
    table.play(table.legal_moves(one)[0], one)
    while len(table.movers) > 1 or CHANCE not in [entry.seat for entry in table.entries[-1:]]:
        table.play(table.legal_moves(table.movers[0])[0], table.movers[0])
    with pytest.raises(ValueError, match="Others have moved since"):
        table.undo(one)


def test_a_shortened_move_of_several_seats_is_ambiguous():
    table = play_to_tiling()
    with pytest.raises(AmbiguousMove) as error:
        table.play("line")
    for candidate in error.value.candidates:
        assert table.copy().play(candidate) in candidate


@pytest.mark.parametrize(
    "names", [["a"], ["a", "b", "c"], ["a", "b/c"], ["a", " "], ["a", "b\nc"], ["a", "b\x08"]]
)
def test_bad_names(names):
    with pytest.raises(ValueError):
        Table("azul", 2, names=names)


def test_bad_options():
    with pytest.raises(ValueError, match="Azul has no option 'colour'; it has wall, start"):
        Table("azul", 2, colour="red")
    with pytest.raises(ValueError, match="start is one of random, 1, 2, 3, 4, not 9"):
        Table("azul", 2, start=9)
    with pytest.raises(ValueError, match="There is no game 'go' on the shelf; there is azul"):
        Table("go")


def test_a_bot_has_its_whole_time_after_its_kernels_were_loaded(table, monkeypatch):
    """The first time they are loaded while it thinks, so it thinks anew, with the same luck."""
    lucks = []

    @kernel
    def double(n):
        return 2 * n

    def late(game, view, seat, random, budget):
        lucks.append(int(random[0]))
        random += swift(double)(1)
        return Thought(game.legal_moves(view, seat)[0], nodes=len(lucks))

    monkeypatch.setitem(table.game.bots, "late", late)
    assert [table.think("late").nodes for _ in range(2)] == [2, 3]
    assert len(set(lucks)) == 1
