"""Missing numbers are values of their own: in every method, whatever else the record holds."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array, issparse
from sklearn.metrics import roc_auc_score

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.data.counting import FeatureCounts, FeatureHistograms, Moments
from dpcore.errors import InvalidArgument, SchemaError
from dpcore.models import DPLogisticRegression, DPNaiveBayes, naive_bayes_edges
from dpcore.models.grid import Ends, space_grids
from dpcore.models.logistic.layout import Basis
from dpcore.models.logistic.perturbation import unit_rows
from dpcore.models.plain import plain_code
from dpcore.schema import Design, FeatureSpace, Label, Numeric, Schema, Text, encode
from dpcore.schema.bins import bins_of_equal_width
from dpcore.study.baselines import fit_baseline, fit_reference
from tests.models._every_method import METHODS, every_method, every_proven_method, make
from tests.models._records import SPACE, WITHOUT_TEXT, all_records, training
from tests.models._sensitivity import moved

GAPS = replace(
    WITHOUT_TEXT, features=(replace(SPACE.features[0], missing=True), *WITHOUT_TEXT.features[1:])
)
AGE = FeatureSpace(GAPS.features[:1])
MODELS = pytest.mark.parametrize("model", [DPNaiveBayes, DPLogisticRegression])


def telling(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Numbers near the middle that say nothing, and gaps that say much."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    ages = rng.normal(1.0, 0.02, n)
    ages[rng.random(n) < np.where(y == 1, 0.7, 0.1)] = np.nan
    return ages[:, np.newaxis], y


@pytest.mark.spanning
@every_proven_method
@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("records", [0, 10**6])
def test_a_missing_number_moves_no_more_than_any_other(
    model: type, method: str, neighbors: Neighbors, records: int
) -> None:
    delta = "1/100000" if METHODS[method].check({}).get("delta") else 0
    base = all_records(2)[:7]
    worst = moved(METHODS[method], Loss(1, delta), neighbors, 2, GAPS, base, records)
    assert worst
    assert max(worst.values()) <= 1.0 + 1e-9, worst


@pytest.mark.parametrize("epsilon", [1, 1000])
@pytest.mark.parametrize(
    "model, method",
    [
        (DPNaiveBayes, "histogram"),
        (DPNaiveBayes, "l1-counts"),
        (DPNaiveBayes, "truncated-counts"),
        (DPLogisticRegression, "objective"),
        (DPLogisticRegression, "objective-chaudhuri"),
        (DPLogisticRegression, "output-perturbation"),
    ],
)
def test_what_a_gap_tells_is_learned(model: type, method: str, epsilon: int) -> None:
    X, y = telling(4000)
    areas = []
    for space in (FeatureSpace(SPACE.features[:1]), AGE):
        fitted = make(model, method, schema=space, epsilon=epsilon).fit(X, y)
        areas.append(roc_auc_score(y, fitted.predict_proba(X)[:, 1]))
    # A number that is imputed by the middle of its bounds tells a little too, by the cells there.
    assert areas[0] + 0.01 < areas[1] > 0.78, areas


@every_method
def test_exports_treat_a_gap_as_the_model_does(model: type, method: str) -> None:
    X, y = telling(300)
    fitted = make(model, method, schema=AGE).fit(X, y)
    text = fitted.to_json()
    assert "NaN" not in text
    assert "Infinity" not in text
    again = model.from_json(text)
    names: dict[str, Any] = {}
    exec(plain_code(fitted.to_sklearn(), fitted.space_, simulated=True), names)
    wanted = fitted.predict_proba(X)
    for other in (again, fitted.to_sklearn(), names["model"]):
        np.testing.assert_allclose(other.predict_proba(X), wanted, atol=1e-12)


@MODELS
def test_without_gaps_in_the_schema_documents_are_as_they_were(model: type) -> None:
    X, y = telling(300)
    found = json.loads(
        make(
            model,
            "auto" if model is DPNaiveBayes else "objective",
            schema=FeatureSpace(SPACE.features[:1]),
        )
        .fit(X, y)
        .to_json()
    )
    assert "missing" not in json.dumps(found)


def test_the_upper_bound_and_a_gap_are_told_apart() -> None:
    rows = training([((3.0, 0, 0, 0), 0), ((np.nan, 0, 0, 0), 1), ((1e9, 0, 0, 0), 1)], 2, GAPS)
    grid = naive_bayes_edges(
        Schema((Numeric("age", (-1, 3), missing=True), Label("y", ("a", "b"))))
    )
    (counts,) = rows.cell_counts(grid)
    assert counts[:, -2:].tolist() == [[1, 0], [1, 1]]
    assert counts[:, :-2].sum() == 0


def test_a_number_beyond_a_part_of_its_bounds_is_not_a_missing_one() -> None:
    rows = training([((value, 0, 0, 0), 0) for value in (-1.0, 0.0, 2.9, 3.0, np.nan)], 1, GAPS)
    ends = Ends(np.array([-0.5]), np.array([0.5]))
    (grid,) = space_grids(AGE, cells=2, ends=ends)
    (counts,) = rows.cell_counts((grid,))
    assert counts.tolist() == [[2, 2, 1]]


def test_a_row_of_the_regression_stays_in_its_box_and_its_ball() -> None:
    rows = training(all_records(2), 2, GAPS)
    basis = Basis((), rows.rows.indicator_blocks, 1, (0,))
    box = basis.parts[0]
    columns = basis.columns(rows.rows)
    dense = columns if isinstance(columns, np.ndarray) else columns.toarray()
    # A constant, smoker, age, and whether age is missing.
    assert (box.kind, box.width) == ("box", 4)
    assert np.abs(dense[:, :4]).max() == 1.0
    gaps = np.isnan(rows.rows.numeric[:, 0])
    assert gaps.any()
    assert dense[gaps][:, 2:4].tolist() == [[0.0, 1.0]] * int(gaps.sum())
    assert (dense[~gaps][:, 3] == 0.0).all()
    unit, radius = unit_rows(rows)
    lengths = np.linalg.norm(unit.toarray() if issparse(unit) else unit, axis=1)
    without = unit_rows(training(all_records(2), 2, WITHOUT_TEXT))[1]
    assert radius == without
    assert lengths.max() <= 1.0 + 1e-12


@pytest.mark.parametrize("sparse", [False, True])
def test_aggregates_give_the_model_of_the_rows(sparse: bool) -> None:
    X, y = telling(500)
    extra = (Text("words", buckets=4),) if sparse else ()
    schema = Schema((Numeric("age", (-1, 3), missing=True), *extra, Label("y", ("0", "1"))))
    table = pd.DataFrame({"age": X[:, 0], "words": "some words", "y": y})
    made = {"schema": schema, "method": "histogram", "calibration": "none"}
    one = DPNaiveBayes(1, noise=SeededNoise(0), **made).fit(table, table["y"])
    counts, moments = FeatureCounts.from_frame(table, schema), Moments.from_frame(table, schema)
    cells = FeatureHistograms.from_frame(table, schema, edges=naive_bayes_edges(schema))
    other = DPNaiveBayes(1, noise=SeededNoise(0), **made).fit_aggregates(counts, moments, cells)
    np.testing.assert_array_equal(one.predict_proba(table), other.predict_proba(table))
    with pytest.raises(InvalidArgument, match="with_missing_cell"):
        FeatureHistograms.from_frame(table, schema, edges=[[-1, 0, 3]])


def test_bins_of_a_selection_have_one_for_gaps_and_no_more_ones_in_a_row() -> None:
    ages = Design(np.array([[-1.0], [3.0], [np.nan]]), AGE, np.zeros(3, dtype=np.int64))
    binned = bins_of_equal_width(ages, 2)
    assert binned.space.names[-1] == "age:missing"
    assert binned.matrix.toarray().tolist() == np.eye(3).tolist()
    assert binned.space.max_indicators == 1


@pytest.mark.parametrize("kind", ["naive-bayes", "logistic", "reference"])
@pytest.mark.parametrize("sparse", [False, True])
def test_what_they_are_compared_with_learns_from_gaps_too(kind: str, sparse: bool) -> None:
    X, y = telling(1000)
    design = Design(csr_array(X) if sparse else X, AGE, y)
    peer = fit_reference(design) if kind == "reference" else fit_baseline(kind, design)
    assert roc_auc_score(y, peer.predict_proba(design)[:, 1]) > 0.75
    filled = design.without_gaps()
    dense = filled.matrix.toarray() if sparse else filled.matrix
    assert dense[:, 1].tolist() == np.isnan(X[:, 0]).astype(float).tolist()
    assert (dense[np.isnan(X[:, 0]), 0] == 1.0).all()
    assert np.isnan(X).any(), "the table itself is not changed"


def test_a_schema_says_whether_numbers_may_be_missing() -> None:
    schema = Schema((Numeric("age", (0, 10), missing=True), Numeric("pulse", (0, 10), missing=2)))
    assert Schema.from_toml(schema.to_toml()) == schema
    table = pd.DataFrame({"age": ["3", "x"], "pulse": [None, 4.0]})
    assert np.isnan(encode(table, schema).matrix).tolist() == [[False, False], [True, False]]
    assert encode(table, schema).matrix[0, 1] == 2.0
    with pytest.raises(SchemaError, match="no room for a missing value"):
        Numeric("age", (0, 1e301), missing=True)


@MODELS
def test_a_simulation_without_bounds_sees_gaps_and_says_so(model: type) -> None:
    X, y = telling(400)
    fitted = model(5, classes=(0, 1), noise=SeededNoise(0)).fit(X, y)
    assert fitted.space_.features[0].missing
    assert "x0.missing" in fitted.space_.taken_from_data
    assert roc_auc_score(y, fitted.predict_proba(X)[:, 1]) > 0.75
