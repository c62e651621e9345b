"""A review as one page that needs nothing from outside."""

from html import escape

from mozaika.record import Record
from mozaika.reviewing.graph import draw_graph, list_values
from mozaika.reviewing.review import Player, Review
from mozaika.reviewing.tell import (
    MARK_NAMES,
    MEANINGS,
    tell_amount,
    tell_decision,
    tell_judge,
    tell_loss,
    tell_turning_points,
)
from mozaika.words import Words

STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;padding:1rem;"
    "max-width:52rem}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .6rem "
    ".25rem 0;border-bottom:1px solid #8884;vertical-align:top}svg{width:100%;max-width:46rem}"
    "summary{cursor:help;display:inline}details{display:inline}.wide{overflow-x:auto}"
)


def write_page(record: Record, review: Review, lang: str) -> str:
    """HTML in a language."""
    words = record.game.words(lang)
    title = words.say("Review of a game of {game}", game=record.game.name)
    body = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(tell_judge(review, words))}</p>",
        draw_graph(review, words),
        _write_turning_points(record, review, words),
        _write_players(review, words),
        _write_decisions(record, review, words),
        _write_values(review, words),
    ]
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _write_turning_points(record: Record, review: Review, words: Words) -> str:
    told = tell_turning_points(record, review, words)
    lines = "".join(f"<li>{escape(each.text)}</li>" for each in told)
    nothing = words.say("Nothing stands out: no decision and no draw changed much.")
    found = f"<ol>{lines}</ol>" if told else f"<p>{escape(nothing)}</p>"
    return f"<h2>{escape(words.say('What decided the game'))}</h2>{found}"


def _write_players(review: Review, words: Words) -> str:
    heads = [words.say("player"), _ask(words.say("accuracy"), "accuracy", words)]
    heads += [
        _ask(words.say("mean loss"), "loss", words),
        *(words.say(MARK_NAMES[mark]) for mark in MARK_NAMES),
    ]
    if review.luck_counts:
        heads += [_ask(words.say("luck"), "luck", words), _ask(words.say("rest"), "rest", words)]
    rows = [_write_player(review, player, words) for player in review.players]
    return (
        f"<h2>{escape(words.say('How everybody played'))}</h2>"
        + _write_table(heads, rows)
        + f"<p>{escape(words.say(MEANINGS['mark']))}</p>"
    )


def _write_player(review: Review, player: Player, words: Words) -> list[str]:
    cells = [
        escape(player.name),
        f"{player.accuracy:.0f}",
        escape(tell_loss(review, player, words)),
        *(str(player.marks[mark]) for mark in MARK_NAMES),
    ]
    if review.luck_counts:
        cells += [escape(tell_amount(review, each, words)) for each in (player.luck, player.rest)]
    return cells


def _ask(name: str, number: str, words: Words) -> str:
    return f"{escape(name)} <details><summary>?</summary>{escape(words.say(MEANINGS[number]))}</details>"


def _write_decisions(record: Record, review: Review, words: Words) -> str:
    states = list(record.states())
    rows = [
        [
            str(each.ply),
            escape(words.say(MARK_NAMES[each.mark])),
            escape(tell_decision(record, states[each.ply], each, review, words)),
        ]
        for each in review.decisions
        if each.mark
    ]
    if not rows:
        return ""
    heads = [words.say("ply"), words.say("what"), words.say("played and better")]
    return f"<h2>{escape(words.say('Decisions to look at again'))}</h2>{_write_table(heads, rows)}"


def _write_values(review: Review, words: Words) -> str:
    shared = review.unit == "share"
    heads = [words.say("ply"), *map(escape, review.names)]
    rows = [
        [
            str(value.ply),
            *(
                f"{points:.1f}".replace("-", "−") + (f" ({100 * share:.0f} %)" if shared else "")
                for points, share in zip(value.points, value.shares, strict=True)
            ),
        ]
        for value in list_values(review)
    ]
    return f"<h2>{escape(words.say('The course of the game'))}</h2>{_write_table(heads, rows)}"


def _write_table(heads: list[str], rows: list[list[str]]) -> str:
    """Of cells that are HTML already."""
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
