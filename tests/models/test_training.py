"""What methods are given: undeclared labels left out, counts, fingerprints."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.models.training import Training
from tests.models._records import SPACE, all_records, training


def test_undeclared_labels_are_left_out() -> None:
    records = all_records(2)[:9]
    kept = [record for record in records if record[1] >= 0]
    whole, part = training(records, 2), training(kept, 2)
    np.testing.assert_array_equal(whole.rows.numeric, part.rows.numeric)
    np.testing.assert_array_equal(whole.classes, part.classes)
    assert whole.sizes.sum() == len(kept) < len(records)
    assert whole.space is SPACE


def test_counts_per_class() -> None:
    records = [((0.0, 1, 0, 1, 0, 0, 0), 0), ((0.0, 0, 1, 1, 0, 0, 0), 1)]
    counts = training(records, 3).indicator_counts
    assert counts[:, :3].tolist() == [[1, 0, 1], [0, 1, 1], [0, 0, 0]]


def test_the_fingerprint_knows_the_records_and_not_their_container() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=50), (rng.random((50, 6)) < 0.4)]).astype(float)
    classes = rng.integers(0, 2, 50)

    def fingerprint(matrix: object, labels: np.ndarray = classes) -> str:
        return Training.of(BoundedRows.of(matrix, SPACE), labels, 2).fingerprint()  # type: ignore[arg-type]

    same = {
        fingerprint(X),
        fingerprint(csr_array(X)),
        fingerprint(np.asfortranarray(X)),
        fingerprint(X[::-1], classes[::-1]),
    }
    assert len(same) == 1
    assert fingerprint(X[1:], classes[1:]) not in same
    assert fingerprint(X, 1 - classes) not in same
    moved = X.copy()
    moved[0, 0] = 1 - moved[0, 0]
    assert fingerprint(moved) not in same


def test_a_design_is_made_of_the_bounded_rows() -> None:
    data = training(all_records(2), 2)
    columns, classes = data.design(lambda rows: 2.0 * rows.scaled)
    np.testing.assert_array_equal(columns, 2.0 * data.rows.scaled)
    assert classes is data.classes
