"""Runs the notebooks of this folder: python -m examples.notebooks [--write].

Every cell is executed in its order, in one name space and without a kernel. With --write the
outputs are stored, figures as drawings too; without it they are compared with what is stored,
number by number.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import math
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
PLOTLY = "application/vnd.plotly.v1+json"
SVG = "image/svg+xml"
# Digits of what a figure is drawn from: a hundredth of a pixel.
DIGITS = 5
WIDTH = 640


def notebooks() -> list[Path]:
    """The notebooks, in the order in which they are to be read."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    """A notebook as JSON types."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def executed(document: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The outputs of every code cell, run from top to bottom in the folder of the notebooks."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(FOLDER):
        return [_outputs("".join(cell["source"]), names) for cell in code_cells(document)]


def code_cells(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells that hold code."""
    return [cell for cell in document["cells"] if cell["cell_type"] == "code"]


def _outputs(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """What one cell prints, and the value of its last line if that is an expression."""
    tree, value = ast.parse(source), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        found.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        found.append({"output_type": "execute_result", "metadata": {}, "data": _shown(value)})
    return found


def _shown(value: Any) -> dict[str, Any]:
    """A value as a notebook shows it."""
    if hasattr(value, "to_plotly_json"):
        figure = json.loads(value.to_json())
        told = {"data": _rounded(figure["data"]), "layout": _rounded(figure["layout"])}
        return {PLOTLY: told, "text/plain": ["Figure"]}
    if hasattr(value, "_repr_html_"):
        lines = value._repr_html_().splitlines(keepends=True)
        return {"text/html": lines, "text/plain": [type(value).__name__]}
    return {"text/plain": repr(value).splitlines(keepends=True)}


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return {key: _rounded(one) for key, one in value.items()} if isinstance(value, dict) else value


def differences(stored: Any, fresh: Any, where: str = "") -> Iterator[str]:
    """Where two outputs differ: texts in any sign, numbers by more than the last digit of them."""
    if isinstance(stored, dict) and isinstance(fresh, dict):
        for key in sorted({*stored, *fresh} - {SVG, "execution_count"}):
            yield from differences(stored.get(key), fresh.get(key), f"{where}/{key}")
    elif isinstance(stored, list) and isinstance(fresh, list) and len(stored) == len(fresh):
        for place, pair in enumerate(zip(stored, fresh, strict=True)):
            yield from differences(*pair, f"{where}/{place}")
    elif isinstance(stored, int | float) and isinstance(fresh, int | float):
        if not math.isclose(stored, fresh, rel_tol=0.0, abs_tol=2 * 10**-DIGITS):
            yield f"{where}: {stored} is stored, {fresh} found"
    elif stored != fresh:
        yield f"{where}: {stored!r} is stored, {fresh!r} found"


def changed(document: dict[str, Any], fresh: list[list[dict[str, Any]]]) -> list[str]:
    """Where what is stored is not what was found."""
    stored = [cell["outputs"] for cell in code_cells(document)]
    return list(differences(stored, fresh))


def write(path: Path, document: dict[str, Any], fresh: list[list[dict[str, Any]]]) -> None:
    """Store the outputs, each figure as a drawing too, for readers that draw none."""
    for count, (cell, outputs) in enumerate(zip(code_cells(document), fresh, strict=True), 1):
        for output in outputs:
            data = output.get("data", {})
            if PLOTLY in data:
                data[SVG] = _drawing(data[PLOTLY]).splitlines(keepends=True)
            if "data" in output:
                output["execution_count"] = count
        cell.update(outputs=outputs, execution_count=count)
    text = json.dumps(document, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def _drawing(figure: dict[str, Any]) -> str:
    from dpcore.figures import LIGHT, Picture
    from dpcore.figures.export import save

    layout = dict(figure["layout"])
    picture = Picture(
        name="figure", alt="", data=figure["data"], layout=layout, height=layout["height"]
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.svg"
        save([("", picture)], path, theme=LIGHT, width=WIDTH)
        return path.read_text(encoding="utf-8")


def main(words: list[str]) -> int:
    """Run all of them; 1 if any gives other numbers than those that are stored."""
    wrong = 0
    for path in notebooks():
        document = read(path)
        fresh = executed(document)
        told = changed(document, fresh)
        if told and "--write" in words:
            write(path, document, fresh)
        elif told:
            wrong = 1
        sys.stdout.write(f"{path.name}: {len(told)} outputs differ\n")
        sys.stdout.write("".join(f"  {one}\n" for one in told[:3]))
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
