"""A record survives hand editing and names the line of the first error."""

import re

import pytest

from mozaika import CHANCE, GAMES, Record, RecordError, Table

SHELVED = ", ".join(GAMES)


@pytest.fixture(scope="module")
def finished() -> str:
    table = Table("azul", 2, seed="archive", start="1", names=["Ania", "Bartek"])
    while not table.is_over:
        table.play(table.ask("greedy"))
    return table.record().write()


def test_a_record_is_readable(finished):
    lines = finished.splitlines()
    assert lines[:5] == [
        "Mozaika record 1",
        "Game: azul 1",
        "Options: wall=coloured start=1",
        "Seats: Ania / Bartek",
        "Draws: hmac-sha256/1",
    ]
    assert max(map(len, lines)) <= 100
    assert any(line.startswith("chance: ") for line in lines)
    assert any(line.startswith("1: F") for line in lines)


def test_editing_by_hand_does_no_harm(finished):
    edited = "\N{BYTE ORDER MARK}# my favourite game\r\n\r\n" + finished.replace("\n", "  \r\n").replace(
        ": ", ":   "
    )
    edited = edited.replace("1:   F", "\r\n# a thought\r\n1 :   f", 1).replace(" >", "  > ")
    edited = edited.replace("Seats:", "seats:").replace("chance:", "Chance:", 1)
    edited = edited.replace("floor", "floor  # a pity", 1)
    assert Record.read(edited).write() == finished


def test_other_headers_are_kept(finished):
    text = finished.replace("Draws:", "Event: Sunday at home\nDate: 2026-11-15\nDraws:", 1)
    record = Record.read(text)
    assert record.remarks == {"Event": "Sunday at home", "Date": "2026-11-15"}
    assert record.write() == text


def test_an_empty_header_is_kept_too(finished):
    text = finished.replace("Draws:", "Event:\nDraws:", 1)
    assert Record.read(text).write() == text


def test_options_must_agree_with_the_position():
    table = Table.from_position(Table("azul", 2, wall="grey", seed=1).position(), seed=2)
    text = table.record().write()
    assert "wall=grey" in text
    with pytest.raises(RecordError, match="made with wall=grey, not coloured"):
        Record.read(text.replace("wall=grey", "wall=coloured", 1))
    assert Record.read(re.sub("Options: .*\n", "", text)).write() == text


def test_going_on_without_the_seed_keeps_the_commitment_and_says_so():
    table = Table("azul", 2, seed="secret", start="1")
    table.play(table.legal_moves()[0])
    again = Table.from_record(Record.read(table.record().write()))
    assert again.record().write() == table.record().write()
    while again.movers != [CHANCE]:
        again.play(again.legal_moves()[0])
    again.draw(again.legal_moves()[0])
    text = again.record().write()
    assert "Draws: told" in text
    assert table.commitment in text
    assert "Resumed: the draws are told from ply " in text


def test_shortened_moves_are_read_in_full(finished):
    move = next(line for line in finished.splitlines() if line.startswith("1: F"))
    seat, source, color, target = move.split()
    short = f"{seat} {source.lower()} {color[:3]} {target}"
    assert Record.read(finished.replace(move, short, 1)).write() == finished


def line_of(text: str, beginning: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(beginning))


@pytest.mark.parametrize(
    ("old", "new", "at", "sentence"),
    [
        ("Mozaika record 1", "Chess record", "Chess", "A record begins with “Mozaika record 1”."),
        ("Game: azul 1", "Game: go 1", "Game", f"There is no game 'go' on the shelf; there is {SHELVED}."),
        ("Game: azul 1", "Game: azul 9", "Game", "This Mozaika plays azul 1, not “azul 9”."),
        ("wall=coloured", "wall=pink", "Options", "wall is one of coloured, grey, not 'pink'."),
        ("wall=coloured", "coloured", "Options", "An option is written name=value, not “coloured”."),
        ("Ania / Bartek", "Ania", "Seats", "Azul is for 2 to 4 players, not 1."),
        ("Draws:", "Seats: X / Y\nDraws:", "Seats: X", "The header “Seats” stands here a second time."),
        ("1: F", "5: F", "5: F", "A move begins with a seat (1 to 2) or “chance:”, not “5”."),
        ("1: F", "1 F", "1 F", None),
        ("1: F", "²: F", "²: F", None),
        ("1: F", "9" * 5000 + ": F", "999", None),
        ("1: F", "l: F", "l: F", None),
        ("Game: azul 1\n", "", "Mozaika", "The header “Game” is missing."),
        ("Options:", "Optons:", "Optons", "There is no header “Optons”; is it “Options”?"),
        ("wall=coloured", "wall=coloured wall=grey", "Options", "The option wall stands here twice."),
        ("hmac-sha256/1", "dice/7", "Draws", "Draws are hmac-sha256/1, epochs/1 or told, not “dice/7”."),
        ("1: F", "2: F", "2: F", "It is not your turn."),
        ("chance: ", "chance: green, ", "chance: green", "There is no move “green” now."),
        ("Result: ", "Result: 1", "Result", None),
    ],
)
def test_the_line_of_the_first_error_is_named(finished, old, new, at, sentence):
    text = finished.replace(old, new, 1)
    with pytest.raises(RecordError) as error:
        Record.read(text)
    assert error.value.line == line_of(text, at)
    if sentence:
        assert str(error.value) == f"Line {error.value.line}: {sentence}"
        for lang, line in (("pl", "Wiersz"), ("de", "Zeile")):
            with pytest.raises(RecordError) as translated:
                Record.read(text, lang)
            assert str(translated.value).startswith(f"{line} {error.value.line}: ")
            assert translated.value.sentence != sentence


def test_an_empty_text_is_no_record():
    for text in ("", "\n\n", "# only a thought"):
        with pytest.raises(RecordError, match="Line 1"):
            Record.read(text)


def test_an_unfinished_game_has_no_result(finished):
    lines = finished.splitlines()
    unfinished = "\n".join(lines[:-1])
    with pytest.raises(RecordError, match="The game is not over"):
        Record.read(unfinished)
    record = Record.read("\n".join(line for line in lines[:-1] if not line.startswith("Result")))
    assert record.result() is None
    assert "Result" not in record.write()


def test_verifying_catches_a_changed_draw_and_a_changed_seed(finished):
    assert Record.read(finished).verify() == []
    record = Record.read(finished)
    record.seed = "another"
    assert record.verify()[0] == "The seed does not match the commitment."
    assert record.verify()[1].startswith("At ply ")
    record = Record.read(finished)
    assert record.verify(record.commitment.upper()) == []
    assert record.verify("0" * 64) == ["The seed does not match the commitment."]
    record.commitment = ""
    assert record.verify() == ["The record has no commitment to compare the seed with."]
    record.seed = ""
    assert "does not show the seed" in record.verify()[0]
    record.draws = "told"
    assert "typed in" in record.verify()[0]


def test_verifying_catches_two_draws_exchanged(finished):
    first = next(line for line in finished.splitlines() if line.startswith("chance: "))
    drawn = first.removeprefix("chance: ").split(", ")
    other = next(n for n, color in enumerate(drawn[:4]) if color != drawn[0])
    drawn[0], drawn[other] = drawn[other], drawn[0]
    record = Record.read(finished.replace(first, f"chance: {', '.join(drawn)}", 1))
    assert len(record.verify()) == 1


def test_any_ply_can_be_seen(finished):
    record = Record.read(finished)
    states = list(record.states())
    assert len(states) == len(record.entries) + 1
    for ply in (0, 20, len(record.entries)):
        assert record.state(ply).tobytes() == states[ply].tobytes()
    with pytest.raises(ValueError, match="plies 0 to"):
        record.state(-1)
