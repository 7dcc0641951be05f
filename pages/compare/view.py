"""Two models on the same records: the release beside the truth, its figures and its words."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpcore._numbers import ANY, level, rate, signed, telling_digits
from dpcore.data.reading import Predictions
from dpcore.data.reading.predictions import PredictionColumns
from dpcore.evaluation import ExactScores, private_model_comparison
from dpcore.figures import Picture, Theme, true_trace
from dpcore.figures.picture import LONGEST_ENTRY, shortened
from dpcore.figures.roc import over_rates
from dpcore.privacy import Charge, shown
from dpcore.publications.contrasts import comparison_picture
from dpcore.study import Workflow, WorkflowResult, from_json, run_workflow, to_json
from dpcore.study.python import Expression, Script
from dpcore.study.stages import Goal
from pages.compare.choices import CompareChoice, other_study
from pages.session import open_data, state
from pages.session.open_data import Opened
from pages.widgets import model_words, python_code, score_pages

# Names the stream of its noise. Of the usual seed it is a typical one on nearly any data: off by
# about 0.25 of the half-width, where half of all draws are off by less than 0.30.
STAGE = "difference of AUCs"


@dataclass(frozen=True, eq=False)
class Pair:
    """The scores of two models (private), of the records that have both."""

    names: tuple[str, str]
    a: ExactScores
    b: ExactScores
    # Of the training of the second, where it is trained for the page.
    charges: tuple[Charge, ...] = ()


# The truth are both exact AUCs.
ComparisonResult = score_pages.Result[CompareChoice]


def pair_of(columns: PredictionColumns, a: str, b: str) -> Pair:
    """Both models' scores; a record without one of the two counts for neither."""
    both = np.isfinite(columns.scores[a]) & np.isfinite(columns.scores[b])
    positive = columns.label[both] == 1
    one, other = (ExactScores(positive, columns.scores[name][both]) for name in (a, b))
    return Pair((a, b), one, other)


def trained(study: str, opened: Opened) -> WorkflowResult:
    """Train the model of another study, and score the same test records; nothing is released."""
    config = from_json(study)
    charges = tuple(one for one in config.charges if one.label != "evaluation")
    return run_workflow(config, data=opened.records, goal=Goal(charges=charges))


def pair_of_studies(one: WorkflowResult, other: WorkflowResult) -> Pair:
    """Two models on the test records of one split."""
    names = _named(one.config), _named(other.config)
    return Pair(names, one.tested.exact, other.tested.exact, other.charges)


def result_of(
    choice: CompareChoice, whole: WorkflowResult
) -> tuple[ComparisonResult, WorkflowResult]:
    """Release the difference of two score columns, or of the model of the Model page and another.

    The other one is trained for this page, and charged; a file may have fewer columns than chosen.
    """
    read = open_data.current().records
    if isinstance(read, Predictions):
        a, b = choice.among(len(read.models))
        columns = read.models[a - 1], read.models[b - 1]
        pair = state.cached("compared models", pair_of, read.parsed, *columns)
        choice = replace(choice, a=a, b=b)
    else:
        told = to_json(other_study(whole.config, choice.other)), open_data.current()
        pair = pair_of_studies(whole, state.cached("other trained model", trained, *told))
    return score_pages.released(run, whole)(choice, pair), whole


def _named(study: Workflow) -> str:
    kind = model_words.IN_WORDS[study.model.kind]
    return f"{kind}, epsilon {shown(study.epsilon.training)} to train"


def of_both(study: Workflow, names: tuple[str, str]) -> Workflow:
    """The study that reads the scores of both models, where a file has them."""
    read = open_data.current().records
    if not isinstance(read, Predictions):
        return study
    columns = {"label": read.columns[0], "score": names[0], "score_b": names[1]}
    return replace(study, data=replace(study.data, **columns))


def code(result: ComparisonResult, study: Workflow) -> Script:
    """The lines that release the difference of two columns, or of two models trained here."""
    study = of_both(study, result.records.names)
    if study.data.score_b is None:
        script = true_code(result, study)
        scores = [Expression(text) for text in ("a.positive", "a.scores", "b.scores")]
    else:
        script = python_code.of_study(study)
        scores = [Expression("result.tested.models")]
    told = score_pages.asked(result.choice, study, "epsilon") | {"noise": python_code.noise(STAGE)}
    release = script.call(private_model_comparison, *scores, **told)
    return python_code.written("comparison", script, release=release)


def true_code(result: ComparisonResult, study: Workflow) -> Script:
    """The lines that have the exact scores of both models, and their curves."""
    study = of_both(study, result.records.names)
    if study.data.score_b is None:
        script = python_code.of_study(study)
        script.other(study, other_study(study, result.choice.other))
        return python_code.written("two trained models", script)
    script = python_code.begun(study)
    python_code.table(script, study.data)
    return python_code.written("two models of a file", script)


def run(choice: CompareChoice, pair: Pair, *, study: Workflow, **account: Any) -> ComparisonResult:
    """Release the difference, charged to an account."""
    told = score_pages.asked(choice, study, "epsilon")
    told |= {"noise": study.evaluation_noise.source(STAGE)}
    scores = pair.a.positive, pair.a.scores, pair.b.scores
    release = private_model_comparison(*scores, **account, **told)
    return ComparisonResult.of(choice, release, (pair.a.auc, pair.b.auc), study, pair)


def figures(result: ComparisonResult) -> list[tuple[str, str, str]]:
    """The difference and both areas: label, value, explanation."""
    release, (a, b) = result.release, result.truth
    told = {"digits": telling_digits(*release.interval)}
    here, there = (
        f"{signed(low, **told)} to {signed(high, **told)}"
        for low, high in (release.interval, release.population_interval)
    )
    difference = ANY if release.says_nothing else signed(release.difference, **told)
    share = level(release.confidence)
    areas = (("A", release.auc_a, a), ("B", release.auc_b, b))
    return [
        (
            "B less A, private",
            difference,
            f"these records {here}; people like these {there}; {share}",
        ),
        ("True difference", signed(b - a, **told), "exact, of these records"),
        *(
            (
                f"AUC of model {name}, private",
                ANY if release.says_nothing else rate(private),
                f"rougher than the difference; true {rate(true)}",
            )
            for name, private, true in areas
        ),
    ]


def picture(result: ComparisonResult, theme: Theme) -> Picture:
    """The difference with both intervals, beside the true one."""
    return comparison_picture(result.found, theme)


def true_curves(pair: Pair, theme: Theme) -> Picture:
    """Both exact curves, solid: nothing here is private."""
    # Names of a file fit into the plot on a telephone; models trained here keep their whole names.
    names = [shortened(name, LONGEST_ENTRY if pair.charges else 32, 14) for name in pair.names]
    one = true_trace(*pair.a.curve, theme, f"A, true: {names[0]}")
    other = true_trace(*pair.b.curve, theme, f"B, true: {names[1]}")
    other["line"] = {**other["line"], "color": theme.text, "width": 1.5}
    words = (
        f"Exact ROC curves of two models, both solid: A, {pair.names[0]}, thick, and "
        f"B, {pair.names[1]}, thin. They are not private."
    )
    return over_rates("true-curves", words, [one, {**other, "legendrank": 2}], theme, exact=True)


def files(result: ComparisonResult, whole: WorkflowResult) -> list[score_pages.File]:
    """What can be taken away."""
    names, (a, b) = result.records.names, result.truth
    truth = {"auc_a": a, "auc_b": b, "difference": b - a}
    truth["models"] = dict(zip("AB", names, strict=True))
    whole = replace(whole, config=of_both(whole.config, names))
    told = result, whole, picture, {"Figures": (("", "value", ""), figures(result))}, truth
    return score_pages.files_of("compare", "Two models compared", *told)
