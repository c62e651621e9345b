"""What the OpenAPI document must be told: some structs are sent as arrays, one field after the other."""

from typing import Any, get_type_hints

import msgspec
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
