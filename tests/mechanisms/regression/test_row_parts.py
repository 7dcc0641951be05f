"""Row parts: bodies, covering noise, shares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import RowPart
from dpcore.mechanisms.regression.row_parts import shares, split_columns, squared_radius

PARTS = (
    RowPart(kind="box", width=3),
    RowPart(kind="ones", width=4, most=2),
    RowPart(kind="shares", width=5, most=3),
)
# Of cells beside the numbers that they are cut from.
NEAR = (RowPart(kind="ones", width=4, reach=0.25), RowPart(kind="box", width=2, reach=0.5))


def rows(part: RowPart, rng: np.random.Generator) -> np.ndarray:
    """Extreme rows of a part."""
    if part.kind == "box":
        return part.reach * rng.choice([-1.0, 1.0], size=part.width)
    row = np.zeros(part.width)
    row[rng.permutation(part.width)[: part.most]] = part.reach
    return part.reach * row / row.sum() if part.kind == "shares" else row


def residuals(n_classes: int, rng: np.random.Generator) -> np.ndarray:
    """Of a record: probabilities less the indicator of its class; one number for two classes."""
    if n_classes == 2:
        return rng.uniform(-1, 1, size=1)
    return rng.dirichlet(np.ones(n_classes)) - np.eye(n_classes)[0]


@given(st.sampled_from(PARTS + NEAR), st.sampled_from([2, 3, 5, 12]), st.integers(0, 10**6))
def test_shifting_by_a_gradient_moves_the_log_density_by_the_residuals_of_the_rate(
    part: RowPart, n_classes: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    residual, law = residuals(n_classes, rng), part.law(0.7, n_classes)
    tilt = rng.normal(size=(residual.size, part.width)) * 5
    gradient = np.outer(residual, rows(part, rng))
    moved = abs(law.log_density(tilt + gradient) - law.log_density(tilt))
    assert moved <= 0.7 * np.abs(residual).sum() + 1e-12


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_noise_has_a_row_per_class_and_adds_up_as_gradients_do(
    part: RowPart, n_classes: int
) -> None:
    drawn = part.law(0.7, n_classes).sample(SeededNoise(0))
    assert drawn.shape == (1 if n_classes == 2 else n_classes, part.width)
    if n_classes == 3:
        np.testing.assert_allclose(drawn.sum(axis=0), 0.0, atol=1e-9)


@pytest.mark.parametrize("part", PARTS + NEAR)
def test_the_bound_is_reached(part: RowPart) -> None:
    row = rows(part, np.random.default_rng(0))[np.newaxis]
    law = part.law(0.7)
    assert law.log_density(row) - law.log_density(2 * row) == pytest.approx(0.7)


@given(st.integers(0, 10**6))
def test_no_row_is_longer_than_the_radius(seed: int) -> None:
    rng = np.random.default_rng(seed)
    row = np.concatenate([rows(part, rng) for part in PARTS])
    assert row @ row - 1e-12 <= squared_radius(PARTS) == pytest.approx(5 + 1 / 3)
    near = np.concatenate([rows(part, rng) for part in NEAR])
    assert near @ near == pytest.approx(squared_radius(NEAR))


def test_shares_add_up_and_minimise_the_variance() -> None:
    best = np.array(shares(PARTS))
    assert best.sum() == pytest.approx(1.0)

    def variance(share: np.ndarray) -> float:
        return sum(p.law(float(s)).variance for p, s in zip(PARTS, share, strict=True))

    for shift in (0.05, -0.05):
        assert variance(best) < variance(best + np.array([shift, -shift, 0.0]))


def test_columns_are_cut_where_the_parts_end() -> None:
    pieces = split_columns(np.arange(12.0), PARTS)
    assert [piece.tolist() for piece in pieces] == [[0, 1, 2], [3, 4, 5, 6], [7, 8, 9, 10, 11]]
    assert [piece.shape for piece in split_columns(np.zeros((2, 12)), PARTS)] == [
        (2, 3),
        (2, 4),
        (2, 5),
    ]


@pytest.mark.parametrize(
    "bad",
    [
        {"kind": "ball", "width": 1},
        {"kind": "box", "width": 0},
        {"kind": "box", "width": 1, "reach": 1.5},
    ],
)
def test_bad_arguments_are_named(bad: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument, match="kind|width|reach"):
        RowPart(**bad)  # type: ignore[arg-type]
