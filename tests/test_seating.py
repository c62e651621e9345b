"""Who may sit down, leave, hand over and come back; without a server."""

import dataclasses
from xml.etree import ElementTree

import pytest

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.table import Table
from mozaika.table.commands import digest
from mozaika.table.events import Occupant
from mozaika.table.levels import short_name, usual_opponent
from mozaika.table.plan import plan_game
from mozaika.table.refusals import BadWish, NotAllowed, NotNow, NotThere
from mozaika.table.seating import (
    SeatChange,
    SeatWish,
    change_seat,
    enter,
    is_admitted,
    make_link,
    own_seat,
    revoke_links,
    seat_all,
    seat_bot,
)
from mozaika.table.shared import SharedTable
from tables import ANIA, BARTEK, BOT, CELINA, OPEN, STRANGER, seated

pytestmark = pytest.mark.anyio

GAME = GAMES[FIRST]
ENGLISH, POLISH = GAME.words("en"), GAME.words("pl")
SIT, LEAVE, HAND_OVER, BACK, REMOVE = (
    SeatChange(action) for action in ("sit", "leave", "bot", "back", "remove")
)


async def a_link(shared, link="the link"):
    await make_link(shared, ANIA.guest, link)
    return link


async def ended():
    table = Table(GAME, 2, seed="x")
    while not table.is_over:
        table.play(table.legal_moves()[0])
    return table


def test_the_seats_of_a_new_table_are_as_whoever_opens_it_wants_them():
    wishes = [
        SeatWish("me", name="  Ania   Nowak "),
        SeatWish("screen"),
        SeatWish("bot", bot="greedy"),
        SeatWish("open"),
    ]
    greedy = short_name("greedy", ENGLISH)
    assert seat_all(GAME, wishes, ANIA.guest, ENGLISH) == [
        Occupant("person", "Ania Nowak", ANIA.guest),
        Occupant("person", "", ANIA.guest),
        Occupant("bot", greedy, bot="greedy"),
        OPEN,
    ]


def test_bots_of_one_level_are_numbered():
    seats = seat_all(GAME, [SeatWish("bot", bot="greedy")] * 4, ANIA.guest, POLISH)
    name = short_name("greedy", POLISH)
    assert [each.name for each in seats] == [name, f"{name} 2", f"{name} 3", f"{name} 4"]


def test_a_bot_that_the_game_does_not_have_is_refused():
    with pytest.raises(BadWish) as refused:
        seat_all(GAME, [SeatWish("bot", bot="nobody")], ANIA.guest, ENGLISH)
    assert str(refused.value).startswith(f"{GAME.name} has the bots ")
    assert refused.value.said(POLISH) != str(refused.value)
    alone = dataclasses.replace(GAME, bots={})
    with pytest.raises(BadWish, match=f"{GAME.name} has no bots"):
        seat_bot(alone, usual_opponent(alone), [], ENGLISH)


UNSEEN = [
    "\u202eainA",
    "An\u200bia",
    "An\u200dia",
    "Ania\u200d",
    "\u3164",
    "\u2800",
    "Ania\ufe0f",
    "A\u034fnia",
    "A\u00adnia",
]
BROKEN = ["Ania/Bartek", "a" * 101, "A\0", "A\x1b[2J", "A\ufffe", "A\ud800", "A" + "\u0301" * 9]


@pytest.mark.parametrize("name", UNSEEN + BROKEN)
def test_a_name_that_cannot_be_shown_is_refused(name):
    with pytest.raises(BadWish, match="A name is one line"):
        seat_all(GAME, [SeatWish("me", name=name)], ANIA.guest, ENGLISH)


@pytest.mark.parametrize(
    "name",
    ["Żaneta", "Ömer", "李雷", "محمد", "نیلوفر\u200cها", "Ania ❤\ufe0f", "👩\u200d🚀", "O'Neil <3 & co"],
)
def test_a_name_that_people_have_is_taken_and_breaks_no_picture(name):
    (seat,) = seat_all(GAME, [SeatWish("me", name=name)], ANIA.guest, ENGLISH)
    assert seat.name == name
    table = Table(GAME, names=[name] * GAME.seats[0], seed="x")
    ElementTree.fromstring(table.svg())


@pytest.mark.parametrize(
    "name",
    [
        "Expert",
        "EXPERT 2",
        "Ex pert",
        "Еxреrt",
        "Éxpert",
        "Ｅｘｐｅｒｔ",
        "Ekspert",
        "Experte",
        "gr33dy",
        "Ch4mpion",
        "Champion (bot)",
        "champ\N{LATIN SMALL LETTER DOTLESS I}on",
        "c\N{CYRILLIC SMALL LETTER SHHA}ampion",
        "\N{LATIN LETTER SMALL CAPITAL C}hampion",
    ],
)
def test_nobody_is_called_like_a_bot(name):
    with pytest.raises(BadWish, match="name of a bot"):
        seat_all(GAME, [SeatWish("me", name=name)], ANIA.guest, ENGLISH)


def test_who_only_has_part_of_a_bots_name_keeps_it():
    seat_all(GAME, [SeatWish("me", name="Experta Nowak"), SeatWish("screen", name="Randall")], "a", ENGLISH)


def test_among_several_people_nobody_chooses_the_seed():
    options = GAME.read_options()
    with pytest.raises(BadWish, match="nobody chooses the seed"):
        plan_game(GAME, options, [ANIA, OPEN], ANIA.guest, seed="mine", hints=None)
    assert plan_game(GAME, options, [ANIA, BOT], ANIA.guest, seed="mine", hints=None).seed == "mine"


async def test_only_who_is_admitted_may_sit_down(store):
    shared = await seated(store, ANIA, OPEN)
    with pytest.raises(NotAllowed, match="Ask for the link"):
        await change_seat(shared, 2, SIT, BARTEK.guest, ENGLISH)
    with pytest.raises(NotAllowed, match="Ask for the link"):
        await make_link(shared, BARTEK.guest, "a link of one's own")
    await make_link(shared, ANIA.guest, "the link")
    with pytest.raises(NotAllowed, match="does not open this table"):
        await enter(shared, BARTEK.guest, "another")
    await enter(shared, BARTEK.guest, "the link")
    assert await is_admitted(shared, BARTEK.guest)
    assert not await is_admitted(shared, STRANGER)
    assert digest("the link") in shared.links
    await change_seat(shared, 2, SeatChange("sit", name="Bartek"), BARTEK.guest, ENGLISH)
    assert shared.seats[1] == BARTEK


async def test_a_seat_that_is_not_there_is_refused(store):
    shared = await seated(store, ANIA, OPEN)
    for number in (0, 3):
        with pytest.raises(NotThere, match="There are the seats 1 to 2"):
            await change_seat(shared, number, SIT, ANIA.guest, ENGLISH)


async def test_who_hands_over_to_a_bot_keeps_the_name_and_comes_back_alone(store):
    shared = await seated(store, ANIA, BARTEK)
    await change_seat(shared, 2, HAND_OVER, BARTEK.guest, ENGLISH)
    assert shared.seats[1] == Occupant("bot", "Bartek", BARTEK.guest, usual_opponent(GAME))
    with pytest.raises(NotAllowed, match="take the seat back first"):
        own_seat(shared, BARTEK.guest, 2)
    for guest, wish in ((ANIA.guest, BACK), (ANIA.guest, SIT), (ANIA.guest, LEAVE)):
        with pytest.raises(NotAllowed, match="cannot be done with this seat now"):
            await change_seat(shared, 2, wish, guest, ENGLISH)
    await change_seat(shared, 2, BACK, BARTEK.guest, ENGLISH)
    assert shared.seats[1] == BARTEK
    assert own_seat(shared, BARTEK.guest, 2) == 1


async def test_nobody_acts_for_somebody_else(store):
    shared = await seated(store, ANIA, BARTEK)
    for guest, number in ((ANIA.guest, 2), (STRANGER, 1), ("", 1), (ANIA.guest, 3), (ANIA.guest, 0)):
        with pytest.raises(NotAllowed, match="You do not sit on this seat"):
            own_seat(shared, guest, number)
    for wish in (LEAVE, HAND_OVER, SIT, BACK):
        with pytest.raises(NotAllowed):
            await change_seat(shared, 2, wish, ANIA.guest, ENGLISH)
    assert shared.seats == [ANIA, BARTEK]


async def test_the_owner_alone_puts_bots_on_free_seats_and_sends_them_away(store):
    shared = await seated(store, ANIA, BARTEK, OPEN)
    with pytest.raises(NotAllowed):
        await change_seat(shared, 3, HAND_OVER, BARTEK.guest, ENGLISH)
    await change_seat(shared, 3, SeatChange("bot", bot="random"), ANIA.guest, ENGLISH)
    assert shared.seats[2] == Occupant("bot", short_name("random", ENGLISH), bot="random")
    with pytest.raises(NotAllowed, match="only the table's owner may send it away"):
        await change_seat(shared, 3, SIT, BARTEK.guest, ENGLISH)
    await change_seat(shared, 3, SeatChange("sit", name="Adam"), ANIA.guest, ENGLISH)
    assert shared.seats[2] == Occupant("person", "Adam", ANIA.guest)
    await change_seat(shared, 3, LEAVE, ANIA.guest, ENGLISH)
    assert shared.seats[2] == OPEN


async def test_who_let_a_bot_play_to_the_end_takes_the_seat_back_for_a_rematch(store):
    shared = await seated(store, ANIA, BARTEK)
    await change_seat(shared, 2, HAND_OVER, BARTEK.guest, ENGLISH)
    shared.table = await ended()
    await change_seat(shared, 2, BACK, BARTEK.guest, ENGLISH)
    assert shared.seats[1] == BARTEK


async def test_in_a_finished_game_nobody_takes_a_seat(store):
    shared = await seated(store, ANIA, BARTEK)
    await enter(shared, CELINA.guest, await a_link(shared))
    await change_seat(shared, 2, LEAVE, BARTEK.guest, ENGLISH)
    shared.table = await ended()
    for guest, number, wish in ((CELINA, 2, SIT), (ANIA, 2, HAND_OVER), (ANIA, 1, HAND_OVER)):
        with pytest.raises(NotNow, match="The game is over"):
            await change_seat(shared, number, wish, guest.guest, ENGLISH)
    await change_seat(shared, 1, LEAVE, ANIA.guest, ENGLISH)


async def test_who_let_a_bot_play_comes_back_also_after_the_end(store):
    shared = await seated(store, ANIA, BARTEK)
    await change_seat(shared, 1, HAND_OVER, ANIA.guest, ENGLISH)
    shared.table = await ended()
    await change_seat(shared, 1, BACK, ANIA.guest, ENGLISH)
    assert shared.seats[0] == ANIA


async def test_the_owner_asks_a_guest_to_leave_and_nobody_else_can(store):
    shared = await seated(store, ANIA, BARTEK, CELINA)
    link = await a_link(shared)
    for guest, number in ((BARTEK, 3), (BARTEK, 2), (ANIA, 1), (STRANGER, 2)):
        with pytest.raises(NotAllowed):
            await change_seat(shared, number, REMOVE, getattr(guest, "guest", guest), ENGLISH)
    first = await change_seat(shared, 2, REMOVE, ANIA.guest, ENGLISH, "a#1")
    assert await change_seat(shared, 2, REMOVE, ANIA.guest, ENGLISH, "a#1") == first
    assert [seat.kind for seat in shared.seats] == ["person", "open", "person"]
    again = SharedTable(*(await store.load(shared.header.id)), store)
    for table in (shared, again):
        assert not await is_admitted(table, BARTEK.guest)
        with pytest.raises(NotAllowed, match="asked you to leave"):
            await enter(table, BARTEK.guest, link)
    assert await is_admitted(shared, CELINA.guest)


async def test_who_let_a_bot_play_can_be_asked_to_leave_too(store):
    shared = await seated(store, ANIA, BARTEK)
    await change_seat(shared, 2, HAND_OVER, BARTEK.guest, ENGLISH)
    await change_seat(shared, 2, REMOVE, ANIA.guest, ENGLISH)
    assert shared.seats[1] == OPEN


async def test_the_owner_revokes_links_and_who_only_came_by_one_must_ask_again(store):
    shared = await seated(store, ANIA, BARTEK, OPEN)
    link = await a_link(shared)
    await enter(shared, CELINA.guest, link)
    with pytest.raises(NotAllowed, match="Only the table's owner"):
        await revoke_links(shared, BARTEK.guest)
    await revoke_links(shared, ANIA.guest, "a#1")
    again = SharedTable(*(await store.load(shared.header.id)), store)
    for table in (shared, again):
        admitted = [await is_admitted(table, each.guest) for each in (ANIA, BARTEK, CELINA)]
        assert admitted == [True, True, False]
        with pytest.raises(NotAllowed, match="does not open"):
            await enter(table, CELINA.guest, link)
    await enter(shared, CELINA.guest, await a_link(shared, "a new one"))
    await revoke_links(shared, ANIA.guest, "a#1")
    assert await is_admitted(shared, CELINA.guest), "sent twice it is done once"
