"""Rulebooks: Markdown in which every rule is a list item behind its id, and pictures are positions."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mozaika.words import Translatable, later

RULE_ID = re.compile(r"[A-Z]{2}-[A-Z]?\d+")

_markdown = MarkdownIt("commonmark", {"html": False})


class NoRule(Translatable, ValueError):
    """A rulebook has no such rule."""


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
    raise NoRule(later("There is no rule “{rule}”."), rule=rule)


def contents(book: str) -> list[tuple[str, str]]:
    """The anchors and the headings of the parts of a book."""
    tokens = _markdown.parse(book)
    return [(_anchor(n), tokens[index + 1].content) for n, index in enumerate(_parts(tokens), 1)]


def _parts(tokens: list[Token]) -> list[int]:
    return [index for index, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"]


def _anchor(number: int) -> str:
    return f"part-{number}"


def write_html(book: str, figure: Callable[[str, str, str], str]) -> str:
    """The book as HTML: an anchor for every part and rule, and a figure for every picture.

    A figure is made of a caption, a position, and what matters of its picture (`scene.cut`).
    """
    tokens = _markdown.parse(book)
    for number, index in enumerate(_parts(tokens), 1):
        tokens[index].attrSet("id", _anchor(number))
    for rule, item in _rules(tokens):
        item.attrSet("id", rule)
    for index, token in enumerate(tokens):
        if picture := _picture(token):
            for place, content in ((index - 1, ""), (index, figure(*picture)), (index + 1, "")):
                tokens[place] = Token("html_block", "", 0, content=content)
    return str(_markdown.renderer.render(tokens, _markdown.options, {}))


def pick_rules(book: str, rules: Sequence[str]) -> str:
    """Some rules of a book in this order, each with the pictures that follow it there."""
    lines, tokens = book.splitlines(), _markdown.parse(book)
    found = {rule: item.map or [0, 0] for rule, item in _rules(tokens)}
    starts = sorted(first for first, _ in found.values())
    shown = [token.map[0] for token in tokens if token.map and _picture(token)]
    picked = []
    for rule in rules:
        first, last = found[rule]
        picked.append("\n".join(lines[first:last]).rstrip())
        picked += [lines[at] for at in shown if starts[bisect_right(starts, at) - 1] == first]
    return "\n\n".join(picked)


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


def _picture(token: Token) -> tuple[str, str, str] | None:
    """The caption, the position and what matters of it, of a paragraph that is a picture."""
    if token.type != "inline" or not token.children or [each.type for each in token.children] != ["image"]:
        return None
    image = token.children[0]
    return image.content, unquote(str(image.attrGet("src"))), str(image.attrGet("title") or "")


def pictures(book: str) -> list[tuple[str, str, str]]:
    """The caption, the position and what matters of it, of each picture."""
    return [picture for token in _markdown.parse(book) if (picture := _picture(token))]
