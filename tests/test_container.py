"""The container file, as far as it can be looked at without an engine that builds it."""

import json
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

from mozaika.cli import settings

ROOT = Path(__file__).parent.parent
TEXT = re.sub(r"\\\n\s*", "", (ROOT / "Containerfile").read_text("utf-8"))
BUILD, RUN = re.split(r"^FROM ", TEXT, flags=re.MULTILINE)[1:]


def variables(stage):
    return dict(re.findall(r"(\w+)=(\S*)", " ".join(re.findall(r"^(?:ENV|ARG) (.*)$", stage, re.MULTILINE))))


def test_kernels_are_compiled_and_used_for_the_same_processor():
    for name in ("CPU", "FEATURES", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "MOZAIKA_CACHE"):
        assert variables(BUILD)[name] == variables(RUN)[name]
    assert BUILD.splitlines()[0].split()[0] == RUN.splitlines()[0].split()[0], "and by the same Python"


def test_what_is_copied_is_there_and_not_left_out():
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for files in re.findall(r"^COPY (?!--from)(.*) \S+$", BUILD, re.MULTILINE):
        for file in files.split():
            assert (ROOT / file).exists()
            assert f"!{file}" in ignored


def test_its_variables_are_settings_of_the_server():
    known = {parameter.envvar for parameter in settings._serve().params} | {"MOZAIKA_CACHE"}
    assert {name for name in variables(RUN) if name.startswith("MOZAIKA_")} <= known
    assert variables(RUN)["MOZAIKA_STORE"].startswith("/data/")
    assert re.search(r"^VOLUME /data$", RUN, re.MULTILINE)


def test_nobody_is_root_in_it():
    assert re.findall(r"^USER (\S+)$", RUN, re.MULTILINE) == ["mozaika"]
    assert RUN.index("USER mozaika") < RUN.index("ENTRYPOINT")


class Alive(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/livez" else 404)
        self.end_headers()

    def log_message(self, *_):
        pass


def test_its_health_check_sees_whether_the_server_answers():
    command = json.loads(re.search(r"^HEALTHCHECK .*CMD (.*)$", RUN, re.MULTILINE)[1])
    assert command.pop(0) == "python"
    with HTTPServer(("127.0.0.1", 0), Alive) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        asks = {"args": [sys.executable, *command], "env": {"MOZAIKA_PORT": str(server.server_port)}}
        assert subprocess.run(**asks).returncode == 0
        server.shutdown()
    assert subprocess.run(**asks, capture_output=True).returncode
