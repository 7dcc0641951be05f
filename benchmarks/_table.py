"""All ratios of all benchmarks in one table, with the bars that were claimed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks._ratios import RESULTS

__all__ = ["kept", "missed", "read_results", "table"]

Result = dict[str, Any]


def read_results(since: float = 0.0) -> dict[str, Result]:
    """What the benchmarks kept, by name; only files written after a time, if one is given."""
    files = sorted(path for path in RESULTS.glob("*.json") if path.stat().st_mtime >= since)
    return {path.stem: _read(path) for path in files}


def _read(path: Path) -> Result:
    found: Result = json.loads(path.read_text(encoding="utf-8"))
    return found


def kept(ratio: Result) -> bool:
    """Whether a line keeps its bar; one without a bar does."""
    if ratio["limit"] is None:
        return True
    value, limit = float(ratio["ratio"]), float(ratio["limit"])
    return value >= limit if ratio["at_least"] else value <= limit


def missed(results: dict[str, Result]) -> int:
    """How many bars were missed."""
    return sum(not kept(ratio) for result in results.values() for ratio in result["ratios"])


def table(results: dict[str, Result]) -> list[str]:
    """Lines of Markdown: every ratio, its peer, its bar, and whether that was met."""
    lines = ["| benchmark | ours | peer | ratio | bar | met |", "|---|---|---|---|---|---|"]
    for name, result in results.items():
        for ratio in result["ratios"]:
            bar, met = "", ""
            if ratio["limit"] is not None:
                side = "at least" if ratio["at_least"] else "at most"
                bar, met = f"{side} {ratio['limit']:g}", "yes" if kept(ratio) else "**no**"
            cells = [name, ratio["what"], ratio["peer"], f"{ratio['ratio']:.2f}", bar, met]
            lines.append(f"| {' | '.join(cells)} |")
    return lines
