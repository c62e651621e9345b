"""Compiles the catalogues for a wheel: whoever installs it needs no babel. A checkout reads the sources."""

import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface[Any]):
    """What hatchling asks before and after it builds."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put a .mo file into the wheel for each .po file of the sources."""
        self.folder = tempfile.TemporaryDirectory()
        sources = Path(self.root, "src")
        compile_catalogue = runpy.run_path(str(sources / "mozaika" / "words.py"))["compile_catalogue"]
        for number, source in enumerate(sources.rglob("*.po") if version != "editable" else ()):
            made = Path(self.folder.name, f"{number}.mo")
            made.write_bytes(compile_catalogue(source))
            build_data["force_include"][str(made)] = str(source.relative_to(sources).with_suffix(".mo"))

    def finalize(self, *_: object) -> None:
        """Clear away what the wheel holds now."""
        self.folder.cleanup()
