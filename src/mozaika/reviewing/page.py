"""A review as one page that needs nothing from outside."""

from html import escape

from mozaika.record import Record
from mozaika.reviewing.graph import draw_graph, list_values
from mozaika.reviewing.numbers import (
    MARK_NAMES,
    Sheet,
    list_sheets,
    tell_meanings,
    tell_possible,
    tell_value,
)
from mozaika.reviewing.review import Decision, Review
from mozaika.reviewing.tell import (
    Telling,
    tell_decision,
    tell_draws,
    tell_every_draw,
    tell_judge,
    tell_line,
    tell_turning_points,
)
from mozaika.words import Words

STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;padding:1rem;"
    "max-width:52rem}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .6rem "
    ".25rem 0;border-bottom:1px solid #8884;vertical-align:top}svg{width:100%;max-width:46rem}"
    "details{margin:.5rem 0}summary{cursor:pointer}.ask{margin:0}.ask summary{cursor:help;list-style:none}"
    ".ask summary::-webkit-details-marker{display:none}.ask span{border:1px solid #8888;border-radius:50%;"
    "padding:0 .4em}.ask p{margin:.25rem 0}h2,.ask:has(h2){margin:1.6rem 0 .6rem}.ask h2{display:inline}"
    ".wide{overflow-x:auto}"
)


def write_page(record: Record, review: Review, lang: str) -> str:
    """HTML in a language."""
    words = record.game.words(lang)
    title = words.say("Review of a game of {game}", game=words.translate(record.game.name))
    body = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(tell_judge(review, words))}</p>",
        draw_graph(review, words),
        _write_meanings(review, words),
        _write_turning_points(record, review, words),
        *(_write_sheet(sheet, review) for sheet in list_sheets(review, words)),
        _write_decisions(record, review, words),
        _write_draws(record, review, words),
        _write_hindsight(review, words),
        _write_values(review, words),
    ]
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _write_turning_points(record: Record, review: Review, words: Words) -> str:
    told = tell_turning_points(record, review, words)
    lines = "".join(_write_moment(each, words) for each in told)
    nothing = words.say("Nothing stands out: no decision and no draw changed much.")
    found = f"<ol>{lines}</ol>" if told else f"<p>{escape(nothing)}</p>"
    return _head(words.say("What decided the game"), "decisive", review, words) + found


def _write_moment(moment: Telling, words: Words) -> str:
    return f"<li>{escape(words.say('ply'))} {moment.ply}: {escape(moment.text)}</li>"


def _write_meanings(review: Review, words: Words) -> str:
    told, alone = tell_meanings(review, words), review.unit == "points"
    shown = [(words.say("expected points"), told["points"])]
    if not alone:
        shown.append((words.say("chance to win"), told["chance"]))
    return "".join(_ask(escape(name), meaning) for name, meaning in shown)


def _write_sheet(sheet: Sheet, review: Review) -> str:
    rows = [[_ask(escape(row.name), row.meaning), *map(escape, row.cells)] for row in sheet.rows]
    return f"<h2>{escape(sheet.title)}</h2>{_write_table(['', *map(escape, review.names)], rows)}"


def _ask(name: str, meaning: str) -> str:
    """What a number means, behind its name, which is HTML already."""
    asked = f"<summary>{name}&nbsp;<span>?</span></summary>"
    return f'<details class="ask">{asked}<p>{escape(meaning)}</p></details>'


def _head(title: str, meaning: str, review: Review, words: Words) -> str:
    """Over a list, with what its numbers mean."""
    return _ask(f"<h2>{escape(title)}</h2>", tell_meanings(review, words)[meaning])


def _write_decisions(record: Record, review: Review, words: Words) -> str:
    """Those that are marked; and, folded, every one with a choice."""
    states = list(record.states())

    def write(decisions: list[Decision]) -> str:
        rows = [
            [
                str(each.ply),
                escape(words.say(MARK_NAMES[each.mark])),
                escape(
                    f"{tell_decision(record, states[each.ply], each, review, words)} "
                    f"{tell_line(record, states[each.ply], each, words)}"
                ),
            ]
            for each in decisions
        ]
        return _write_table([words.say("ply"), words.say("what"), words.say("played and better")], rows)

    every = [each for each in review.decisions if each.choices > 1]
    if not every:
        return ""
    head = _head(words.say("Decisions to look at again"), "decision", review, words)
    marked = [each for each in review.decisions if each.mark]
    found = write(marked) if marked else f"<p>{escape(words.say('No decision is marked.'))}</p>"
    title = escape(words.say("All decisions with a choice: {n}", n=len(every)))
    return f"{head}{found}<details><summary>{title}</summary>{write(every)}</details>"


def _write_draws(record: Record, review: Review, words: Words) -> str:
    if not review.draws:
        return ""
    head = _head(words.say("What was drawn"), "draw", review, words)
    sure = "".join(_write_moment(each, words) for each in tell_draws(record, review, words))
    every = "".join(_write_moment(each, words) for each in tell_every_draw(record, review, words))
    title = escape(words.say("All draws: {n}", n=len(review.draws)))
    return f"{head}<ul>{sure}</ul><details><summary>{title}</summary><ul>{every}</ul></details>"


def _write_hindsight(review: Review, words: Words) -> str:
    """What the known draws would have allowed: beside everything else, and nobody's mistake."""
    if not review.hindsight:
        return ""
    rows = [
        [
            escape(words.say(part.sentence, **part.values)),
            *map(escape, tell_possible(part, words)),
        ]
        for part in review.hindsight
    ]
    head = _head(words.say("What would have been possible"), "possible", review, words)
    return head + _write_table(["", *map(escape, review.names)], rows)


def _write_values(review: Review, words: Words) -> str:
    heads = [words.say("ply"), *map(escape, review.names)]
    rows = [[str(value.ply), *tell_value(review, value, words)] for value in list_values(review)]
    return f"<h2>{escape(words.say('The course of the game'))}</h2>{_write_table(heads, rows)}"


def _write_table(heads: list[str], rows: list[list[str]]) -> str:
    """Of cells that are HTML already."""
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
