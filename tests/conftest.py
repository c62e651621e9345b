"""What all tests share: generated texts that can be accepted, and the command line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, max_examples=8, derandomize=True, database=None)
settings.register_profile("thorough", settings.get_profile("house"), max_examples=200)
settings.register_profile("glance", settings.get_profile("house"), max_examples=1)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write generated texts anew instead of comparing")


@pytest.fixture
def expect(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compares a generated text with its file, or writes the file with --accept."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--accept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        assert path.exists(), f"{path.name} is missing; `make accept` writes it"
        assert path.read_text("utf-8") == text, f"{path.name} has changed; `make accept` writes it anew"

    return compare


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Runs the command line: what it prints, or what it complains about where it is to fail."""
    from mozaika.cli import main

    def call(*arguments: object, code: int = 0) -> str:
        monkeypatch.setattr("sys.argv", ["mozaika", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        assert left.value.code == code, captured.err
        return captured.err if code else captured.out

    return call
