"""docs/performance.md from the results that the benchmarks kept.

Run ``python -m benchmarks._performance``; `make bench` does so at its end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks._table import kept, read_results, table

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "performance.md"
OPENING = """\
# Performance

This page is generated from `benchmarks/results/*.json` by `python -m benchmarks._performance`; do
not edit it. `make bench` measures again and writes it anew. Both sides of a ratio were timed in
turn in one run on one machine, and the ratio is the median of the paired ones. Seconds are those of
that machine; ratios travel better.
"""
TITLES = {
    "scale": "Evaluating files of predictions",
    "dask_scale": "On a Dask cluster",
    "score_histogram": "Counting scores, and curves from counts",
    "peers": "Steps against general-purpose peers",
    "fss": "Function secret sharing against bare AES",
    "views": "Views of the app, to their last picture",
}


def page(results: dict[str, dict[str, Any]]) -> str:
    """The document for these results, by name of the benchmark."""
    names = [name for name in TITLES if name in results]
    names += sorted(set(results) - set(TITLES))
    ordered = {name: results[name] for name in names}
    bars = ["## All ratios", "", *table(ordered), ""]
    return "\n".join([OPENING, *bars, *(_section(name, ordered[name]) for name in names)])


def _section(name: str, result: dict[str, Any]) -> str:
    facts = ", ".join(f"{fact} {value}" for fact, value in result["machine"].items())
    lines = [
        f"## {TITLES.get(name, name)}",
        "",
        f"`python -m benchmarks.{name}`, {result['when']}.",
        "",
        "| ours | peer | ours took | peer took | ratio | of processor time | claimed |",
        "|---|---|---|---|---|---|---|",
        *(_line(ratio) for ratio in result["ratios"]),
        "",
        *(f"Skipped: {reason}.\n" for reason in result["skipped"]),
        *(f"{remark}\n" for remark in result.get("remarks", ())),
        f"Machine: {facts}.",
        "",
    ]
    return "\n".join(lines)


def _line(ratio: dict[str, Any]) -> str:
    unit = ratio["unit"]
    ours, theirs = f"{ratio['ours']:.3g} {unit}", f"{ratio['theirs']:.3g} {unit}"
    cells = [ratio["what"], ratio["peer"], ours, theirs, f"**{ratio['ratio']:.2f}**"]
    used = ratio["processor_ratio"]
    cells += ["" if used is None else f"{used:.2f}", _claim(ratio)]
    return f"| {' | '.join(cells)} |"


def _claim(ratio: dict[str, Any]) -> str:
    if ratio["limit"] is None:
        return ""
    side = "at least" if ratio["at_least"] else "at most"
    return f"{side} {ratio['limit']:g}" + ("" if kept(ratio) else " (**not kept in this run**)")


def main() -> None:
    """Write the document."""
    DOCUMENT.write_text(page(read_results()), encoding="utf-8")


if __name__ == "__main__":
    main()
