"""People at one table in several browsers: the link, watching, consent, and seats that change hands."""

from playwright.sync_api import expect

from browser.player import LAST, STRETCH, WALKED, Player, one_of_the_games, soon

CLIPBOARD = ["clipboard-read", "clipboard-write"]


def mover_of(*players: Player) -> Player:
    """Who is to move as soon as tiles are dealt; anybody if the game is over."""
    movers: list[Player] = []

    def known() -> bool:
        movers.extend(player for player in players if player.has_turn())
        return bool(movers) or players[0].view()["over"]

    soon(known, players[0].page)
    return movers[0] if movers else players[0]


@one_of_the_games(WALKED[0])
def test_a_guest_comes_by_the_link_and_both_play_and_finish_the_game(new_context, finished, game: str):
    """At its beginning, in its middle, and near its end."""
    done = finished(2, game, "screen")
    host = Player(new_context(cookies=done.cookies, permissions=CLIPBOARD).new_page())
    guest = Player(new_context().new_page())
    for ply in (0, done.plies // 2, max(0, done.plies - LAST)):
        if ply:
            done.begin_at(host, ply)
            host.open_menu(2)
            host.page.locator(".seat-2 .menu button").last.click()
        else:
            host.open_table("me", "open", name="Ann", game=game)
        guest.come_by(host.copy_link(), name="Ben")
        assert "#" not in guest.page.url, "the secret leaves the address"
        expect(host.page.locator("#door form")).to_have_count(0)
        assert mover_of(host, guest).play()
        for _ in range(STRETCH - 1):  # near its end the game may be over before
            mover_of(host, guest).play()
    while mover_of(host, guest).play():
        pass
    for player in (host, guest):
        expect(player.result).to_be_visible()
        expect(player.page.locator("#result-checked")).to_contain_text(
            "a number of this browser is among them"
        )
    assert host.read_result("Ann") == guest.read_result("Ben")
    host.page.click("#rematch")
    host.page.wait_for_url(lambda url: url != guest.page.url)
    path = host.page.evaluate("location.pathname")
    guest.result.locator(f"a[href='{path}']").click()
    guest.page.wait_for_url(host.page.url)
    assert mover_of(host, guest).play()


def test_at_a_shared_table_a_move_is_taken_back_by_consent(host_and_guest):
    """The guest says no first, and yes when asked again."""
    host, guest = host_and_guest
    assert host.play()
    told = host.log.first.locator(".moment").first
    told.focus()
    assert guest.play()
    assert host.wait_for_turn()
    expect(told).to_be_focused()  # a line that somebody reads stays when another comes
    host.page.mouse.move(1, 1)
    before = host.screen()
    assert host.play()
    assert guest.wait_for_turn()
    entries = guest.log.count()
    soon(lambda: host.log.count() == entries, host.page)
    for agreed in (False, True):
        host.undo.click()
        expect(host.banner).not_to_be_empty()
        expect(host.undo).to_be_disabled()
        expect(guest.banner).to_contain_text("Ann")
        guest.banner.locator("button").nth(0 if agreed else 1).click()
        expect(guest.banner).to_be_empty()
        if not agreed:
            expect(host.banner).to_be_empty()
            assert guest.log.count() == host.log.count() == entries
            assert guest.wait_for_turn()
    assert host.wait_for_turn()
    host.page.mouse.move(1, 1)
    soon(lambda: host.screen()["sprites"] == before["sprites"], host.page)
    soon(lambda: host.screen()["log"] == before["log"], host.page)
    soon(lambda: guest.log.count() == host.log.count(), guest.page)
    assert host.play()


def kept_by(player: Player) -> dict:
    table = player.page.url.rsplit("/", 1)[1]
    return player.page.evaluate("name => JSON.parse(localStorage.getItem(name))", f"mozaika.draws.{table}")


def test_the_board_waits_for_the_guest_and_both_browsers_have_a_part_in_the_draws(new_context):
    host = Player(new_context(permissions=CLIPBOARD).new_page())
    host.open_table("me", "open", name="Ann")
    expect(host.status).to_contain_text("The board waits")
    assert host.log.count() == 0
    guest = Player(new_context().new_page())
    guest.come_by(host.copy_link(), name="Ben")
    assert mover_of(host, guest).play()
    view = host.page.request.get(f"/api/games/{host.page.url.rsplit('/', 1)[1]}/view").json()
    settled = view["fair"]["epochs"][-1]
    assert settled["stage"] == "settled"
    assert all(party["shown"] for party in settled["parties"])
    for player in (host, guest):
        kept = kept_by(player)[str(settled["number"])]
        assert kept["commitment"] == settled["commitment"]
        assert len(kept["numbers"]) == 1
        assert set(kept["pledges"].values()) == {party["pledge"] for party in settled["parties"]}
        expect(player.page.locator("#alarm")).to_be_empty()
        expect(player.banner).to_be_empty()


def test_a_browser_that_was_left_out_or_shown_another_fingerprint_says_so(new_context, watch):
    watch.allow("ERR_FAILED")
    host = Player(new_context(permissions=CLIPBOARD).new_page())
    host.open_table("me", "open", name="Ann")
    guest = Player(new_context().new_page())
    guest.page.route("**/draws/**", lambda route: route.abort())
    guest.come_by(host.copy_link(), name="Ben")
    expect(guest.page.locator("#alarm")).to_contain_text("had no part in the draws", timeout=20_000)
    expect(host.page.locator("#alarm")).to_be_empty()
    table = host.page.url.rsplit("/", 1)[1]
    forget = "name => { const kept = JSON.parse(localStorage[name]); kept[1].commitment = 'x';"
    host.page.evaluate(forget + " localStorage[name] = JSON.stringify(kept); }", f"mozaika.draws.{table}")
    host.page.reload()
    expect(host.page.locator("#alarm")).to_contain_text("is not the one that your browser saw first")


def test_a_browser_that_is_reloaded_or_open_twice_has_one_number_for_an_epoch(new_context):
    host = Player(new_context(permissions=CLIPBOARD).new_page())
    host.open_table("me", "open", name="Ann")
    second = host.page.context.new_page()
    second.goto(host.page.url)
    guest = Player(new_context().new_page())
    guest.come_by(host.copy_link(), name="Ben")
    assert mover_of(host, guest).play()
    assert [len(each["numbers"]) for each in kept_by(host).values()] == [1]
    for page in (host.page, second):
        expect(page.locator("#alarm")).to_be_empty()


def test_a_seat_goes_to_a_bot_and_back(host_and_guest):
    host, guest = host_and_guest
    assert host.wait_for_turn()
    host.open_menu(1)
    host.page.locator(".seat-1 .menu button").nth(1).click()
    for player in (host, guest):
        expect(player.page.locator(".seat-1 .presence.bot")).to_be_attached()
    for _ in range(2):
        assert guest.play(), "the bot plays for the host"
    assert guest.wait_for_turn()
    expect(host.lit).to_have_count(0)
    host.open_menu(1)
    host.page.locator(".seat-1 .menu button").click()
    for player in (host, guest):
        expect(player.page.locator(".seat-1 .presence.person")).to_be_attached()
    expect(guest.page.locator(".seat-1")).to_contain_text("Ann")
    assert guest.play()
    assert mover_of(host, guest).play()
    assert host.screen_is_as_after_a_fresh_load()


def test_a_guest_who_leaves_makes_room_for_another(host_and_guest, new_context):
    host, guest = host_and_guest
    expect(host.page.locator(".seat-2 .presence.online")).to_be_attached()
    guest.open_menu(2)
    guest.page.locator(".seat-2 .menu button").last.click()
    expect(host.page.locator(".seat-2 .presence.open")).to_be_attached()
    guest.page.context.close()
    other = Player(new_context(viewport={"width": 360, "height": 740}).new_page())
    other.come_by(host.copy_link(), name="Cleo")
    expect(host.page.locator(".seat-2")).to_contain_text("Cleo")
    expect(host.page.locator(".seat-2 .presence.online")).to_be_attached()
    other.page.context.close()
    expect(host.page.locator(".seat-2 .presence.online")).to_have_count(0)


def test_the_owner_asks_somebody_to_leave_and_the_link_goes_too(host_and_guest):
    host, guest = host_and_guest
    host.page.on("dialog", lambda dialog: dialog.accept())
    host.open_menu(2)
    host.page.locator(".seat-2 .menu button").last.click()
    for player in (host, guest):
        expect(player.page.locator(".seat-2 .presence.open")).to_be_attached()
    link = host.copy_link()
    host.page.click("#open-settings")
    with host.page.expect_response(lambda answer: answer.url.endswith("/revoke")) as answered:
        host.page.click("#revoke")
    assert answered.value.ok
    guest.page.goto(link)
    expect(guest.page.locator("#guest-name")).to_have_count(0)
    expect(guest.page.locator("#revoke")).to_be_hidden()


def test_who_only_has_the_address_watches(host_and_guest, new_context):
    host, guest = host_and_guest
    watcher = Player(new_context().new_page())
    watcher.go_to(host.page.url)
    assert host.play()
    assert guest.wait_for_turn()
    soon(lambda: watcher.screen()["log"] == guest.screen()["log"], watcher.page)
    expect(watcher.lit).to_have_count(0)
    expect(watcher.undo).to_be_disabled()
    expect(watcher.page.locator(".menu")).to_have_count(0)
