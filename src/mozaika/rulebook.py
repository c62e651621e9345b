"""Rulebooks: Markdown in which every rule is a list item behind its id, and pictures are positions."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

RULE_ID = re.compile(r"[A-Z]{2}-[A-Z]?\d+")

_markdown = MarkdownIt("commonmark", {"html": False})


def rule_ids(book: str) -> list[str]:
    """The ids of a rulebook in their order."""
    return [rule for rule, _ in _rules(_markdown.parse(book))]


def find_rule(book: str, rule: str = "") -> str:
    """The paragraph of one rule, or the whole book if no rule is named; as text without the pictures."""
    lines, tokens = book.splitlines(), _markdown.parse(book)
    if not rule:
        for token in reversed(tokens):
            if _picture(token):
                first, last = token.map or (0, 0)
                del lines[first : last + 1]
        return "\n".join(lines)
    for found, item in _rules(tokens):
        if found == rule.upper():
            first, last = item.map or (0, 0)
            text = "\n".join(lines[first:last])
            return text.removeprefix("- ").replace("**", "").strip()
    raise ValueError(f"There is no rule {rule!r}.")


def write_html(book: str, figure: Callable[[str, str], str]) -> str:
    """The book as HTML: an anchor for every rule, and a figure for every caption and position."""
    tokens = _markdown.parse(book)
    for rule, item in _rules(tokens):
        item.attrSet("id", rule)
    for index, token in enumerate(tokens):
        if picture := _picture(token):
            for place, content in ((index - 1, ""), (index, figure(*picture)), (index + 1, "")):
                tokens[place] = Token("html_block", "", 0, content=content)
    return str(_markdown.renderer.render(tokens, _markdown.options, {}))


def _rules(tokens: list[Token]) -> Iterator[tuple[str, Token]]:
    """Each rule with the list item that it is."""
    item = None
    for token in tokens:
        if token.type == "list_item_open":
            item = token
        elif token.type == "inline" and item is not None:
            if found := re.match(rf"\*\*({RULE_ID.pattern})\*\*", token.content):
                yield found[1], item
            item = None


def _picture(token: Token) -> tuple[str, str] | None:
    """The caption and the position of a paragraph that is a picture."""
    if token.type != "inline" or not token.children or [each.type for each in token.children] != ["image"]:
        return None
    image = token.children[0]
    return image.content, unquote(str(image.attrGet("src")))


def positions(book: str) -> list[str]:
    """The positions of the pictures in their order."""
    return [picture[1] for token in _markdown.parse(book) if (picture := _picture(token))]
