"""Every evaluation draws its noise for the least epsilon that is granted, and for the largest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from dpcore import Ledger, Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.evaluation import (
    RunningCounter,
    calibration_methods,
    ecdf_methods,
    ecdf_of_scores,
    private_auc,
    private_calibration,
    private_confusion_matrix,
    private_ecdf,
    private_group_evaluation,
    private_histogram,
    private_macro_auc,
    private_model_comparison,
    private_roc_curve,
    private_running_counts,
    roc_methods,
    uniform_grid,
)
from dpcore.evaluation.ecdf.api import SIDES, private_class_ecdfs
from dpcore.evaluation.score_evaluation import EVALUATIONS, evaluate_scores
from dpcore.evaluation.scores_of import LEAST_EPSILON
from dpcore.registry import Registry

SCORES = ScoreHistogram.from_arrays([0, 0, 1] * 10, [0.125, 0.25, 0.75] * 10)
NOBODY = ScoreHistogram.empty()
MANY = [f"level {number}" for number in range(20)]
Evaluation = Callable[..., Any]


def chosen(methods: Registry, evaluation: Evaluation) -> Iterator[tuple[str, Evaluation]]:
    """Every proven method, with each parameter at its default and at all its ends or choices."""
    for name, method in methods().items():
        if not method.guarantee.holds:
            continue
        yield name, partial(evaluation, method=name)
        for one in method.parameters:
            for value in one.choices or (one.minimum, one.maximum):
                told = {one.name: value}
                yield f"{name} {told}", partial(evaluation, method=name, **told)


def of_classes(*, noise: Any, **told: Any) -> Any:
    cells = tuple(ecdf_of_scores(SCORES, side, points=64) for side in SIDES)
    return private_class_ecdfs(cells, noises=(noise, noise), **told)


def of_scores(scores: ScoreHistogram) -> Iterator[tuple[str, Evaluation]]:
    yield "auc", partial(private_auc, scores)
    yield "threshold", partial(private_confusion_matrix, scores, threshold=0.5)
    yield "compare", partial(private_model_comparison, [scores, scores])
    for several in (1, 20):
        groups = partial(private_group_evaluation, [scores] * (several + 1), levels=MANY[:several])
        yield f"{several} groups", groups
        yield f"{several} groups at a threshold", partial(groups, threshold=0.5)
    for several in (2, 20):
        classes = MANY[:several]
        yield f"{several} classes", partial(private_macro_auc, [scores] * several, classes=classes)
    for name, one in chosen(roc_methods, partial(private_roc_curve, scores)):
        yield f"roc: {name}", one
    for groups, edges in ((3, "fixed"), (20, "fixed"), (3, "quantile"), (20, "quantile")):
        of = partial(private_calibration, scores, groups=groups, edges=edges)
        for name, one in chosen(calibration_methods, of):
            yield f"calibration in {groups} {edges} groups: {name}", one


def of_values() -> Iterator[tuple[str, Evaluation]]:
    for points in (2, 2**12):
        of = partial(private_ecdf, [0.25] * 30, grid=uniform_grid(0, 1, points))
        for name, one in chosen(ecdf_methods, of):
            yield f"ecdf on {points} points: {name}", one
    for name, one in chosen(ecdf_methods, of_classes):
        yield f"ecdfs of both classes: {name}", one
    yield "histogram", partial(private_histogram, [0.25] * 30, edges=[0.5, 1.0])
    for steps in (1, 2**12):
        for delta in (0, "1e-6", "1e-300"):
            told = {"method": "gaussian" if delta else "laplace", "delta": delta}
            name = f"{steps} steps at delta {delta}"
            yield f"running counts of {name}", partial(private_running_counts, [1] * steps, **told)
            yield f"counter of {name}", partial(RunningCounter, steps, **told)


EVERY = (
    dict(of_values())
    | {f"scores {name}": one for name, one in of_scores(SCORES)}
    | {f"nobody {name}": one for name, one in of_scores(NOBODY)}
)


@pytest.mark.parametrize("name", EVERY)
def test_none_is_charged_and_then_refused_for_its_epsilon(name: str) -> None:
    """Each is asked for the least that is granted, in real noise and in a simulation.

    Of these with one relation here and with the other in the next case, which is much like it.
    """
    too_little, turn = LEAST_EPSILON * (1 - LEAST_EPSILON), 1 - 2 * (list(EVERY).index(name) % 2)
    for neighbors, noise in zip(Neighbors, (SeededNoise(1), SystemNoise())[::turn], strict=True):
        ledger = Ledger(neighbors=neighbors)
        told = {"neighbors": neighbors, "noise": noise, "ledger": ledger}
        with pytest.raises(InvalidArgument, match="epsilon must be at least 1e-07"):
            EVERY[name](epsilon=too_little, **told)
        assert ledger.charges == ()
        EVERY[name](epsilon=LEAST_EPSILON, **told)
        assert ledger.spent.epsilon == LEAST_EPSILON


@pytest.mark.parametrize("name", EVERY)
def test_the_largest_epsilon_is_charged_and_drawn_for(name: str) -> None:
    for neighbors in Neighbors:
        ledger = Ledger(neighbors=neighbors)
        told = {"neighbors": neighbors, "noise": SeededNoise(1), "ledger": ledger}
        EVERY[name](epsilon="1e100", **told)
        assert ledger.spent.epsilon == Loss("1e100").epsilon


def test_of_several_evaluations_each_must_have_enough() -> None:
    told = {
        "groups": {"north": SCORES, "(other)": NOBODY},
        "models": (SCORES, SCORES),
        "classes": {"u": SCORES, "v": SCORES},
    }
    least = LEAST_EPSILON * len(EVALUATIONS)
    found = evaluate_scores(SCORES, epsilon=least, wanted=EVALUATIONS, **told)
    assert found.ledger.spent == Loss(least)
    with pytest.raises(InvalidArgument, match="^epsilon must be at least 8e-07"):
        evaluate_scores(SCORES, epsilon=least * (1 - LEAST_EPSILON), wanted=EVALUATIONS, **told)
