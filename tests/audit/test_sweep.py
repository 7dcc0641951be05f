"""Rows: what counts as refuted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dpcore import Loss, Neighbors
from dpcore.audit import Row, exact_rows, presets, sweep
from dpcore.audit.mechanism_cases import mechanism_classes
from dpcore.audit.method_targets import kinds, methods_of_all_kinds
from dpcore.audit.sweep import END, START, all_rows, cauchy_rows, guarantee_table
from dpcore.mechanisms import Geometric

DOCUMENT = Path(__file__).parents[2] / "docs" / "privacy-model.md"


def test_the_committed_table_is_fresh() -> None:
    text = DOCUMENT.read_text(encoding="utf8")
    committed = text[text.index(START) : text.index(END) + len(END)]
    assert committed == guarantee_table(), (
        "docs/privacy-model.md is stale: put the output of `python -m dpcore audit --markdown` "
        "between its two marks"
    )


def test_everything_is_in_it() -> None:
    table = guarantee_table()
    for name in mechanism_classes():
        assert f"| `{name}` |" in table
    for kind in kinds().values():
        for method in kind.methods().values():
            assert f"| `{method.name}` | {method.guarantee.word} |" in table


def test_broken_methods_name_their_preset() -> None:
    broken = [line for line in guarantee_table().splitlines() if "| BROKEN |" in line]
    assert broken
    for kind in kinds().values():
        for method in kind.methods().values():
            if not method.guarantee.holds:
                line = next(line for line in broken if line.startswith(f"| `{method.name}` |"))
                assert "preset `" in line


def row(**facts: Any) -> Row:
    common = {"kind": "k", "name": "n", "neighbors": Neighbors.ADD_REMOVE, "declared": Loss(1)}
    return Row(**(common | {"proven": True} | facts))


@pytest.mark.parametrize(
    "facts, verdict",
    [
        ({}, "not measured"),
        ({"lower": 0.5}, "holds"),
        ({"exact": 1.0 + 1e-9, "lower": 0.9}, "holds"),
        ({"exact": 1.001}, "VIOLATED"),
        ({"lower": 1.0001}, "VIOLATED"),
        ({"proven": False, "lower": 2.0}, "broken, caught"),
        ({"proven": False}, "not measured"),
        ({"proven": False, "exact": 0.5}, "broken, not caught"),
    ],
)
def test_verdicts(facts: dict[str, Any], verdict: str) -> None:
    assert row(**facts).verdict == verdict
    assert row(**facts).violated is (verdict == "VIOLATED")


def test_the_cauchy_calibration_is_exact() -> None:
    for one in cauchy_rows():
        assert one.exact == pytest.approx(float(one.declared.epsilon), rel=1e-6)
        assert not one.violated


@pytest.mark.slow
def test_exact_rows_hold_and_are_told() -> None:
    told: list[str] = []
    rows = list(exact_rows(told.append))
    assert len(rows) == len(told) > 40
    assert not any(one.violated for one in rows)
    assert all(one.lower is None for one in rows)


def one_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """One mechanism, one method that is proven and one that is broken, one preset."""
    monkeypatch.setattr(sweep, "mechanism_classes", lambda: {"Geometric": Geometric})
    every = methods_of_all_kinds()
    proven = next(one for one in every if one.method.name == "equal-width")
    broken = next(one for one in every if not one.method.guarantee.holds)
    monkeypatch.setattr(sweep, "methods_of_all_kinds", lambda: [proven, broken])
    calibration = row(kind="calibration", exact=1.0)
    monkeypatch.setattr(sweep, "cauchy_rows", lambda: iter([calibration]))
    preset = presets()["known-seed"]
    monkeypatch.setattr(sweep, "presets", lambda: {preset.name: preset})


def test_exact_rows_draw_nothing_and_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    one_of_each(monkeypatch)
    told: list[str] = []
    rows = list(exact_rows(told.append))
    assert {one.kind for one in rows} == {"mechanism", "calibration", "preset"}
    assert all(one.lower is None for one in rows)
    of_mechanism = [one for one in rows if one.kind == "mechanism"]
    assert {one.neighbors for one in of_mechanism} == set(Neighbors)
    assert all(one.exact == pytest.approx(float(one.declared.epsilon)) for one in of_mechanism)
    assert told == [f"{one.kind} {one.name}, {one.neighbors.value}: {one.verdict}" for one in rows]


def test_a_broken_method_is_drawn_as_its_preset_only(monkeypatch: pytest.MonkeyPatch) -> None:
    one_of_each(monkeypatch)
    rows = list(all_rows(100))
    kinds_of_rows = {one.kind for one in rows}
    assert kinds_of_rows == {"mechanism", "calibration", "ROC method", "preset"}
    assert all(one.proven for one in rows if one.kind != "preset")
    assert not any(one.violated for one in rows)
    assert all((one.lower is None) == (one.kind == "calibration") for one in rows)
    assert [one.verdict for one in rows if one.kind == "preset"] == ["broken, caught"]
