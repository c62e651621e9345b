"""What makes a change happen once, however often it is sent: the names of commands and of openings.

A command is kept with the event it has brought about, as `guest-key#body`: who asked, the key under which it
was sent, and a digest of what was asked. An opening has no table yet to keep it in. So the id and the link of
a new table follow from the key and from the secret of whoever opens it, and who opens it twice finds it.
"""

import base64
import hashlib
import hmac
import secrets
from typing import Any, NamedTuple

import msgspec

from mozaika.words import later

REUSED = later("This key was used for something else before; a new change needs a new key.")


class Reused(Exception):
    """A key came a second time, with another wish."""


class Opening(NamedTuple):
    """How a new table is called, what its link keeps secret, and a digest of what was asked."""

    id: str
    link: str
    wish: str = ""


def digest(secret: str) -> str:
    """What the store keeps of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()[:32]


def new_secret() -> str:
    return secrets.token_urlsafe(16)


def new_opening() -> Opening:
    """A table that nobody will ask for again."""
    return name_opening(new_secret(), "")


def name_opening(secret: str, key: str, *wish: Any) -> Opening:
    """The table that a guest with this secret opens under a key."""
    name = _derive(secret, f"table {key}")[:12].replace("-", "x").replace("_", "y")
    return Opening(name, _derive(secret, f"link {key}"), _digest_wish(wish))


def name_deal(secret: str, table: str) -> str:
    """What the deal is called that a guest makes of a game; it does not tell of which."""
    return _derive(secret, f"deal of {table}")[:12].replace("-", "x").replace("_", "y")


def name_link(secret: str, table: str, key: str) -> str:
    """The secret of the link that a guest makes for a table under a key."""
    return _derive(secret, f"link of {table} {key}")


def name_hook_key(secret: str, table: str, seat: int) -> str:
    """With what calls at the turns of a guest's seat are signed; the same whenever it is asked for."""
    return _derive(secret, f"hook of {table} {seat}")


def name_command(guest: str, key: str, *wish: Any) -> str:
    """What a guest asks for under a key, as it stands in the log."""
    return f"{guest[:8]}-{key}#{_digest_wish(wish)}"


def split_command(command: str) -> tuple[str, str]:
    """The name of a command, and the digest of what was asked; empty where nobody could ask differently."""
    name, mark, wish = command.rpartition("#")
    return (name, wish) if mark else (command, "")


def _derive(secret: str, purpose: str) -> str:
    found = hmac.digest(secret.encode(), purpose.encode(), "sha256")[:16]
    return base64.urlsafe_b64encode(found).decode().rstrip("=")


def _digest_wish(wish: tuple[Any, ...]) -> str:
    return hashlib.sha256(msgspec.json.encode(wish, order="deterministic")).hexdigest()[:16]
