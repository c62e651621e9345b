"""The files for several processes, as far as they can be looked at without an engine that runs them."""

import re
import subprocess
from pathlib import Path

import typer
import yaml

from mozaika.cli import settings
from mozaika.cli.shell import app

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
