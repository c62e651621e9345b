"""Where games are kept: the address of a PostgreSQL, else a file."""

from pathlib import Path
from urllib.parse import urlsplit

from mozaika.store import Store, StoreError


def is_postgres(place: str) -> bool:
    """Whether games are kept in a database at an address, and not in a file."""
    return place.startswith(("postgresql://", "postgres://"))


def store_at(place: str, *, beside: bool = False, alone: bool = False) -> Store:
    """The store at a place; it is to be opened. Beside others who serve it, or alone while nobody does."""
    if is_postgres(place):
        from mozaika.store.postgres import PostgresStore

        return PostgresStore(place, beside=beside, alone=alone)
    from mozaika.store.sqlite import SqliteStore

    return SqliteStore(Path(place), beside=beside)


def file_at(place: str) -> Path:
    """The file in which games are kept; StoreError if they are in a database."""
    if is_postgres(place):
        raise StoreError(
            "PostgreSQL keeps these games: pg_dump backs them up, `mozaika store copy` puts them into a file."
        )
    return Path(place)


def show_place(place: str) -> str:
    """A place as it may be shown: without a password."""
    parts = urlsplit(place)
    if not is_postgres(place) or parts.password is None:
        return place
    return parts._replace(netloc=parts.netloc.replace(f":{parts.password}@", ":…@", 1)).geturl()
