"""Row parts: bodies, covering noise, shares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.mechanisms import RowPart
from dpcore.mechanisms.row_parts import shares, split_columns, squared_radius

PARTS = (RowPart(kind="box", width=3), RowPart(kind="ones", width=4, most=2))


def rows(part: RowPart, rng: np.random.Generator) -> np.ndarray:
    """Extreme rows of a part."""
    if part.kind == "box":
        return rng.choice([-1.0, 1.0], size=part.width)
    row = np.zeros(part.width)
    row[rng.permutation(part.width)[: part.most]] = 1.0
    return row


@given(st.sampled_from(PARTS), st.floats(0.0, 1.0), st.integers(0, 10**6))
def test_shifting_by_a_part_of_a_row_moves_the_log_density_by_that_part_of_the_rate(
    part: RowPart, size: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    tilt, row, law = rng.normal(size=part.width) * 5, rows(part, rng), part.law(0.7)
    moved = abs(law.log_density(tilt + size * row) - law.log_density(tilt))
    assert moved <= 0.7 * size + 1e-12


@pytest.mark.parametrize("part", PARTS)
def test_the_bound_is_reached(part: RowPart) -> None:
    row = rows(part, np.random.default_rng(0))
    law = part.law(0.7)
    assert law.log_density(row) - law.log_density(2 * row) == pytest.approx(0.7)


@given(st.integers(0, 10**6))
def test_no_row_is_longer_than_the_radius(seed: int) -> None:
    rng = np.random.default_rng(seed)
    row = np.concatenate([rows(part, rng) for part in PARTS])
    assert row @ row <= squared_radius(PARTS) == 5


def test_shares_add_up_and_minimise_the_variance() -> None:
    best = np.array(shares(PARTS))
    assert best.sum() == pytest.approx(1.0)

    def variance(share: np.ndarray) -> float:
        return sum(p.law(float(s)).variance for p, s in zip(PARTS, share, strict=True))

    for shift in (0.05, -0.05):
        assert variance(best) < variance(best + np.array([shift, -shift]))


def test_columns_are_cut_where_the_parts_end() -> None:
    pieces = split_columns(np.arange(7.0), PARTS)
    assert [piece.tolist() for piece in pieces] == [[0, 1, 2], [3, 4, 5, 6]]


@pytest.mark.parametrize("bad", [{"kind": "ball", "width": 1}, {"kind": "box", "width": 0}])
def test_bad_arguments_are_named(bad: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument, match="kind|width"):
        RowPart(**bad)  # type: ignore[arg-type]
