"""One study as a report: figures, tables and the account of privacy in a single HTML file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

import numpy as np

from dpcore import __version__
from dpcore.figures.features import features_picture
from dpcore.figures.numbers import band_names, interval
from dpcore.figures.picture import Picture
from dpcore.figures.report_page import figure, page, section, table
from dpcore.figures.roc import roc_picture, true_trace
from dpcore.figures.scores import scores_picture
from dpcore.figures.theme import DARK, LIGHT, Theme
from dpcore.figures.thin import thin
from dpcore.postprocess.monotone import nothing_said
from dpcore.privacy.loss import shown
from dpcore.registry import Method
from dpcore.study import Performance, WorkflowResult, digest, methods, to_json
from dpcore.study.peers import REFERENCE_IN_FULL

__all__ = ["report_html"]


def report_html(result: WorkflowResult, *, title: str | None = None) -> str:
    """Draw a result as one self-contained HTML file.

    Parameters
    ----------
    result : WorkflowResult
    title : str, optional
        In place of the study's own title.

    Returns
    -------
    str
        HTML with the drawing library inside: it opens without a network, in light and dark, and
        every figure has words and a table. It holds no time stamp: equal results give equal files.
    """
    heading = title or result.config.title or "A study"
    parts = [
        _opening(heading, result),
        _curves(result),
        _features(result),
        _models(result),
        _privacy(result),
        _provenance(result),
    ]
    return page(heading, [part for part in parts if part])


def _opening(heading: str, result: WorkflowResult) -> str:
    config = result.config
    if result.simulated:
        stamp = "SIMULATION"
        note = (
            f"The noise comes from seed {' and '.join(map(str, config.seeds))}, which anyone can "
            "repeat, and exact figures of the data are shown: this is not a private release."
        )
    else:
        stamp = f"PRIVATE RELEASE, {result.total}"
        note = (
            "Every figure is a released value. The guarantee is for "
            f"{config.neighbors.words}, and covers this report as a whole."
        )
    return (
        f"<header>\n<h1>{escape(heading)}</h1>\n"
        f'<p><span class="stamp">{escape(stamp)}</span></p>\n'
        f'<p class="lead">{escape(_headline(result))}</p>\n'
        f'<p class="note">{escape(note)}</p>\n</header>'
    )


def _headline(result: WorkflowResult) -> str:
    roc, epsilon = result.roc, shown(result.config.epsilon.evaluation)
    if roc.says_nothing:
        words = nothing_said("this curve", "any AUC", epsilon)
        true = "" if result.truth is None else f" The true one is {result.truth.model.auc:.3f}."
        return f"{words}{true}"
    text = f"At epsilon {epsilon} the private AUC is {roc.auc:.3f}{_interval(result)}"
    if result.truth is None:
        return f"{text}."
    truth, area = result.truth.model, f"the area between the two curves is {result.truth.area:.4f}"
    return " ".join(
        [f"{text}; the true one is {truth.auc_words}, and {area}.", truth.merged]
    ).rstrip()


def _interval(result: WorkflowResult) -> str:
    if result.roc.auc_interval is None:
        return ""
    low, high = result.roc.auc_interval
    return f" ({interval(low, high, result.config.evaluation.confidence)})"


def _curves(result: WorkflowResult) -> str:
    roc, truth = result.roc, result.truth

    def draw(theme: Theme) -> Picture:
        true = None if truth is None else true_trace(truth.fpr, truth.tpr, theme)
        return roc_picture(
            roc.fpr,
            roc.tpr,
            theme=theme,
            truth=true,
            band=roc.envelope,
            band_name=band_names(roc.confidence)[0],
            simulated=result.simulated,
        )

    fpr, tpr = thin(roc.fpr, roc.tpr)
    method = methods.evaluator(result.config.evaluation.method)
    points = [[float(x), float(y)] for x, y in zip(fpr, tpr, strict=True)]
    return section(
        "ROC curve",
        _both(draw),
        _details(
            f"Points of the released curve ({len(points)})",
            table(["false positive rate", "true positive rate"], points),
        ),
        _method(method, result.config.evaluation.parameters),
    )


def _features(result: WorkflowResult) -> str:
    if result.selection is None:
        return ""
    names, chosen = result.feature_names, result.selected_names
    parts = [
        _method(
            methods.selector(result.config.selection.method), result.config.selection.parameters
        )
    ]
    if result.selection.scores is not None:
        parts.insert(0, _both(lambda theme: _feature_scores(result, theme)))
    listed = f"<p>{escape(', '.join(chosen))}</p>"
    said = "All features were kept" if len(chosen) == len(names) else "Features that were kept"
    parts.append(_details(f"{said} ({len(chosen)} of {len(names)})", listed))
    return section("Selected features", *parts)


def _feature_scores(result: WorkflowResult, theme: Theme) -> Picture:
    assert result.selection is not None
    scores = np.asarray(result.selection.scores, dtype=np.float64)
    # Numeric features are kept without a score.
    scored = np.flatnonzero(np.isfinite(scores))
    return features_picture(
        [result.feature_names[index] for index in scored],
        scores[scored],
        np.flatnonzero(np.isin(scored, result.selection.selected)),
        theme=theme,
        score_name=str(result.config.selection.parameters["score"]),
        simulated=result.simulated,
    )


def _models(result: WorkflowResult) -> str:
    config, truth = result.config, result.truth
    parts = []
    if truth is not None:
        alone = truth.noise_free is None
        rows = [_row("scored model" if alone else "private model", truth.model)]
        if truth.noise_free is not None:
            rows.append(_row("the same model with the noise off", truth.noise_free))
        if truth.reference is not None:
            rows.append(_row(f"to compare: {REFERENCE_IN_FULL}", truth.reference))
        parts.append(_both(lambda theme: _scores(result, truth.model, theme)))
        parts.append(table(["on the test part", "AUC", "accuracy"], rows))
        left_out = truth.model.scores.left_out
        lacking = f" {left_out:,} lack a declared label or a usable score." if left_out else ""
        parts.append(
            f'<p class="note">{truth.n_train:,} records to train, {truth.n_test:,} to test.'
            f"{lacking}</p>"
        )
    if config.trains:
        method = methods.trainer(config.model.kind, config.model.method)
        parts.append(_method(method, config.model.parameters))
    return section("Model", *parts) if parts else ""


def _scores(result: WorkflowResult, performance: Performance, theme: Theme) -> Picture:
    names = "negative", "positive"
    if result.schema is not None:
        label = result.schema.label
        others = " or ".join(name for name in label.classes if name != label.positive)
        names = others, label.positive
    return scores_picture(performance.scores, theme=theme, names=names)


def _row(name: str, performance: Performance) -> list[str | float]:
    return [name, performance.auc, "" if performance.accuracy is None else performance.accuracy]


def _privacy(result: WorkflowResult) -> str:
    rows = [
        [
            charge.label,
            charge.mechanism,
            str(charge.part) if charge.part else "all records",
            charge.loss.short,
        ]
        for charge in result.charges
    ]
    return section(
        "Privacy ledger",
        table(["for", "mechanism", "records", "epsilon"], rows),
        f"<p>{escape(result.composition)}</p>",
        f'<p class="note">Losses count {escape(result.config.neighbors.words)}.</p>',
    )


def _provenance(result: WorkflowResult) -> str:
    data = (
        result.data_digest or "not written: a digest would let a reader check guesses at the data"
    )
    rows = [
        ["dpcore", __version__],
        ["study, SHA-256", digest(result.config)],
        ["data", data],
        *([["schema, SHA-256", result.schema.digest()]] if result.schema else []),
        ["noise", str(result.config.noise)],
    ]
    study = f"<pre>{escape(to_json(result.config))}</pre>"
    return section("Provenance", table(["what", "value"], rows), _details("The study file", study))


def _both(draw: Callable[[Theme], Picture]) -> str:
    return figure(draw(LIGHT), draw(DARK))


def _details(summary: str, content: str) -> str:
    return f"<details>\n<summary>{escape(summary)}</summary>\n{content}\n</details>"


def _method(method: Method, parameters: Mapping[str, int | float | str]) -> str:
    listed = ", ".join(f"{name} {value}" for name, value in parameters.items())
    settings = f" ({listed})" if listed else ""
    verdict = f"{method.guarantee.word}: {method.guarantee.reason}."
    reference = f" Reference: {method.reference}." if method.reference else ""
    words = f"{method.title}{settings}. {method.summary} {verdict}{reference}"
    return f'<p class="note">{escape(words)}</p>'
