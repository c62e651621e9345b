"""The files for several processes, as far as they can be looked at without an engine that runs them."""

import asyncio
import os
import re
import subprocess
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import typer
import yaml

from mozaika.cli import settings
from mozaika.cli.shell import app
from mozaika.store import Event
from mozaika.store.postgres import PostgresStore
from postgres_server import find_programs
from test_postgres import HEADER

DEPLOY = Path(__file__).parent.parent / "deploy"
SERVICES = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
OURS = {name: each for name, each in SERVICES.items() if "mozaika" in each["image"]}


def test_every_process_of_ours_is_a_command_with_settings_that_there_are():
    commands = typer.main.get_command(app).commands
    known = {parameter.envvar for parameter in settings._serve().params}
    assert {tuple(each["command"]) for each in OURS.values()} == {("serve",), ("think",)}
    for each in OURS.values():
        assert each["command"][0] in commands
        assert set(each["environment"]) <= known


def test_the_proxy_asks_every_server_and_hides_its_numbers():
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    servers = {name for name, each in OURS.items() if each["command"] == ["serve"]}
    assert set(re.findall(r"(server-\d):8000", text)) == servers
    assert "path /metrics" in text
    assert set(SERVICES["proxy"]["depends_on"]) == servers


def test_files_that_are_mounted_are_there():
    for each in SERVICES.values():
        for volume in each.get("volumes", ()):
            if volume.startswith("./") and volume.endswith(":ro"):
                assert (DEPLOY / volume.split(":")[0]).is_file()
    subprocess.run(["bash", "-n", DEPLOY / "backup.sh"], check=True)


def test_what_the_page_names_is_there():
    text = (DEPLOY / "README.md").read_text("utf-8")
    for name in re.findall(
        r"\b(?:server-\d|worker|database|backup)\b(?= *(?:bash|;|$|pg_|dropdb|createdb))", text
    ):
        assert name in SERVICES
    for link in re.findall(r"\]\(\.\./([^)#]+)", re.sub(r"\s*\n", "", text)):
        assert (DEPLOY.parent / link).exists(), link


def test_every_service_has_only_what_compose_knows():
    """The words that we use of the specification; a new one is to be looked up there."""
    words = {
        *("image", "restart", "depends_on", "environment", "command", "stop_grace_period", "healthcheck"),
        *("deploy", "ports", "volumes", "entrypoint"),
    }
    whole = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    assert set(whole) == {"x-mozaika", "services", "networks", "volumes"}
    for name, each in SERVICES.items():
        assert set(each) <= words, name
        waited_for = each.get("depends_on", ())
        assert set(waited_for) <= set(SERVICES)
        if isinstance(waited_for, dict):
            conditions = {condition["condition"] for condition in waited_for.values()}
            assert conditions == {"service_healthy"}
            assert all("healthcheck" in SERVICES[other] for other in waited_for)
        named = [volume.split(":")[0] for volume in each.get("volumes", ())]
        assert {volume for volume in named if not volume.startswith(".")} <= set(whole["volumes"])
    values = re.findall(r"\$\{(\w+)(:\?|:-)", (DEPLOY / "compose.yaml").read_text("utf-8"))
    said = (DEPLOY / "README.md").read_text("utf-8")
    assert {name for name, needed in values if needed == ":?"} == set(
        re.findall(r"^echo .(\w+)=", said, re.MULTILINE)
    )


def test_a_backup_that_fails_leaves_those_before_it_and_is_tried_again(tmp_path):
    """Also where something was written before it failed, such as when PostgreSQL is restarted meanwhile."""
    programs, backups = tmp_path / "programs", tmp_path / "backups"
    for folder in (programs, backups):
        folder.mkdir()
    for name, script in (
        (
            "pg_dump",
            'for each; do case "$each" in --file=*) echo half >"${each#--file=}" ;; esac; done; exit 1',
        ),
        ("pg_restore", "exit 0"),
        ("sleep", f'echo "$1" >"{tmp_path}/slept"; exit 1'),
    ):
        (programs / name).write_text(f"#!/bin/bash\n{script}\n", "utf-8")
        (programs / name).chmod(0o755)
    old = backups / "mozaika-20200101-030000.dump"
    old.touch()
    os.utime(old, (1, 1))
    environment = {"PATH": f"{programs}:{os.environ['PATH']}", "KEEP_DAYS": "14", "BACKUPS": str(backups)}
    for arguments in ((), ("now",)):
        ran = subprocess.run(
            ["bash", DEPLOY / "backup.sh", *arguments], env=environment, capture_output=True, text=True
        )
        assert ran.returncode == 1
        assert "is written" not in ran.stdout
        assert list(backups.iterdir()) == [old]
    assert (tmp_path / "slept").read_text("utf-8") == "3600\n"


def test_a_backup_brings_all_games_back(database, tmp_path):
    """The script of the compose file, and the steps of its page, with the programs of PostgreSQL."""
    backups, programs = tmp_path / "backups", find_programs()
    backups.mkdir()
    old = backups / "mozaika-20200101-030000.dump"
    old.touch()
    os.utime(old, (1, 1))
    place = urlsplit(database)
    name = place.path[1:]
    environment = {
        **os.environ,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PGHOST": parse_qs(place.query)["host"][0],
        "PGUSER": place.username,
        "PGDATABASE": name,
        "KEEP_DAYS": "14",
        "BACKUPS": str(backups),
    }

    def run(*command, **more):
        return subprocess.run(command, env=environment, check=True, capture_output=True, **more)

    kept = [Event(1, 0, "move", "x", None, 5.0)]

    async def fill():
        store = PostgresStore(database)
        await store.open()
        await store.create(HEADER, kept, {1: "seed"})
        await store.close()

    async def look():
        store = PostgresStore(database)
        await store.open()
        found = await store.load("game"), await store.seeds("game")
        await store.close()
        return found

    asyncio.run(fill())
    assert b"is written" in run("bash", DEPLOY / "backup.sh", "now").stdout
    [file] = backups.iterdir()
    run("dropdb", "-U", place.username, name)
    run("createdb", "-U", place.username, name)
    with file.open("rb") as dump:
        run("pg_restore", "-U", place.username, "-d", name, stdin=dump)
    assert asyncio.run(look()) == ((HEADER, kept), {1: "seed"})
    for step in (
        "dropdb -U mozaika mozaika",
        "createdb -U mozaika mozaika",
        "pg_restore -U mozaika -d mozaika",
    ):
        assert step in (DEPLOY / "README.md").read_text("utf-8")
