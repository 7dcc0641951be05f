"""A result as a report: figures, tables and the account of privacy in a single HTML file."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from dpcore import __version__
from dpcore._numbers import interval
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import ecdf_of_scores, true_calibration
from dpcore.evaluation.decisions.confusion import true_cells
from dpcore.evaluation.ecdf.api import SIDES
from dpcore.evaluation.score_evaluation import EVALUATIONS, ScoreEvaluation
from dpcore.figures import DARK, LIGHT, Picture, Theme, scores_picture, thin
from dpcore.figures.export import figure, page, section, table
from dpcore.privacy import Charge, Loss, Neighbors, composition
from dpcore.publications import calibration, ecdf, features, publication, roc
from dpcore.publications.publication import Found, charge_rows
from dpcore.registry import Method
from dpcore.study import Performance, Workflow, WorkflowResult, digest, sections, to_json
from dpcore.study.baselines import REFERENCE_IN_FULL

Table = tuple[Sequence[str], Sequence[Sequence[str]]]


def report_html(result: WorkflowResult) -> bytes:
    """Draw a result as one self-contained HTML file.

    Returns
    -------
    bytes
        HTML with the drawing library inside: it opens without a network, in light and dark, and
        every figure has words and a table. It holds no time stamp: equal results give equal files.
    """
    heading, found = _title(result), roc.of_study(result)
    note = _repeatable(result.config)
    if not result.simulated:
        note = (
            "Every figure is a released value. The guarantee is for "
            f"{result.config.neighbors.words}, and covers this report as a whole."
        )
    parts = [
        _opening(heading, publication("roc").headline(found), result.simulated, result.total, note),
        _roc(found, _between(result), _evaluator(result)),
        _features(result),
        _models(result),
        _privacy(result.charges, result.config.neighbors),
        _provenance(result),
    ]
    return page(heading, [part for part in parts if part])


def _title(result: WorkflowResult) -> str:
    """What the study is called, or its data are: by their schema, else by the name of the file."""
    data, schema = result.config.data, result.schema
    file = Path(data.predictions or data.file or data.sample or "").name
    return result.config.title or (schema.title if schema else "") or file


def figure_report(
    title: str,
    sentence: str,
    draw: Callable[[Theme], Picture],
    tables: Mapping[str, Table],
    result: WorkflowResult,
    charges: Sequence[Charge],
) -> bytes:
    """One figure of a simulation with its tables, and the account of the study with its charges."""
    every, config = (*result.charges, *charges), result.config
    return page(
        title,
        [
            _opening(title, sentence, True, result.total, _repeatable(config)),
            _both(draw),
            *(section(name, table(header, rows)) for name, (header, rows) in tables.items()),
            _privacy(every, config.neighbors),
            section("The study file", f"<pre>{escape(to_json(config))}</pre>"),
        ],
    )


def score_report_html(found: ScoreEvaluation) -> bytes:
    """Draw releases about counted scores; equal evaluations give equal texts."""
    note = "Every figure is a released value."
    if found.simulated:
        note = (
            f"The noise comes from seed {found.seed}: this is not a private release. What is "
            "called true is counted on the public cells, which merge scores with log-odds beyond "
            "±20."
        )
    title, ledger = "Predictions", found.ledger
    parts = [
        _opening(title, headline(found), found.simulated, ledger.spent, note, _left_out(found)),
        "" if found.roc is None else _roc(of_scores(found, "roc")),
        *(
            _decision(what, of_scores(found, what))
            for what in ("auc", "threshold", "groups", "compare", "classes")
            if getattr(found, what) is not None
        ),
        "" if found.ecdf is None else _ecdf(of_scores(found, "ecdf")),
        "" if found.calibration is None else _calibration(of_scores(found, "calibration")),
        _privacy(ledger.charges, ledger.neighbors),
        f'<p class="note">Made by dpcore {__version__}.</p>',
    ]
    return page(title, [part for part in parts if part])


def headline(found: ScoreEvaluation) -> str:
    """What counted scores say, in one sentence."""
    match found.truth and (bool(found.truth.n_positive), bool(found.truth.n_negative)):
        case (False, False):
            return "No row has a label and a usable score: check the columns."
        case (False, True):
            return "No row is positive: check which label is."
        case (True, False):
            return "Every row is positive: check which label is."
    said = ("auc", "roc", "compare", "groups", "classes", "threshold", "ecdf", "calibration")
    what = next(name for name in said if getattr(found, name) is not None)
    return publication(what).headline(of_scores(found, what))


def of_scores(found: ScoreEvaluation, what: str) -> Found:
    """One release of counted scores; its truth is what the public cells show."""
    release = getattr(found, what)
    # Each has an equal share of what all cost together.
    shares = sum(getattr(found, name) is not None for name in EVALUATIONS)
    return Found(
        release=ecdf.ClassCurves(*release) if what == "ecdf" else release,
        epsilon=found.ledger.spent.epsilon / shares,
        noise="system" if found.seed is None else f"seed:{found.seed}",
        truth=None if found.truth is None else _exact(found.truth, what, release),
        scale=found.scale,
    )


def _exact(truth: ScoreHistogram, what: str, release: Any) -> object:
    """What the public cells show without noise; of groups, models and classes nothing is known."""
    match what:
        case "roc" | "auc":
            return roc.TrueCurve.on_cells(truth)
        case "threshold":
            return true_cells(truth, release.threshold)
        case "ecdf":
            sizes, points = (truth.n_negative, truth.n_positive), release[0].grid.size
            return tuple(
                ecdf_of_scores(truth, side, points=points).cdf if size else None
                for side, size in zip(SIDES, sizes, strict=True)
            )
        case "calibration" if truth.n_positive + truth.n_negative:
            return true_calibration(truth, edges=release.table.edges)
    return None


def _decision(what: str, found: Found) -> str:
    """One of the numbers that a decision needs, with its figure and its table."""
    one = publication(what)
    assert one.picture is not None
    header, rows = one.table(found)
    cells = [["" if cell is None else cell for cell in row] for row in rows]
    return section(
        one.title,
        f"<p>{escape(one.headline(found))}</p>",
        _both(partial(one.picture, found)),
        _details("Table", table([str(name) for name in header], cells)),
    )


def _opening(heading: str, sentence: str, simulated: bool, total: Loss, *notes: str) -> str:
    stamp = "SIMULATION" if simulated else f"PRIVATE RELEASE, {total}"
    said = "\n".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    return (
        f"<header>\n<h1>{escape(heading)}</h1>\n"
        f'<p><span class="stamp">{escape(stamp)}</span></p>\n'
        f'<p class="lead">{escape(sentence)}</p>\n{said}\n</header>'
    )


def _repeatable(config: Workflow) -> str:
    return (
        f"The noise comes from seed {' and '.join(map(str, config.seeds))}, which anyone can "
        "repeat, and exact figures of the data are shown: this is not a private release."
    )


def _left_out(found: ScoreEvaluation) -> str:
    """What became of rows without a label or a usable score, whose number is private."""
    many = "How many rows had no label or no usable score is private, and was not released;"
    if found.truth is not None:
        many = f"Rows without a label or a usable score: {found.truth.left_out:,};"
    if found.ledger.neighbors is Neighbors.REPLACE:
        return f"{many} each counts as negative, with the lowest score."
    return f"{many} they are left out."


def _roc(found: Found, *others: str) -> str:
    fpr, tpr = thin(found.release.fpr, found.release.tpr)
    points = [[float(x), float(y)] for x, y in zip(fpr, tpr, strict=True)]
    rows = table(["false positive rate", "true positive rate"], points)
    return section(
        "ROC curve",
        _both(lambda theme: roc.picture(found, theme)),
        _details(f"Points of the released curve ({len(points)})", rows),
        *others,
    )


def _between(result: WorkflowResult) -> str:
    """How far the two curves are apart, and what it costs that cells merge scores."""
    if result.truth is None:
        return ""
    words = f"The area between the two curves is {result.truth.area:.4f}."
    return f"<p>{escape(f'{words} {result.truth.model.merged}'.rstrip())}</p>"


def _evaluator(result: WorkflowResult) -> str:
    told = result.config.evaluation
    return _method(sections.evaluator(told.method), told.parameters)


def _ecdf(found: Found) -> str:
    curves = (found.release.negatives, found.release.positives)
    grid, at = curves[0].grid, np.linspace(0.1, 1.0, 10)
    place = np.minimum(np.searchsorted(grid, at), grid.size - 1)
    shares = [
        [float(score), *(float(curve.cdf[index]) for curve in curves)]
        for score, index in zip(at, place, strict=True)
    ]
    header = ["score at most", *(f"share of {name}" for name in found.classes)]
    return section(
        "Distribution of scores",
        _both(lambda theme: ecdf.picture(found, theme)),
        _details("Table", table(header, shares)),
    )


def _calibration(found: Found) -> str:
    release = found.release
    rows: list[list[str | float]] = [
        ["trend in calibration", release.trend_statistic, release.trend_p_value],
        ["Hosmer-Lemeshow, corrected for the noise", release.statistic, release.p_value],
    ]
    low, high = release.calibration_error_interval
    within = interval(low, high, release.confidence, digits=4)
    error = (
        f"Calibration error {release.calibration_error:.4f}, {within}; a perfectly calibrated "
        f"model shows about {release.table.error_by_chance:.4f} by sampling alone."
    )
    return section(
        "Calibration",
        _both(lambda theme: calibration.picture(found, theme)),
        table(["test", "statistic", "p-value"], rows),
        f"<p>{escape(error)}</p>",
    )


def _features(result: WorkflowResult) -> str:
    if result.selection is None:
        return ""
    told, found = result.config.selection, features.of_study(result)
    parts = []
    if found.scores is not None:
        name = str(told.parameters["score"])
        parts.append(_both(lambda theme: features.picture(found, theme, score_name=name)))
    parts.append(_method(sections.selector(told.method), told.parameters))
    listed = f"<p>{escape(', '.join(found.selected))}</p>"
    every = len(found.selected) == len(found.features)
    said = "All features were kept" if every else "Features that were kept"
    parts.append(_details(f"{said} ({len(found.selected)} of {len(found.features)})", listed))
    return section("Selected features", *parts)


def _models(result: WorkflowResult) -> str:
    config, truth = result.config, result.truth
    parts = []
    if truth is not None:
        own = "scored model" if truth.noise_free is None else "private model"
        names = own, "the same model with the noise off", f"to compare: {REFERENCE_IN_FULL}"
        models = zip(names, (truth.model, truth.noise_free, truth.reference), strict=True)
        told = [(name, one.auc, one.accuracy) for name, one in models if one is not None]
        rows = [[name, auc, "" if right is None else right] for name, auc, right in told]
        parts.append(_both(lambda theme: _scores(result, truth.model, theme)))
        parts.append(table(["on the test part", "AUC", "accuracy"], rows))
        words = f"{truth.n_train:,} records to train, {truth.n_test:,} to test."
        if left_out := truth.model.scores.left_out:
            words += f" {left_out:,} lack a declared label or a usable score."
        parts.append(f'<p class="note">{words}</p>')
    if config.trains:
        method = sections.trainer(config.model.kind, config.model.method)
        parts.append(_method(method, config.model.parameters))
    return section("Model", *parts) if parts else ""


def _scores(result: WorkflowResult, performance: Performance, theme: Theme) -> Picture:
    names = "negative", "positive"
    if result.schema is not None:
        label = result.schema.label
        others = " or ".join(name for name in label.classes if name != label.positive)
        names = others, label.positive
    return scores_picture(performance.scores, theme=theme, names=names)


def _privacy(charges: Iterable[Charge], neighbors: Neighbors) -> str:
    every = tuple(charges)
    return section(
        "Privacy ledger",
        table(["for", "mechanism", "records", "epsilon"], charge_rows(every)),
        f"<p>{escape(composition(every, neighbors))}</p>",
        f'<p class="note">Losses count {escape(neighbors.words)}.</p>',
    )


def _provenance(result: WorkflowResult) -> str:
    why_not = "not written: a digest would let a reader check guesses at the data"
    rows = [
        ["dpcore", __version__],
        ["study, SHA-256", digest(result.config)],
        ["data", result.data_digest or why_not],
        *([["schema, SHA-256", result.schema.digest()]] if result.schema else []),
        ["noise", str(result.config.noise)],
    ]
    study = f"<pre>{escape(to_json(result.config))}</pre>"
    return section("Provenance", table(["what", "value"], rows), _details("The study file", study))


def _both(draw: Callable[[Theme], Picture | None]) -> str:
    light, dark = draw(LIGHT), draw(DARK)
    assert light is not None
    assert dark is not None
    return figure(light, dark)


def _details(summary: str, content: str) -> str:
    return f"<details>\n<summary>{escape(summary)}</summary>\n{content}\n</details>"


def _method(method: Method, parameters: Mapping[str, int | float | str]) -> str:
    listed = ", ".join(f"{name} {value}" for name, value in parameters.items())
    settings = f" ({listed})" if listed else ""
    verdict = f"{method.guarantee.word}: {method.guarantee.reason}."
    reference = f" Reference: {method.reference}." if method.reference else ""
    words = f"{method.title}{settings}. {method.summary} {verdict}{reference}"
    return f'<p class="note">{escape(words)}</p>'
