"""Addresses that people have called at the turns of their seats."""

from mozaika.store import Hook
from mozaika.table.shared import SharedTable


async def hang(shared: SharedTable, hook: Hook) -> None:
    """Have an address called at the turns of a seat; an empty one ends that."""
    await shared.store.set_hook(shared.header.id, hook)
    shared.hooks[hook.seat] = hook
    if not hook.url:
        del shared.hooks[hook.seat]


async def end_hooks(shared: SharedTable) -> None:
    """A hook ends with whoever wanted it."""
    for hook in list(shared.hooks.values()):
        if shared.seats[hook.seat].guest != hook.guest:
            await hang(shared, Hook(hook.seat, "", "", ""))
