"""Turns, the end of a phase, and the moves of Azul Duel against a second opinion."""

from random import Random

from mozaika.games.azul_duel import pieces
from mozaika.games.azul_duel.notation import parse_move, write_move
from mozaika.games.azul_duel.pieces import CHIP_LETTERS, COLORS, LETTERS
from mozaika.games.azul_duel.positions import write_position
from mozaika.games.azul_duel.tests.boards import Duel, choice_state, duel, legal, walk
from mozaika.state import CHANCE, WATCHER


def test_players_take_turns_and_a_turn_is_one_action():
    """AD-1: a plate, tiles from a sun side, tiles from the moon sides, or a chip."""
    at = duel(
        sun=["BBYY", "-", "-", "-", "K"], moon=["-", "R"], chips="? ? B -", tokens=(1, 1), scores=(9, 9)
    )
    kinds = {move.split()[0] for move in at.legal_moves()}
    assert kinds == {"F1", "large", "moon", "plate", "draw", "chip"}
    seen = []
    for move in ("chip F3", "moon red >1", "plate * >s1 turn 0", "large black >2"):
        seen.append(at.movers)
        at.play(move.replace("*", at.field("shown").split()[0]))
        if "moon" in move:
            at.draw("chip KB")
    assert seen == [[0], [1], [0], [1]]
    assert at.refuses("F1 blue >1", 1) == "AD-1"
    assert at.refuses("F1 blue >1", WATCHER) == "AD-1"


def test_phase_one_ends_when_everything_is_taken():
    """AD-E1: tiles, chips and tokens."""
    at = duel(moon=["-", "-", "-", "-", "K"], chips="B - - -", chosen=(1, 2), tokens=(1, 0))
    at.play("moon black >1")
    assert at.movers == [0]
    at.play("chip F1")
    assert at.movers == [0]
    assert at.refuses("line 1 >c1") == "AD-E1"
    at.play("draw")
    at.draw("back wild")
    at.play("stop")
    at.play(at.legal_moves()[0], CHANCE)
    at.play(at.legal_moves()[0])
    assert at.state["round"] == 3


def test_who_cannot_act_is_skipped_for_the_rest_of_the_phase():
    """AD-E2: the other goes on alone; and nobody passes who could still act."""
    at = duel(chips="B T - -", chosen=(2, 0), turn=2, tokens=(0, 1))
    moves = []
    while at.state["phase"] != pieces.REFILL:
        if at.movers == [CHANCE]:
            at.play(at.legal_moves()[0], CHANCE)
            continue
        assert at.movers == [1]
        moves.append(at.legal_moves()[-1])
        at.play(moves[-1])
    assert moves[:2] == ["chip F2", "chip F1"]
    at = duel(chips="B T - -", chosen=(1, 1))
    at.play("chip F1")
    assert at.movers == [1]


def is_legal(fields: dict[str, str], text: str) -> bool:
    """Legality in phase 1 said once more, slowly, from the rules' words and the position's text."""
    seat = int(fields["turn"]) - 1
    mine = {key: value.split(" / ")[seat] for key, value in fields.items() if " / " in value}
    if text == "draw":
        return mine["tokens"] != "0" and (fields["unseen"], fields["under"]) != ("-", "-")
    if text.startswith("plate"):
        _, plate, slot, _, _ = text.split()
        free = mine["domes"].split()[int(slot[2]) - 1] == "-"
        return mine["tokens"] != "0" and plate in fields["shown"].split() and free
    if text.startswith("chip"):
        return mine["chosen"] != "2" and fields["chips"].split()[int(text[6]) - 1] not in ("-", "?")
    source, color, target = text.split()
    letter = LETTERS[COLORS.index(color)]
    if source == "moon":
        *stacks, large = fields["moon"].split()
        if letter not in large and not any(stack[-1] == letter for stack in stacks):
            return False
    elif letter not in fields["sun"].split()[4 if source == "large" else int(source[1]) - 1]:
        return False
    if target == ">broken":
        return True
    line = mine["lines"].split()[int(target[1]) - 1]
    return line == "-" or (line[0] == letter and len(line) < int(target[1]))


def test_legal_actions_are_complete():
    """AD-1"""
    texts = [write_move(move) for move in range(pieces.STACKS)]
    texts = [text for text in texts if text.split()[0] not in ("stop", "return")]
    for seed in range(3):
        for state, seat, _ in walk(Random(seed)):
            if state["phase"] == pieces.ACQUIRE and seat != CHANCE:
                at = Duel.from_position(write_position(state), draws="told")
                fields = at.fields
                assert at.legal_moves() == [text for text in texts if is_legal(fields, text)]


def test_moves_have_one_text_each():
    stacks = {
        pieces.STACKS + int(order) for orders in pieces.REST_ORDERS for order in orders[1 : orders[0] + 1]
    }
    stacks.discard(pieces.STACKS)
    aims = [pieces.AIMS + mask for mask in range(256) if mask.bit_count() in (3, 4)]
    moves = [*range(pieces.STACKS), *sorted(stacks), *range(pieces.TILINGS, pieces.STAYS, 101)]
    moves += [*range(pieces.STAYS, pieces.AIMS), *aims, *range(pieces.STARTS, pieces.MOVES)]
    texts = [write_move(move) for move in moves]
    assert len(set(texts)) == len(moves)
    assert [parse_move(text) for text in texts] == moves
    assert [parse_move(text.lower()) for text in texts] == moves


def test_the_largest_choices_fit_the_buffer():
    """AD-W4: ten chips and six spaces; no state of a random game comes near."""
    state = choice_state()
    for _ in range(300):
        box = [name for name in CHIP_LETTERS for _ in range(2)]
        store = Random(1).sample(box, 10)
        state["store"][0] = [store.count(name) for name in CHIP_LETTERS]
    assert len(legal(state, 0)) < pieces.MOST_MOVES


def test_write_position_of_every_phase():
    """AD-1: every phase of the game is met in random games."""
    phases = set()
    for seed in range(4):
        for state, _, _ in walk(Random(seed), bold=0.3):
            phases.add(int(state["phase"]))
            if len(phases) == len(pieces.PHASES):
                break
    assert phases == set(range(len(pieces.PHASES)))
    assert write_position(state).startswith("azul_duel 2; ")
