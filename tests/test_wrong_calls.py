"""Wrong calls from Python (types, ranges, too early, too late): a sentence, and nothing has changed."""

import re
from math import nan
from pathlib import Path

import numpy as np
import pytest

from mozaika import GAMES, Budget, Record, RecordError, Table, UnknownMove, simulate

AZUL, GEMINO = GAMES["azul"], GAMES["gemino"]


@pytest.fixture(scope="module")
def played() -> Table:
    table = Table("azul", 2, seed="wrong", start="1")
    for _ in range(3):
        table.play(table.legal_moves()[0])
    return table


@pytest.fixture(scope="module")
def over() -> Table:
    table = Table("azul", 2, seed="wrong", start="1")
    while not table.is_over:
        table.play(table.legal_moves()[0])
    return table


def refuse(call, table, kind, sentence):
    before = table.position(), table.ply, table.entries, table.record(reveal=True).write()
    with pytest.raises(kind, match=re.escape(sentence)) as refused:
        call(table)
    assert str(refused.value).endswith(".")
    assert before == (table.position(), table.ply, table.entries, table.record(reveal=True).write())


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda t: t.back_to(-1), ValueError, "The table has the plies 0 to 23, not -1."),
        (lambda t: t.back_to(99), ValueError, "The table has the plies 0 to 23, not 99."),
        (lambda t: t.back_to("3"), TypeError, "A ply is a whole number, not '3'."),
        (lambda t: t.back_to(None), TypeError, "A ply is a whole number, not None."),
        (lambda t: t.state_at(1.0), TypeError, "A ply is a whole number, not 1.0."),
        (lambda t: t.state_at(24), ValueError, "The table has the plies 0 to 23, not 24."),
        (lambda t: t.svg(shape="round"), ValueError, "shape is one of wide, tall, not 'round'."),
        (lambda t: t.svg(theme="pink"), ValueError, "theme is one of auto, light, dark, not 'pink'."),
        (lambda t: t.svg(theme=["dark"]), ValueError, "theme is one of auto, light, dark, not ['dark']."),
        (lambda t: t.svg("1"), TypeError, "A seat is a whole number, not '1'."),
        (lambda t: t.sketch(2), ValueError, "There are the seats 0 to 1, and WATCHER; not 2."),
        (lambda t: t.sketch(None), TypeError, "A seat is a whole number, not None."),
        (lambda t: t.play(5), TypeError, "A move is a text, not 5."),
        (lambda t: t.play(None), TypeError, "A move is a text, not None."),
        (lambda t: t.play(b"F1 red >1"), TypeError, "A move is a text, not b'F1 red >1'."),
        (lambda t: t.play(t.legal_moves()[0], "0"), TypeError, "A seat is a whole number, not '0'."),
        (lambda t: t.play(t.legal_moves()[0], 7), ValueError, "It is not your turn."),
        (lambda t: t.draw(5), TypeError, "What is drawn is a text, not 5."),
        (lambda t: t.legal_moves("0"), TypeError, "A seat is a whole number, not '0'."),
        (lambda t: t.undo("0"), TypeError, "A seat is a whole number, not '0'."),
        (lambda t: t.undo(15), ValueError, "There are the seats 0 to 1, and WATCHER; not 15."),
        (lambda t: t.tell("1"), TypeError, "A ply is a whole number, not '1'."),
        (lambda t: t.tell(99), ValueError, "The table has 23 moves and draws, counted from 0, and not 99."),
        (lambda t: t.tell(viewer=7), ValueError, "There are the seats 0 to 1, and WATCHER; not 7."),
        (lambda t: t.log("0"), TypeError, "A seat is a whole number, not '0'."),
        (lambda t: t.ask("oracle"), ValueError, "not 'oracle'."),
        (lambda t: t.ask(["greedy"]), ValueError, "not ['greedy']."),
        (lambda t: t.ask("greedy", "1"), TypeError, "A seat is a whole number, not '1'."),
        (lambda t: t.think("greedy", 0), ValueError, "Seat 0 is not to move; to move: 1."),
        (lambda t: t.think("expert", budget=5), TypeError, "How long a bot may think is a Budget, not 5."),
    ],
)
def test_a_table_refuses_what_makes_no_sense(played, call, kind, sentence):
    if sentence.startswith("What is drawn"):
        played = Table.from_position(Table("azul", 2, draws="told").position(), draws="told")
    refuse(call, played, kind, sentence)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda t: t.play("F1 red >1"), UnknownMove),
        (lambda t: t.play("nonsense"), UnknownMove),
        (lambda t: t.think("greedy"), ValueError),
        (lambda t: t.ask("greedy", 0), ValueError),
    ],
)
def test_after_the_end_it_says_so(over, call, kind):
    refuse(call, over, kind, "The game is over.")
    assert over.legal_moves() == []


def test_before_the_first_draw_no_bot_can_be_asked():
    refuse(
        lambda t: t.think("greedy"), Table("azul", 2, draws="told"), ValueError, "something has to be drawn."
    )


def test_before_anything_has_happened_there_is_nothing_to_tell():
    table = Table("azul", 2, draws="told")
    refuse(lambda t: t.tell(), table, ValueError, "Nothing has happened yet at this table.")
    assert table.log() == []


def test_where_several_may_move_the_seat_is_asked_for():
    table = Table("fits", 2, seed=1)
    assert table.movers == [0, 1]
    refuse(lambda t: t.think("greedy"), table, ValueError, "Seats [0, 1] may move at once; say for which one")


def test_whole_numbers_of_numpy_are_whole_numbers(played):
    table = played.copy()
    table.back_to(np.int64(22))
    assert table.ply == 22
    assert table.svg(np.int8(0)) == table.svg(0)
    assert table.legal_moves(np.int32(1)) == table.legal_moves(1)
    assert Table("azul", np.int64(3)).names == ("P1", "P2", "P3")


def test_a_bot_of_ones_own_can_be_asked(played):
    greedy = AZUL.bots["greedy"]
    assert played.ask(greedy) == played.ask("greedy")


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda: Table(5), TypeError, "A game is a text, not 5."),
        (lambda: Table("azul", "2"), TypeError, "How many play is a whole number, not '2'."),
        (lambda: Table("azul", 2.0), TypeError, "How many play is a whole number, not 2.0."),
        (lambda: Table("azul", 0), ValueError, "Azul is for 2 to 4 players, not 0."),
        (lambda: Table("azul", 2, names="ab"), TypeError, "Names come as a list, one for each"),
        (lambda: Table("azul", 2, names=5), TypeError, "Names come as a list, one for each"),
        (lambda: Table("azul", 2, names=["a", 5]), TypeError, "A name is a text, not 5."),
        (lambda: Table("azul", 2, seed=1.5), TypeError, "or a whole number, not 1.5."),
        (lambda: Table("azul", 2, seed=b"x"), TypeError, "or a whole number, not b'x'."),
        (lambda: Table("azul", 2, lang=None), ValueError, "Mozaika speaks en, pl, de, not None."),
        (lambda: Table.from_position(5), TypeError, "A position is a text, not 5."),
        (lambda: Table.from_record("game.txt"), TypeError, "Record.read(text) makes one of a text."),
        (lambda: AZUL.start(2, {}), TypeError, "The options of Azul are made by read_options, not {}."),
        (lambda: AZUL.start(2, GEMINO.read_options()), TypeError, "The options of Azul are made by"),
        (lambda: AZUL.start("2", AZUL.read_options()), TypeError, "How many play is a whole number"),
        (lambda: AZUL.read_options(5), TypeError, "Options are given as names and values, not as 5."),
        (lambda: AZUL.read_options({1: 2}), ValueError, "Azul has no option 1; it has wall, start."),
        (lambda: AZUL.write_options({}), TypeError, "The options of Azul are made by read_options, not {}."),
        (lambda: AZUL.legal_moves("azul 2", 0), TypeError, "A state of Azul is a record of its own type"),
        (lambda: AZUL.legal_moves(Table("gemino").state, 0), TypeError, "A state of Azul is a record"),
        (lambda: AZUL.rulebook("fr"), ValueError, "Mozaika speaks en, pl, de, not 'fr'."),
        (lambda: Budget(nodes=0), ValueError, "A bot looks at one node or more, not at 0."),
        (lambda: Budget.of(0, None), ValueError, "A bot looks at one node or more, not at 0."),
        (lambda: simulate("azul", []), ValueError, "There is no bot to play."),
        (lambda: simulate("azul", ["random", 5]), TypeError, "A bot is a text, not 5."),
        (lambda: simulate("azul", games=-1), ValueError, "The number of games is 0 or more, not -1."),
        (lambda: simulate("azul", seats=0), ValueError, "Azul is for 2 to 4 players, not 0."),
        (lambda: Budget(nodes="many"), TypeError, "A number of nodes is a whole number, not 'many'."),
        (lambda: Budget(milliseconds=-1), ValueError, "more than 0 milliseconds, not for -1."),
        (lambda: Budget(milliseconds=nan), ValueError, "more than 0 milliseconds, not for nan."),
        (lambda: Budget(milliseconds="1"), ValueError, "more than 0 milliseconds, not for '1'."),
        (lambda: Record.read(5), TypeError, "A record is a text, not 5."),
        (lambda: Record.read(Path("a-file.txt")), TypeError, "A record is a text, not "),
        (lambda: Record.read(b"Mozaika record 1"), TypeError, "A record is a text, not b'Mozaika record 1'."),
        (lambda: Record.read("a-file.txt"), RecordError, "This is the name of a file; read its text"),
        (lambda: Record.read("/my games/a.mozaika"), RecordError, "This is the name of a file"),
        (lambda: Record.read("Hello."), RecordError, "A record begins with “Mozaika record 1”."),
        (lambda: Table("azul").record().state("1"), TypeError, "A ply is a whole number, not '1'."),
        (lambda: Table("azul").record().verify(5), TypeError, "A commitment is a text, not 5."),
        (lambda: Table.from_record(Table("azul").record(), "1"), TypeError, "A ply is a whole number"),
        (lambda: Table.from_record(Table("azul").record(), 99), ValueError, "The record has the plies 0 to"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_says_why(call, kind, sentence):
    with pytest.raises(kind, match=re.escape(sentence)):
        call()
