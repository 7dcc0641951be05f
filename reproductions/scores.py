"""Test scores of plain classifiers, for the experiments on ROC curves and calibration."""

from __future__ import annotations

import numpy as np

from dpcore._typing import BoolArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.noise.seeded import monte_carlo
from dpcore.schema import Design
from dpcore.study.baselines import fit_baseline
from reproductions.paper_data import PaperData


def held_out_scores(
    materials: PaperData,
    name: str,
    *,
    test_fraction: float = 0.5,
    most: int | None = None,
    kind: str = "logistic",
) -> ScoreHistogram:
    """Scores that a classifier without noise gives to records that it has not seen.

    Parameters
    ----------
    test_fraction
        Each record is held out with this probability, from a fixed seed.
    most
        At most so many records in all.
    kind : {"logistic", "naive-bayes"}
        See `dpcore.study.baselines.fit_baseline`.

    Examples
    --------
    >>> found = held_out_scores(PaperData(None), "glass")
    >>> found.auc() > 0.95
    True
    """
    design = materials.design(name, most)
    held_out = monte_carlo(20140).integers(0, 10_000, design.matrix.shape[0])
    test: BoolArray = np.asarray(held_out < round(10_000 * test_fraction))
    model = fit_baseline(kind, design.rows(~test))
    shown = design.rows(test)
    probability = model.predict_proba(shown)[:, -1]
    return ScoreHistogram.from_arrays(_binary(shown), np.clip(probability, 0.0, 1.0))


def _binary(design: Design) -> IntArray:
    assert design.y is not None
    return np.asarray(design.y == design.y.max(), dtype=np.int64)
