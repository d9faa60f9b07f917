"""A document as one HTML file that needs no other: its style and its pictures are in it."""

from __future__ import annotations

from html import escape

from tui.report.chart import draw_svg
from tui.report.document import Block, Bullets, Document, Figures, Grid, Heading, Paragraph

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2330; --dim: #667085; --rule: #d5d9e0; --paper: #ffffff; --line: #1f6feb;
        --faint: #9db7de; --warning: #b54708; --critical: #b42318; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --dim: #98a2b3; --rule: #344054; --paper: #11151c;
        --line: #6ea8fe; --faint: #35507a; --warning: #fdb022; --critical: #f97066; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto;
       max-width: 62rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
div.grid { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap; }
th { color: var(--dim); font-weight: 600; }
.left { text-align: left; }
td.left:last-child { white-space: normal; min-width: 20rem; }
figure { display: inline-block; margin: 0 1rem 1rem 0; } svg { max-width: 100%; height: auto; }
"""


def to_html(document: Document) -> str:
    """The whole page."""
    title = next((block.text for block in document if isinstance(block, Heading)), "milepost")
    body = "\n".join(_write(block) for block in document)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _write(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{escape(text)}</p>"
        case Bullets(items):
            return "<ul>\n" + "\n".join(f"<li>{escape(item)}</li>" for item in items) + "\n</ul>"
        case Grid():
            return _write_grid(block)
        case Figures(heading, charts):
            pictures = "\n".join(f"<figure>{draw_svg(chart)}</figure>" for chart in charts)
            return f"<h2>{escape(heading)}</h2>\n{pictures}"


def _write_grid(grid: Grid) -> str:
    head = _write_row(grid, grid.header, "th")
    rows = "\n".join(_write_row(grid, row, "td") for row in grid.rows)
    return f'<div class="grid"><table>\n<thead>{head}</thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>'


def _write_row(grid: Grid, row: tuple[str, ...], tag: str) -> str:
    cells = []
    for column, cell in enumerate(row):
        side = ' class="left"' if column == 0 or column in grid.is_left else ""
        cells.append(f"<{tag}{side}>{escape(cell)}</{tag}>")
    return f"<tr>{''.join(cells)}</tr>"
