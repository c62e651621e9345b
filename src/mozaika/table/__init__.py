"""One game being played."""

from mozaika.table.table import Table

__all__ = ["Table"]
