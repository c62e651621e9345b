"""One game being played."""

from mozaika.table.table import Table, plain, plain_name

__all__ = ["Table", "plain", "plain_name"]
