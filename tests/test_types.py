"""The types that the modules of the page are checked with say what the server sends."""

from pathlib import Path

from mozaika import web
from mozaika.server.api import api
from typings import write_types


def test_the_types_are_those_of_the_structs(expect):
    expect(Path(web.__file__).parent / "static" / "types.d.ts", write_types(api))
