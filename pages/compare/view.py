"""Two models on the same records: the release beside the truth, its figures and its words."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from dpcore.data.reading import Predictions
from dpcore.data.reading.prediction_columns import PredictionColumns
from dpcore.evaluation import ComparisonRelease, ExactScores, private_model_comparison
from dpcore.figures import Picture, Theme, true_trace
from dpcore.figures.estimates import EstimateRow, estimates_picture
from dpcore.figures.numbers import band_names, level, rate, signed
from dpcore.figures.picture import literal
from dpcore.figures.roc_panels import roc_methods_picture
from dpcore.figures.theme import stamp
from dpcore.privacy import Guarantee, Ledger, Part
from dpcore.publications.report import figure_report
from dpcore.registry import Method
from dpcore.study import Workflow, WorkflowResult
from dpcore.study.json import plain as study_as_json
from pages.compare.choices import CompareChoice
from pages.widgets.score_pages import File

METHOD = Method(
    name="model-comparison",
    title="Difference of two pair counts",
    summary="The pairs by which one model ranks better than the other, counted at once.",
    run=private_model_comparison,
    guarantee=Guarantee.proven(
        "one record moves the difference of two centred counts with one cap by at most that cap; "
        "McSherry 2009, Theorem 3"
    ),
    reference="this project; J. A. Hanley and B. J. McNeil (1982) for the population",
)
# Half widths of the axis: a few, so that it stands still while epsilon moves a little.
_WIDTHS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


@dataclass(frozen=True, eq=False)
class Pair:
    """The scores of two models (private), of the records that have both."""

    names: tuple[str, str]
    a: ExactScores
    b: ExactScores


@dataclass(frozen=True, eq=False)
class ComparisonResult:
    """A release beside the records that it is about."""

    choice: CompareChoice
    release: ComparisonRelease
    pair: Pair
    noise: str

    @property
    def true_difference(self) -> float:
        """Exact AUC of B less that of A."""
        return self.pair.b.auc - self.pair.a.auc


def score_columns(read: Predictions) -> list[str]:
    """The models of a file, in the order of its columns."""
    if read.roles is None or read.parsed is None:
        return []
    return sorted(read.roles.scores, key=read.names.index)


def pair_of(columns: PredictionColumns, a: str, b: str) -> Pair:
    """Both models' scores; a record without one of the two counts for neither."""
    both = np.isfinite(columns.scores[a]) & np.isfinite(columns.scores[b])
    positive = columns.label[both] == 1
    one, other = (ExactScores(positive, columns.scores[name][both]) for name in (a, b))
    return Pair((a, b), one, other)


def run(
    choice: CompareChoice, pair: Pair, *, study: Workflow, ledger: Ledger, part: Part | None
) -> ComparisonResult:
    """Release the difference."""
    release = private_model_comparison(
        pair.a.positive,
        pair.a.scores,
        pair.b.scores,
        epsilon=choice.epsilon,
        neighbors=study.neighbors,
        noise=study.evaluation_noise.source("comparison"),
        ledger=ledger,
        part=part,
    )
    return ComparisonResult(choice, release, pair, str(study.evaluation_noise))


def figures(result: ComparisonResult) -> list[tuple[str, str, str]]:
    """The difference and both areas: label, value, explanation."""
    release, pair = result.release, result.pair
    here, there = (
        f"{signed(low)} to {signed(high)}"
        for low, high in (release.interval, release.population_interval)
    )
    share = level(release.confidence)
    areas = (("A", release.auc_a, pair.a.auc), ("B", release.auc_b, pair.b.auc))
    return [
        (
            "B less A, private",
            signed(release.difference),
            f"these records {here}; people like these {there}; {share}",
        ),
        ("True difference", signed(result.true_difference), "exact, of these records"),
        *(
            (f"AUC of model {name}, private", rate(private), f"true {rate(true)}")
            for name, private, true in areas
        ),
    ]


def picture(result: ComparisonResult, theme: Theme) -> Picture:
    """The difference with both intervals, beside the true one."""
    release = result.release
    row = EstimateRow(
        name="B less A",
        value=release.difference,
        interval=release.interval,
        population_interval=release.population_interval,
        true=result.true_difference,
    )
    farthest = max(map(abs, (*release.population_interval, *release.interval)))
    half = next((width for width in _WIDTHS if farthest <= width), 1.0)
    return estimates_picture(
        [row],
        theme=theme,
        what="AUC of B less AUC of A",
        limits=(-half, half),
        name="comparison",
        band_names=band_names(release.confidence),
        zero=True,
    )


def true_curves(pair: Pair, theme: Theme) -> Picture:
    """Both exact curves, solid: nothing here is private."""
    names = [f"{name}, true: {literal(one)}" for name, one in zip("AB", pair.names, strict=True)]
    frame = roc_methods_picture({}, theme=theme)
    one, other = (
        true_trace(*scores.curve, theme, name)
        for scores, name in zip((pair.a, pair.b), names, strict=True)
    )
    other["line"] = {**other["line"], "color": theme.text, "width": 1.5}
    return Picture(
        name="true-curves",
        alt=(
            f"Exact ROC curves of two models, both solid: A, {pair.names[0]}, thick, and "
            f"B, {pair.names[1]}, thin. They are not private."
        ),
        data=[one, {**other, "legendrank": 2}],
        layout={
            **frame.layout,
            "uirevision": "true-curves",
            "annotations": stamp(theme, True, exact=True),
        },
        height=frame.height,
    )


def files(result: ComparisonResult, whole: WorkflowResult) -> list[File]:
    """What can be taken away."""
    charges, title = result.release.charges, "Two models compared"

    def document() -> str:
        told = {
            "simulation": True,
            "study": study_as_json(whole.config),
            "models": dict(zip("AB", result.pair.names, strict=True)),
            "comparison": json.loads(result.release.to_json()),
            "truth": {
                "auc_a": result.pair.a.auc,
                "auc_b": result.pair.b.auc,
                "difference": result.true_difference,
            },
        }
        return json.dumps(told, indent=1, ensure_ascii=False) + "\n"

    def report() -> str:
        boxes = ("", "value", ""), figures(result)
        return figure_report(
            title,
            result.release.verdict,
            lambda theme: picture(result, theme),
            {"Figures": boxes},
            whole,
            charges,
        )

    return [
        ("JSON", "comparison-simulation.json", "application/json", document),
        ("HTML", "comparison-simulation.html", "text/html", report),
    ]
