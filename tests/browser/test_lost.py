"""A lost network and a server that dies: the page goes on by itself, and nothing is lost."""

from playwright.sync_api import Page, expect

from browser.conftest import Watch
from browser.player import Player
from server_process import ServerProcess

LOST = "net::ERR_"


def mark(page: Page) -> None:
    page.evaluate("window.unloaded = false")


def was_not_reloaded(page: Page) -> bool:
    return page.evaluate("window.unloaded") is False


def test_after_a_lost_network_the_page_catches_up_by_itself(host_and_guest, watch: Watch):
    host, guest = host_and_guest
    watch.allow(LOST)
    assert host.play()
    assert guest.wait_for_turn()
    mark(host.page)
    seen = host.log.count()
    host.page.context.set_offline(True)
    expect(host.page.locator("#connection")).to_be_visible()
    assert guest.play()
    entries = seen + 1
    expect(guest.log).to_have_count(entries)
    expect(host.log).to_have_count(seen)
    host.page.context.set_offline(False)
    expect(host.page.locator("#connection")).to_be_hidden()
    expect(host.log).to_have_count(entries)
    assert host.play()
    assert guest.wait_for_turn()
    assert was_not_reloaded(host.page)
    assert host.screen_is_as_after_a_fresh_load()


def test_a_move_made_without_a_network_is_sent_once_when_it_is_back(host_and_guest, watch: Watch):
    host, guest = host_and_guest
    watch.allow(LOST)
    assert host.wait_for_turn()
    entries = guest.log.count()
    spots = host.pick_walk()["spots"]
    mark(host.page)
    host.page.context.set_offline(True)
    expect(host.page.locator("#connection")).to_be_visible()
    host.walk(spots)
    host.confirm.click()
    expect(host.status).to_have_class("warning")
    host.page.context.set_offline(False)
    assert guest.wait_for_turn()
    expect(guest.log).to_have_count(entries + 1)
    expect(host.log).to_have_count(entries + 1)
    assert was_not_reloaded(host.page)
    assert host.screen_is_as_after_a_fresh_load()


def test_after_the_server_was_killed_and_started_again_the_game_goes_on(
    own_server: ServerProcess, new_context, watch: Watch
):
    watch.allow(LOST)
    ann = Player(new_context(at=own_server).new_page())
    ann.open_table("me", "bot")
    assert ann.play()
    assert ann.wait_for_turn()
    mark(ann.page)
    before, entries, spots = ann.screen(), ann.log.count(), ann.pick_walk()["spots"]
    own_server.kill()
    expect(ann.page.locator("#connection")).to_be_visible()
    ann.walk(spots)
    ann.confirm.click()
    expect(ann.status).to_have_class("warning")
    own_server.start()
    expect(ann.page.locator("#connection")).to_be_hidden()
    assert ann.wait_for_turn()
    assert ann.screen()["log"].startswith(before["log"]), "nothing is lost"
    assert ann.log.count() > entries, "and what was done meanwhile has come through"
    assert ann.play()
    assert ann.wait_for_turn()
    assert was_not_reloaded(ann.page)
    ann.page.mouse.move(1, 1)
    assert ann.screen_is_as_after_a_fresh_load()


def test_a_planned_restart_is_hardly_noticed(own_server: ServerProcess, new_context, watch: Watch):
    watch.allow(LOST)
    ann = Player(new_context(at=own_server).new_page())
    ann.open_table("me", "bot")
    assert ann.wait_for_turn()
    mark(ann.page)
    assert own_server.stop() == 0
    expect(ann.page.locator("#connection")).to_be_visible()
    own_server.start()
    expect(ann.page.locator("#connection")).to_be_hidden()
    assert ann.play()
    assert ann.wait_for_turn()
    assert was_not_reloaded(ann.page)
