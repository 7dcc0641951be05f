"""However large the noise and however few the records, no sentence holds an impossible number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest

from dpcore.cli.run import summary
from dpcore.data.reading import read_predictions
from dpcore.evaluation import ExactScores, calibration_methods, roc_methods
from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.noise import SeededNoise
from dpcore.postprocess.monotone import leaves_everything
from dpcore.privacy import Ledger
from dpcore.publications import publication, roc
from dpcore.publications.report import report_html
from dpcore.schema import Binary, Label, Numeric, Schema
from dpcore.study import (
    Dataset,
    DataSource,
    Epsilons,
    Evaluation,
    NoiseChoice,
    Performance,
    Workflow,
    WorkflowResult,
    run_workflow,
)
from pages.calibration import choices, view
from pages.calibration import view as calibration_study
from pages.ecdf import choices as ecdf_fields
from pages.ecdf import view as ecdf_study
from pages.ecdf import view as ecdf_view
from pages.federated_ecdf import choices as federated_fields
from pages.federated_ecdf import study as federated_study
from pages.federated_ecdf import view as federated_view
from pages.model import scores as model_scores
from pages.reusable_holdout import running_counts
from pages.reusable_holdout.choices import COUNTS_DEFAULTS, read_counts
from pages.threshold import view as threshold_view
from pages.widgets import roc_curve, stored_release

EPSILONS = ("0.000001", "0.01", "1", "100")
SIZES = (2, 40)
_LEAST = Fraction(1, 100_000)
# The others are clipped like the second.
SMOOTHINGS = ("none", "isotonic")
STUDY = Workflow(data=DataSource(predictions="p.csv"), noise="seed:3")
_PERCENT = re.compile(r"([−-]?[\d,]+(?:\.\d+)?(?:e[+-]?\d+)?) ?%")
# Three decimals or more, as areas, shares and p-values are written; an epsilon has its word before.
_UNIT = re.compile(r"(?<!psilon )(?<![\d.,])([−-]?\d+\.\d{2,4})(?![\d%e])")
_NEVER = re.compile(r"\b(nan|inf|None)\b")


def impossible(text: str) -> list[str]:
    """What no share, no area and no p-value can be."""
    wrong = _NEVER.findall(text)
    for pattern, most in ((_PERCENT, 100.0), (_UNIT, 1.0)):
        for found in pattern.findall(text):
            value = float(found.replace(",", "").replace("−", "-"))
            if not 0.0 <= value <= most:
                wrong.append(found)
    return wrong


@pytest.mark.parametrize(
    "text, wrong",
    [
        ("no point is off by more than 719563.1 %", ["719563.1"]),
        ("between −0.120 and 1.070, at epsilon 3.125", ["−0.120", "1.070"]),
        ("the AUC is nan", ["nan"]),
        ("At epsilon 10 the AUC is 1.000, and 0.00 to 1.00 is possible; 100.0 %", []),
    ],
)
def test_what_is_impossible_is_found(text: str, wrong: list[str]) -> None:
    assert sorted(impossible(text)) == sorted(wrong)


def scores(size: int) -> Performance:
    values = (np.arange(size) + 0.5) / size
    return Performance.of(ExactScores(np.arange(size) % 3 == 1, values))


def study(epsilon: str, size: int, method: str = "quantile-bins") -> WorkflowResult:
    rows = "".join(f"{k % 3 == 1:d},{(k + 0.5) / size:.6f}\n" for k in range(size))
    given = read_predictions(f"label,score\n{rows}".encode(), positive="1")
    return run_workflow(
        Workflow(
            data=DataSource(predictions="p.csv", positive="1"),
            evaluation=Evaluation(method=method),
            epsilon=Epsilons(evaluation=epsilon),
            noise="seed:3",
        ),
        data=given,
    )


def sentences_of_roc(epsilon: str, size: int) -> Iterator[str]:
    for method in roc_methods():
        result = study(epsilon, size, method)
        yield roc_curve.headline(result)
        yield from map(" ".join, roc_curve.figures(result))
        yield summary(result).replace(f"epsilon {epsilon}", "")
        yield publication("roc").headline(replace(roc.of_study(result), truth=None))
        if method == "quantile-bins":
            (lead,) = re.findall(r'class="lead">(.*?)</p>', report_html(result).decode())
            yield lead


def sentences_of_ecdf(epsilon: str, size: int) -> Iterator[str]:
    told = ecdf_fields.DEFAULTS | {"ecdf_epsilon": epsilon, "ecdf_points": "16"}
    counted = scores(size)
    for method, smoothing in product(ecdf_methods(), SMOOTHINGS):
        choice = ecdf_fields.read(told | {"ecdf_method": method, "ecdf_smoothing": smoothing})
        exact = [
            ecdf_study.ExactClass.of(name, counted, side, 16, False)
            for name, side in zip(("no", "yes"), ecdf_study.SIDES, strict=True)
        ]
        found = ecdf_study.run(choice, exact, study=STUDY, ledger=Ledger(), part=None)
        yield publication("ecdf").headline(found.found)
        yield publication("ecdf").headline(replace(found.found, truth=None))
        yield from map(" ".join, ecdf_view.figures(found)[-1:])
        for row in ecdf_view.table(found)[1]:
            yield " ".join(row[1:])


def sentences_of_calibration(epsilon: str, size: int) -> Iterator[str]:
    for method in calibration_methods():
        told = {"calibration_epsilon": epsilon, "calibration_method": method}
        choice = choices.read(choices.DEFAULTS | told)
        found = calibration_study.run(choice, scores(size), study=STUDY, ledger=Ledger(), part=None)
        yield publication("calibration").headline(found.found)
        yield publication("calibration").headline(replace(found.found, truth=None))
        yield from map(" ".join, view.figures(found))


def sentences_of_threshold(epsilon: str, size: int) -> Iterator[str]:
    found = threshold_view.ThresholdResult(
        study(epsilon, size).roc, scores(size).exact, epsilon, "private", "ill"
    )
    for at in ("0", "0.01", "0.5", "1"):
        yield threshold_view.headline(found, Fraction(at), at)
        yield from threshold_view.table(found, Fraction(at)).split("<tr>")[2:]


def sentences_of_federation(epsilon: str, size: int) -> Iterator[str]:
    told = {"epsilon": epsilon, "parties": "3", "points": "16", "lost": "0", "colluders": "0"}
    for trust in ("trusted-curator", "secure-aggregation"):
        named = {f"federated_ecdf_{name}": value for name, value in told.items()}
        named["federated_ecdf_trust"] = trust
        choice = federated_fields.read(federated_fields.DEFAULTS | named)
        found = federated_study.run(
            choice,
            scores(size).scores,
            study=Workflow(data=DataSource(sample="heart-risk"), noise=NoiseChoice(3)),
            ledger=Ledger(),
            part=None,
        )
        yield federated_view.headline(found)
        for row in federated_view.table(found)[1]:
            yield " ".join(row[1:])


def sentences_of_models(epsilon: str, size: int) -> Iterator[str]:
    schema = Schema(
        (Numeric("age", bounds=(0, 1)), Binary("x", levels=("a", "b")),
         Label("ill", classes=("no", "yes"), positive="yes"))
    )  # fmt: skip
    places = np.arange(20 + size)
    frame = pd.DataFrame(
        {
            "age": (places * 0.618) % 1.0,
            "x": np.where(places % 2, "a", "b"),
            "ill": np.where(places % 3, "no", "yes"),
        }
    )
    told = Workflow(
        data=DataSource(file="a.csv", schema="a.toml"),
        # For less no weight is drawn.
        epsilon=Epsilons(training=str(max(Fraction(epsilon), _LEAST)), evaluation=epsilon),
        noise="seed:3",
    )
    for kind in ("naive-bayes", "logistic"):
        config = replace(told, model=replace(told.model, kind=kind, method="", parameters={}))
        found = run_workflow(config, data=Dataset(frame, schema, f"d{size}"))
        yield model_scores.headline(found)
        yield roc_curve.headline(found)


def sentences_of_counts(epsilon: str, size: int) -> Iterator[str]:
    loss = max(Fraction(epsilon), Fraction(1, 1000))
    for method in ("laplace", "gaussian"):
        told = {"epsilon": str(loss), "method": method, "steps": str(size)}
        named = {f"reusable_holdout_counts_{name}": value for name, value in told.items()}
        choice = read_counts(COUNTS_DEFAULTS | named)
        events = running_counts.stream(choice.steps, 3)
        told_counts = running_counts.private_running_counts(
            events,
            epsilon=choice.loss.epsilon,
            delta=choice.loss.delta,
            method=choice.method.name,
            noise=SeededNoise(3),
        )
        sentence = running_counts.headline(told_counts, np.cumsum(events))
        if off := re.search(r"more than ([\d,]+) of ([\d,]+) events", sentence):
            worst, all_ = (int(number.replace(",", "")) for number in off.groups())
            assert worst <= all_, sentence
        yield sentence.replace("1e-06", "").replace(told_counts.loss.short, "")


PAGES: dict[str, Callable[[str, int], Iterator[str]]] = {
    "roc": sentences_of_roc,
    "ecdf": sentences_of_ecdf,
    "calibration": sentences_of_calibration,
    "threshold": sentences_of_threshold,
    "federation": sentences_of_federation,
    "models": sentences_of_models,
    "counts": sentences_of_counts,
}


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "epsilons", [EPSILONS[::2], pytest.param(EPSILONS, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("page", PAGES)
def test_no_sentence_of_a_page_holds_an_impossible_number(
    page: str, epsilons: tuple[str, ...]
) -> None:
    said = 0
    for epsilon, size in product(epsilons, SIZES):
        for sentence in PAGES[page](epsilon, size):
            assert not impossible(sentence), (epsilon, size, sentence)
            said += "says nothing" in sentence
    # The noise of the smallest epsilon leaves everything possible, and every page says so.
    assert said or page == "models"


def test_where_the_noise_leaves_everything_the_releases_say_so() -> None:
    for epsilon, nothing in (("0.001", True), ("100", False)):
        roc = study(epsilon, 60).roc
        assert roc.says_nothing is nothing
        assert roc.auc_interval is not None
        assert leaves_everything(*roc.auc_interval) is nothing


@pytest.mark.parametrize(
    "cell, words",
    [(3.1e-6, "0.0000"), (0.00029341, "0.0002934"), (123456.7, "123,457"), (0.0, "0"), (7, "7")],
)
def test_a_released_number_is_written_without_powers_of_ten(cell: float, words: str) -> None:
    assert stored_release._cell(cell, "fpr") == words
