"""Draws docs/architecture.svg from the imports, layer over layer: python -m docs.architecture.

A box is a package, its size the number of its files; an arrow says that one imports another. Only
arrows to the next layers that are used are drawn: those that a chain of other arrows implies are
left out.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "architecture.svg"

# The layers of pyproject.toml, from the top; what stands beside the library comes first.
LAYERS = (
    ("pages", "reproductions", "examples"),
    ("cli", "desk", "publications"),
    ("figures", "curves"),
    ("study", "audit"),
    ("federated",),
    ("selection", "models", "evaluation"),
    ("estimator", "data", "exported"),
    ("release", "mechanisms", "registry", "store"),
    ("postprocess", "noise", "privacy", "schema"),
)
SAYS = {
    "pages": "the app: a folder for each page",
    "reproductions": "the papers' experiments",
    "examples": "a federation over sockets",
    "cli": "python -m dpcore",
    "figures": "pictures",
    "desk": "releases from private data",
    "publications": "what a result says",
    "curves": "a method over a grid",
    "study": "configuration to result",
    "audit": "attacks and exact losses",
    "selection": "which features",
    "models": "naive Bayes, logistic",
    "evaluation": "ROC, ECDF, calibration",
    "federated": "several owners",
    "estimator": "scikit-learn's contract",
    "data": "reading files, counting rows",
    "release": "the one gate",
    "exported": "results as JSON text",
    "mechanisms": "randomised functions",
    "registry": "finds declarations",
    "store": "the durable ledger",
    "postprocess": "free of privacy cost",
    "noise": "sources of noise",
    "privacy": "losses, charges, parts",
    "schema": "public facts of columns",
}
WIDTH, ROW, BOX, HEIGHT = 1120, 96, 230, 56


def package_of(module: str) -> str | None:
    """The box that a dotted name belongs to."""
    parts = module.split(".")
    if parts[0] in LAYERS[0]:
        return parts[0]
    return parts[1] if parts[0] == "dpcore" and len(parts) > 1 and parts[1] in SAYS else None


@cache
def imports() -> tuple[dict[str, set[str]], dict[str, int]]:
    """Who imports whom, and how many files each box has."""
    found: dict[str, set[str]] = defaultdict(set)
    files: dict[str, int] = defaultdict(int)
    for folder in ("dpcore", *LAYERS[0]):
        for path in (ROOT / folder).rglob("*.py"):
            own = package_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
            if own is None:
                continue
            files[own] += 1
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    other = package_of(node.module)
                    if other not in {None, own}:
                        found[own].add(str(other))
    return found, files


def direct(found: dict[str, set[str]]) -> list[tuple[str, str]]:
    """The arrows that no chain of others implies."""

    def reaches(start: str, end: str, seen: frozenset[str]) -> bool:
        nexts = found.get(start, set()) - seen
        return end in nexts or any(reaches(one, end, seen | {start}) for one in nexts)

    return [
        (one, other)
        for one in sorted(found)
        for other in sorted(found[one])
        if not any(reaches(between, other, frozenset({one})) for between in found[one] - {other})
    ]


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    (x, y), (to_x, to_y) = start, end
    if y == to_y:
        side = BOX // 2 if to_x > x else -BOX // 2
        line = f"M{x + side} {y + HEIGHT // 2}L{to_x - side} {to_y + HEIGHT // 2}"
    else:
        line = f"M{x} {y + HEIGHT}L{to_x} {to_y}"
    return f'<path d="{line}" stroke="#8a8f98" fill="none" marker-end="url(#tip)"/>'


def drawn() -> str:
    """The picture as SVG text."""
    found, files = imports()
    place = {
        name: (int((column + 0.5) * WIDTH / len(layer)), 30 + row * ROW)
        for row, layer in enumerate(LAYERS)
        for column, name in enumerate(layer)
    }
    lines = [
        (
            '<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="0 0 {WIDTH} {30 + len(LAYERS) * ROW}" font-family="sans-serif" role="img" '
            'aria-label="Packages in layers; arrows are imports and go downward.">'
        ),
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        (
            '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            'orient="auto"><path d="M0 0 8 4 0 8z" fill="#8a8f98"/></marker>'
        ),
    ]
    lines += [_arrow(place[one], place[other]) for one, other in direct(found)]
    for name, (x, y) in place.items():
        lines += [
            (
                f'<rect x="{x - BOX // 2}" y="{y}" width="{BOX}" height="{HEIGHT}" rx="8" '
                'fill="#eaf3fa" stroke="#0072b2"/>'
            ),
            (
                f'<text x="{x}" y="{y + 24}" text-anchor="middle" font-size="16" '
                f'font-weight="bold" fill="#10202c">{escape(name)} · {files[name]}</text>'
            ),
            (
                f'<text x="{x}" y="{y + 43}" text-anchor="middle" font-size="12.5" '
                f'fill="#38434d">{escape(SAYS[name])}</text>'
            ),
        ]
    return "\n".join([*lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
