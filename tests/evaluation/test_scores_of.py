"""Labels and scores in either form, and what every evaluator that takes them refuses."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from dpcore import Ledger, Loss, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.errors import InvalidArgument
from dpcore.evaluation import (
    RunningCounter,
    private_auc,
    private_calibration,
    private_confusion_matrix,
    private_group_evaluation,
    private_macro_auc,
    private_model_comparison,
    private_roc_curve,
)
from dpcore.evaluation.scores_of import counted_already, require_form, scores_of

Evaluator = Callable[..., Any]
EVALUATORS: list[Evaluator] = [private_auc, private_roc_curve, private_calibration]


def test_counted_scores_pass_through() -> None:
    counted = ScoreHistogram.from_arrays([0, 1], [0.1, 0.9])
    assert scores_of(counted, None, None) is counted


@pytest.mark.parametrize("y_true, y_score", [([0, 1], None), (ScoreHistogram.empty(), [0.1])])
def test_scores_come_once(y_true: Any, y_score: Any) -> None:
    with pytest.raises(InvalidArgument, match="y_score must be"):
        scores_of(y_true, y_score, None)


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("labels, pos_label", [(["no", "yes"], None), ([0, 1], "yes")])
@pytest.mark.parametrize("form", [np.array, list, pd.Series])
def test_a_simulation_refuses_a_label_that_no_record_could_have(
    evaluator: Evaluator, labels: list[Any], pos_label: object, form: Any
) -> None:
    """With real noise nobody is told: NumPy and pandas find the type in the labels."""
    for noise in (SeededNoise(1), None):
        ledger = Ledger(Loss(1))
        told = pytest.raises(InvalidArgument, match="pos_label must be") if noise else nullcontext()
        with told:
            evaluator(
                form(labels * 50), [0.1, 0.9] * 50, epsilon=1, ledger=ledger, noise=noise,
                pos_label=pos_label,
            )  # fmt: skip
        assert ledger.spent == (Loss(0) if noise else Loss(1))


@pytest.mark.spanning
@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
@pytest.mark.parametrize(
    "label, score, pos_label",
    [(1, np.nan, None), (1, 1.5, None), (1, "high", None), (1, [0.5], None), (np.nan, 0.5, None),
     ("x", 0.5, None), (None, 0.5, None), ([1], 0.5, None), ("yes", 0.5, "yes")],
)  # fmt: skip
def test_with_real_noise_no_record_makes_an_error(
    evaluator: Evaluator, neighbors: str, label: object, score: object, pos_label: object
) -> None:
    labels, scores = [0, 1] * 25, [0.2, 0.8] * 25
    for y_true, y_score in (([*labels, label], [*scores, score]), (labels, scores)):
        ledger = Ledger(Loss(1), neighbors)
        evaluator(
            y_true, y_score, epsilon=1, neighbors=neighbors, ledger=ledger, pos_label=pos_label
        )
        assert ledger.spent == Loss(1)


def test_what_is_unusable_is_left_out_with_real_noise_and_named_in_a_simulation() -> None:
    labels, scores = [0, 1, 1, None], [0.5, 0.5, 7.0, 0.5]
    found = scores_of(labels, scores, None, simulated=False)
    assert (found.n_negative, found.n_positive, found.left_out) == (1, 1, 2)
    with pytest.raises(InvalidArgument, match=r"^y_score\[2\] must be a number in \[0, 1\]"):
        scores_of(labels, scores, 1)
    for evaluator in EVALUATORS:
        with pytest.raises(InvalidArgument, match=r"^y_score\[2\] must be"):
            evaluator([0, 1, 1, 0], scores, epsilon=1, noise=SeededNoise(1))


@pytest.mark.parametrize("odd", ["x", None, [1, 2]])
def test_one_odd_label_of_a_list_changes_no_other(odd: object) -> None:
    found = scores_of([1, 0, 1.0, True, odd], [0.5] * 5, None, simulated=False)
    assert found.n_positive == 3
    assert found.n_negative + found.left_out == 2


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_texts_give_what_numbers_give(evaluator: Evaluator) -> None:
    labels, scores = np.arange(500) % 2, np.linspace(0, 1, 500)
    texts = np.array(["no", "yes"])[labels]
    numbers = evaluator(labels, scores, epsilon=1, noise=SeededNoise(1))
    named = evaluator(texts, scores, epsilon=1, noise=SeededNoise(1), pos_label="yes")
    assert numbers.to_json() == named.to_json()


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize(
    "labels, told",
    [([1, 2], True), ([0, 2], True), ([-1.0, 0.0], True), ([0, 1], False), ([-1, 1], False)],
)
def test_a_simulation_says_that_the_positive_label_is_a_guess(
    evaluator: Evaluator, labels: list[float], told: bool
) -> None:
    scores = [0.1, 0.9] * 50
    for noise, pos_label in ((SeededNoise(0), None), (SeededNoise(0), labels[1]), (None, None)):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            evaluator(np.array(labels * 50), scores, epsilon=1, noise=noise, pos_label=pos_label)
        mine = [one for one in heard if "pos_label is left out" in str(one.message)]
        assert bool(mine) is (told and noise is not None and pos_label is None)
        assert all(one.filename == __file__ for one in mine)


@pytest.mark.parametrize("evaluate", EVALUATORS)
def test_counting_that_fails_was_charged_with_real_noise(
    evaluate: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where memory ends tells how many rows there are."""

    def fail(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr(ScoreHistogram, "from_arrays", fail)
    ledger, free = Ledger(Loss(2)), Ledger(Loss(2))
    with pytest.raises(MemoryError):
        evaluate([0, 1], [0.2, 0.9], epsilon=1, ledger=ledger)
    assert ledger.spent == Loss(1)
    with pytest.raises(MemoryError):
        evaluate([0, 1], [0.2, 0.9], epsilon=1, ledger=free, noise=SeededNoise(1))
    assert free.spent == Loss(0)


@pytest.mark.parametrize("evaluate", EVALUATORS)
def test_once_counted_the_charges_of_the_method_stand(evaluate: Evaluator) -> None:
    ledger = Ledger(Loss(2))
    released = evaluate([0, 1] * 50, [0.2, 0.9] * 50, epsilon=1, ledger=ledger)
    seeded = evaluate([0, 1] * 50, [0.2, 0.9] * 50, epsilon=1, noise=SeededNoise(1))
    assert ledger.charges == released.charges == seeded.charges
    assert not released.simulated


@pytest.mark.parametrize("evaluate", EVALUATORS)
@pytest.mark.parametrize(
    "arguments",
    [
        ([0, 1], None), ([0, 1], [0.5]), (np.zeros((2, 2)), np.zeros(2)), (None, [0.5]),
        ([0, 1], {0: 0.1, 1: 0.9}), ({0, 1}, [0.1, 0.9]), (iter([0, 1]), iter([0.1, 0.9])),
        ([0, 1], csr_array(np.array([0.1, 0.9]))), (1, 0.5), ("10", "01"), (object(), [0.5]),
    ],
)  # fmt: skip
def test_what_is_no_pair_of_vectors_is_refused_before_the_charge(
    evaluate: Evaluator, arguments: tuple[Any, Any]
) -> None:
    ledger = Ledger(Loss(2))
    with pytest.raises(InvalidArgument):
        evaluate(*arguments, epsilon=1, ledger=ledger)
    assert ledger.spent == Loss(0)


COUNTED = ScoreHistogram.from_arrays([0, 1], [0.1, 0.9])


@pytest.mark.parametrize(
    "y_true, arrays, message",
    [
        ([COUNTED], {"y_score": None}, "^y_true must be 2 counted scores, got '1 entries'"),
        ([COUNTED, [0.5]], {"y_score": None}, "^y_true must be 2 counted scores"),
        ([COUNTED] * 2, {"y_score": [0.5]}, "^y_score must be left out with counted scores"),
        ([COUNTED] * 2, {"pos_label": "yes"}, "^pos_label must be left out with .*, got 'yes'"),
    ],
)
def test_counted_scores_of_several_come_alone_and_all(
    y_true: Any, arrays: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidArgument, match=message):
        counted_already(y_true, 2, PROBABILITY, **arrays)


GROUP = ["north", "south"] * 400


def compared(y_true: Any, y_score: Any, **told: Any) -> Any:
    other = None if y_score is None else np.asanyarray(y_score)[::-1]
    return private_model_comparison(y_true, y_score, other, **told)


def by_group(y_true: Any, y_score: Any, **told: Any) -> Any:
    groups = None if y_score is None else GROUP
    told |= {"levels": ["north", "south"], "threshold": 0.25}
    return private_group_evaluation(y_true, y_score, groups, **told)


def by_class(y_true: Any, y_score: Any, **told: Any) -> Any:
    both = None if y_score is None else np.ma.column_stack([y_score, y_score[::-1]])
    return private_macro_auc(y_true, both, classes=[1, 0], **told)


def at_threshold(y_true: Any, y_score: Any, **told: Any) -> Any:
    return private_confusion_matrix(y_true, y_score, threshold=0.25, **told)


ON_SCALES = [*EVALUATORS, at_threshold, compared, by_group, by_class]
LABELS = np.tile([0, 1, 0, 1, 1], 160)
WRITTEN = {
    "percent": (np.linspace(0, 100, 800), None),
    "log-odds": (np.linspace(-9, 9, 800), None),
    "any": (np.linspace(290, 860, 800), (300, 850)),
}


@pytest.mark.parametrize("evaluate", ON_SCALES)
@pytest.mark.parametrize("scale", WRITTEN)
def test_every_evaluator_reads_scores_on_every_scale(evaluate: Evaluator, scale: str) -> None:
    """What it releases is what it releases of the probabilities that the scale makes of them."""
    scores, bounds = WRITTEN[scale]
    told: dict[str, Any] = {"epsilon": 1, "scale": scale, "bounds": bounds}
    if evaluate is private_calibration and scale == "any":
        with pytest.raises(InvalidArgument, match="^scale must be one whose numbers are probab"):
            evaluate(LABELS, scores, **told)
        return
    unit = ScoreScale.of(scale, bounds).unit(scores)
    found = evaluate(LABELS, scores, noise=SeededNoise(3), **told)
    assert found == evaluate(LABELS, unit, epsilon=1, noise=SeededNoise(3))
    assert type(evaluate(LABELS, scores, **told)) is type(found)


@pytest.mark.parametrize("evaluate", ON_SCALES)
def test_a_score_off_its_scale_is_named_by_its_argument(evaluate: Evaluator) -> None:
    scores = np.full(800, 50.0)
    scores[7] = 101.0
    name = "y_score_a" if evaluate is compared else "y_score"
    told: dict[str, Any] = {"epsilon": 1, "scale": "percent", "ledger": Ledger(Loss(1))}
    words = rf"^{name}\[7\] must be a number in \[0, 100\], got 101.0$"
    with pytest.raises(InvalidArgument, match=words):
        evaluate(LABELS, scores, noise=SeededNoise(1), **told)
    assert not told["ledger"].charges


@pytest.mark.parametrize("evaluate", ON_SCALES)
@pytest.mark.parametrize("told", [{"scale": "logit"}, {"scale": "any"}, {"bounds": (0, 1)}])
def test_a_scale_that_is_none_is_refused_before_the_charge(
    evaluate: Evaluator, told: dict[str, Any]
) -> None:
    ledger = Ledger(Loss(1))
    with pytest.raises(InvalidArgument, match="^(scale must be one of|bounds must be given with)"):
        evaluate(LABELS, np.full(800, 0.5), epsilon=1, ledger=ledger, **told)
    assert not ledger.charges


@pytest.mark.parametrize("evaluate", [compared, by_group, by_class])
def test_several_counted_scores_have_their_scale_already(evaluate: Evaluator) -> None:
    several = [COUNTED] * (3 if evaluate is by_group else 2)
    with pytest.raises(InvalidArgument, match="^scale must be left out with counted scores, got"):
        evaluate(several, None, epsilon=1, scale="percent")


def test_a_threshold_lies_between_0_and_1_and_a_written_one_is_told_where() -> None:
    threshold: dict[str, Any] = {"epsilon": 1, "threshold": 20, "scale": "percent"}
    there = r"^threshold must be between 0 and 1, as scores are once they are read: 0\.2, got 20$"
    with pytest.raises(InvalidArgument, match=there):
        private_confusion_matrix(LABELS, WRITTEN["percent"][0], **threshold)
    with pytest.raises(InvalidArgument, match=there):
        private_group_evaluation(LABELS, LABELS, GROUP, levels=["north"], **threshold)
    for bad in (120, "20", None, np.nan):
        with pytest.raises(InvalidArgument, match="^threshold must be "):
            private_confusion_matrix(LABELS, LABELS, **threshold | {"threshold": bad})


@pytest.mark.parametrize("told", [{"scale": "log-odds"}, {"pos_label": "yes"}])
def test_counted_scores_have_their_scale_and_classes_already(told: dict[str, Any]) -> None:
    name = next(iter(told))
    with pytest.raises(InvalidArgument, match=f"^{name} must be left out beside a ScoreHistogram"):
        private_roc_curve(COUNTED, epsilon=1, **told)


def test_labels_of_no_known_form_are_looked_at_when_they_are_read() -> None:
    labels: Any = {"a": 0, "b": 1, "c": 1}.values()
    require_form(labels, y_score=[0.1, 0.9, 0.8])
    found = scores_of(labels, [0.1, 0.9, 0.8], None)
    assert (found.n_negative, found.n_positive) == (1, 2)


@pytest.mark.parametrize("noise", [None, SeededNoise(1)])
def test_an_error_names_the_argument_that_is_of_another_length(noise: SeededNoise | None) -> None:
    labels, scores = [0, 1] * 20, [0.2, 0.8] * 20
    account: dict[str, Any] = {"epsilon": 1, "noise": noise}
    with pytest.raises(InvalidArgument, match="^y_score_b must be one entry for each of y_true"):
        private_model_comparison(labels, scores, scores[1:], **account)
    with pytest.raises(InvalidArgument, match="^group must be one entry for each of y_true"):
        private_group_evaluation(labels, scores, labels[1:], levels=[0, 1], **account)
    with pytest.raises(InvalidArgument, match="^y_score_b must be a vector"):
        private_model_comparison(labels, scores, **account)
    with pytest.raises(InvalidArgument, match="^y_true must be a vector"):
        private_model_comparison(COUNTED, scores, scores, **account)
    with pytest.raises(InvalidArgument, match="^group must be a vector"):
        private_group_evaluation(labels, scores, pd.DataFrame(labels), levels=[0, 1], **account)


@pytest.mark.parametrize("evaluator", [private_auc, RunningCounter])
@pytest.mark.parametrize(
    "name, hint",
    [("espilon", "; did you mean 'epsilon'?"), ("yy", ""), ("label", ""), ("scales", "")],
)
def test_an_unknown_keyword_is_told_by_what_was_called(
    evaluator: Evaluator, name: str, hint: str
) -> None:
    """Those that an evaluation has within are as unknown, such as a label."""
    with pytest.raises(TypeError) as told:
        evaluator([0, 1], epsilon=1, **{name: "any"})
    given = f"{evaluator.__name__}() got an unexpected keyword argument {name!r}{hint}"
    assert str(told.value).startswith(given)


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_a_simulation_warns_of_a_positive_label_that_none_is(evaluator: Evaluator) -> None:
    for labels, noise, told in (
        (["no", "oui"], SeededNoise(1), True), (["no", "oui"], None, False),
        (["no", "no"], SeededNoise(1), False), (["no", "Yes"], SeededNoise(1), False),
        (["no", "yes"], SeededNoise(1), False),
    ):  # fmt: skip
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            evaluator(labels * 50, [0.1, 0.9] * 50, epsilon=1, noise=noise, pos_label="Yes")
        mine = [one for one in heard if "no label of y_true is 'Yes', but 'no'" in str(one.message)]
        assert bool(mine) is told
        assert all(one.filename == __file__ for one in mine)


def test_a_simulation_warns_where_labels_differ_in_letters_only() -> None:
    scores, labels = [0.1, 0.9] * 50, ["a", "A"] * 50
    with pytest.warns(UserWarning, match="differ in capital and small letters only"):
        private_auc(labels, scores, epsilon=1, noise=SeededNoise(1), pos_label="A")


@pytest.mark.parametrize("evaluate", ON_SCALES)
@pytest.mark.parametrize("simulated", [True, False])
def test_what_an_array_masks_is_missing(evaluate: Evaluator, simulated: bool) -> None:
    """NumPy itself shows what lies beneath."""
    hidden = np.arange(800) % 4 == 0
    scores = np.where(hidden, 0.9, np.linspace(0.1, 0.8, 800))
    labels = np.ma.array(np.where(hidden, 1, LABELS), mask=hidden)
    told: dict[str, Any] = {"epsilon": 1, "noise": SeededNoise(2) if simulated else None}
    found = evaluate(labels, scores, **told)
    if simulated:
        told["noise"] = SeededNoise(2)
        assert found == evaluate(np.where(hidden, np.nan, labels.data), scores, **told)
        masked = np.ma.array(scores, mask=hidden)
        with pytest.raises(InvalidArgument, match=r"\[0\] must be a number in \[0, 1\], got nan$"):
            evaluate(LABELS, masked, **told)


def test_a_score_that_is_on_another_scale_says_which() -> None:
    for scores, scale in ((WRITTEN["percent"][0], "percent"), (WRITTEN["log-odds"][0], "log-odds")):
        with pytest.raises(InvalidArgument, match=f"or scale='{scale}' if they are {scale[:7]}"):
            private_auc(LABELS, scores, epsilon=1, noise=SeededNoise(1))
