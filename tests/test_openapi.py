"""The API keeps what its OpenAPI document says, for good requests and for bad ones (P8)."""

import os
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

from kinds import FIRST
from server_process import ServerProcess, once

# schemathesis takes seconds to import, so only the process imports it that runs these tests
pytestmark = pytest.mark.filterwarnings("ignore")  # those of schemathesis

ENDLESS = {"/api/games/{table}/events", "/api/games/{table}/turns"}
EXAMPLES = int(os.environ.get("MOZAIKA_EXAMPLES", "12"))
FEW = settings(
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with ServerProcess(tmp_path_factory.mktemp("openapi")) as server:
        yield server


@pytest.fixture(scope="module")
def document(server):
    import schemathesis

    return schemathesis.openapi.from_url(f"{server.address}/api/schema/openapi.json")


@pytest.fixture
def guest():
    import requests

    with requests.Session() as session:
        session.trust_env = False
        yield session


def operations(document):
    return [found.ok() for found in document.get_all_operations() if found.ok().path not in ENDLESS]


def test_the_document_names_every_operation(document):
    found = {(operation.method.upper(), operation.path) for operation in operations(document)}
    assert {("POST", "/api/games"), ("POST", "/api/games/{table}/moves")} <= found
    assert len(found) >= 17
    assert set(document.raw_schema["paths"]) >= ENDLESS


@pytest.fixture
def checks():
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

    return [not_a_server_error, content_type_conformance, response_schema_conformance]


@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize("examples", [EXAMPLES // 3, pytest.param(EXAMPLES, marks=pytest.mark.long)])
def test_the_api_answers_as_documented_and_never_fails(server, document, guest, checks, mode, examples):
    from schemathesis import GenerationMode

    seats = [{"kind": "me"}, {"kind": "screen"}]
    wish = {"game": FIRST, "seats": seats}
    table = guest.post(f"{server.address}/api/games", json=wish, headers=once()).json()["id"]
    asked = set()
    for operation in operations(document):

        @settings(FEW, max_examples=examples)
        @given(case=operation.as_strategy(generation_mode=GenerationMode(mode)))
        def ask(case):
            if "table" in (case.path_parameters or {}) and len(str(case.path_parameters["table"])) % 3:
                case.path_parameters["table"] = table
            answer = case.call(session=guest)
            if answer.status_code < 400:
                case.validate_response(answer, checks=checks)
            else:
                assert answer.status_code < 500, answer.text
                assert answer.headers["content-type"] == ["application/problem+json"]
            asked.add(case.path)

        with suppress(Unsatisfiable):  # what takes nothing cannot be given anything wrong
            ask()
    assert len(asked) > 10
    assert "Traceback" not in (server.folder / "output.txt").read_text("utf-8")
