"""Selecting features from what a model has released: post-processing, which costs nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Unpack

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.curves import Filling, Key, fill
from dpcore.curves.selection.accuracy import until_tested
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.models import DPNaiveBayes
from dpcore.models.additive import AdditiveModel
from dpcore.models.terms import IndicatorTerm
from dpcore.schema import Design
from dpcore.study import Dataset, NoiseChoice, StageCache, Workflow, digest, run_workflow


def released_weights(model: DPNaiveBayes) -> FloatArray:
    """How far each indicator moves the scores of the classes apart, from released numbers alone.

    Parameters
    ----------
    model
        Fitted.

    Returns
    -------
    float array, shape (features,)
        NaN for numbers, which are always kept.

    Privacy
        Free: it reads the released parameters and no record.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> rows, y = [[1.0, 1.0], [1.0, 0.0]] * 50, [1, 0] * 50
    >>> from dpcore.schema import Binary, FeatureSpace, Schema
    >>> space = FeatureSpace.of(Schema([Binary(name, levels=("n", "y")) for name in "ab"]))
    >>> model = DPNaiveBayes(9, classes=(0, 1), schema=space, noise=SeededNoise(0)).fit(rows, y)
    >>> first, second = released_weights(model)
    >>> bool(second > 5 * first)
    True
    """
    weights, indicators = np.full(len(model.space_.features), np.nan), _indicators(model)
    for term in model.model_.terms:
        if isinstance(term, IndicatorTerm):
            one_score = term.weights.shape[0] == 1
            # A single score is that of the second class against the first.
            apart = np.abs(term.weights[0]) if one_score else np.ptp(term.weights, axis=0)
            weights[indicators] = apart
    return weights


def _indicators(model: DPNaiveBayes) -> IntArray:
    return model.space_.indicator_columns


def largest(weights: FloatArray, k: int) -> IntArray:
    """Positions of the k largest weights, numbers left out; equal ones by position.

    Examples
    --------
    >>> largest(np.array([0.5, np.nan, 2.0, 1.0]), 2).tolist()
    [2, 3]
    """
    ranked = np.argsort(-np.nan_to_num(weights, nan=-np.inf), kind="stable")
    usable = int(np.sum(~np.isnan(weights)))
    return np.sort(ranked[: min(k, usable)]).astype(np.int64)


def pruned(model: DPNaiveBayes, kept: IntArray) -> AdditiveModel:
    """The released model with the weights of all other indicators set to zero.

    Privacy
        Free: post-processing of the release.
    """
    stays = np.isin(_indicators(model), kept)
    terms = tuple(
        replace(term, weights=np.where(stays, term.weights, 0.0))
        if isinstance(term, IndicatorTerm)
        else term
        for term in model.model_.terms
    )
    return AdditiveModel(model.model_.link, model.model_.bias, terms)


def select_for_free(model: DPNaiveBayes, test: Design, numbers: Sequence[int]) -> list[float]:
    """Accuracy of a released model that keeps only its so many largest weights.

    Parameters
    ----------
    model
        Fitted on all features.
    test
        Test records (private): the accuracies are for a simulation.
    numbers
        How many indicators to keep.
    """
    weights = released_weights(model)
    rows = BoundedRows.of(test.matrix, test.space)
    found = []
    for k in numbers:
        smaller = pruned(model, largest(weights, k))
        decided = np.argmax(smaller.probabilities(smaller.scores(rows)), axis=1)
        right = np.asarray(model.classes_)[decided] == test.y
        found.append(float(right.mean()) if right.size else float("nan"))
    return found


@dataclass(frozen=True, eq=False)
class FreeCurve:
    """Accuracy over the number of features kept.

    Parameters
    ----------
    accuracy : float array, shape (runs, numbers)
    weights : float array, shape (features,)
        Of the first run, see `released_weights`.
    majority
        Accuracy of whoever always says the more frequent class.
    """

    accuracy: FloatArray
    weights: FloatArray
    majority: float


def free_curve(
    study: Workflow,
    numbers: Sequence[int],
    *,
    data: Dataset,
    test: Design,
    runs: int = 3,
    stages: StageCache | None = None,
    **filling: Unpack[Filling],
) -> FreeCurve:
    """Train a study without selection several times, and select from what it released.

    Parameters
    ----------
    study
        Of a naive Bayes model on all features, in a simulation.
    test
        The test part of `data` under the split of the study.
    runs
        Each with other noise.
    kept, progress, stages
        See `accuracies`.
    """
    stages = StageCache(entries=1) if stages is None else stages
    assert test.y is not None
    _, sizes = np.unique(test.y, return_counts=True)
    majority = float(sizes.max(initial=0) / max(test.y.size, 1))

    def one_run(run: int) -> FreeCurve:
        seed = study.noise.seed
        assert seed is not None
        again = replace(study, noise=NoiseChoice(seed + run))
        model = run_workflow(again, data=data, cache=stages, goal=until_tested(again)).model
        assert isinstance(model, DPNaiveBayes)
        found = select_for_free(model, test, numbers)
        return FreeCurve(np.array([found]), released_weights(model), majority)

    tasks: dict[Key, Callable[[], FreeCurve]] = {
        ("free", data.key, digest(study), tuple(numbers), run): partial(one_run, run)
        for run in range(runs)
    }
    cells: list[FreeCurve] = list(fill(tasks, **filling).values())
    return replace(cells[0], accuracy=np.vstack([cell.accuracy for cell in cells]))
