"""What the OpenAPI document must be told: what fields mean; some structs are sent as arrays without names."""

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, get_type_hints

import msgspec
from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition


class ArraysInDocument(OpenAPISchemaPlugin):
    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        kind = field_definition.annotation
        return (
            isinstance(kind, type)
            and issubclass(kind, msgspec.Struct)
            and bool(kind.__struct_config__.array_like)
        )

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        kind = field_definition.annotation
        hints = get_type_hints(kind)
        parts = [
            FieldDefinition.from_annotation(hints[name], name=name) for name in kind.__struct_encode_fields__
        ]
        return Schema(
            title=kind.__name__,
            description=kind.__doc__,
            type=OpenAPIType.ARRAY,
            prefix_items=[schema_creator.for_field_definition(part) for part in parts],
            min_items=len(parts),
            max_items=len(parts),
        )


class DescribedJson(JsonRenderPlugin):
    def render(self, request: "Request[Any, Any, Any]", openapi_schema: dict[str, Any]) -> bytes:
        return super().render(request, describe_fields(openapi_schema))


def describe_fields(document: dict[str, Any]) -> dict[str, Any]:
    """The same document, in which fields say what stands behind them in the code."""
    structs = {
        (struct.__name__, frozenset(struct.__struct_encode_fields__)): struct
        for struct in _structs(msgspec.Struct)
    }
    for schema in document["components"]["schemas"].values():
        fields: dict[str, Any] = schema.get("properties", {})
        struct = structs.get((schema.get("title", ""), frozenset(fields)))
        if struct is None:
            continue
        sent = dict(zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True))
        for name, note in _notes(struct.__module__).get(struct.__name__, {}).items():
            fields[sent[name]]["description"] = note
        if struct.__doc__:
            schema["description"] = inspect.cleandoc(struct.__doc__)
    return document


def _structs(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for struct in kind.__subclasses__():
        if struct.__module__.startswith("mozaika."):
            yield struct
        yield from _structs(struct)


@cache
def _notes(module: str) -> dict[str, dict[str, str]]:
    """The texts behind the fields of the classes of a module."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        struct.name: {
            field.target.id: " ".join(note.value.value.split())
            for field, note in pairwise(struct.body)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(note, ast.Expr)
            and isinstance(note.value, ast.Constant)
            and isinstance(note.value.value, str)
        }
        for struct in tree.body
        if isinstance(struct, ast.ClassDef)
    }


def name_kind(schema: dict[str, Any]) -> str:
    """What a field holds, in a word or two."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(str(value) for value in schema["enum"])
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " | ".join(name_kind(each) for each in schema[several])
    match schema.get("type"):
        case "array" if "items" in schema:
            return f"array of {name_kind(schema['items'])}"
        case "array":
            return str(schema.get("title", "array"))
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"object of {name_kind(schema['additionalProperties'])}"
        case list() as kinds:
            return " | ".join(map(str, kinds))
        case kind:
            return str(kind or "anything")


def name_content(part: dict[str, Any]) -> str:
    """What a body or an answer holds."""
    return next((name_kind(each["schema"]) for each in part.get("content", {}).values()), "")
