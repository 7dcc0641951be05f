"""What a run found, in a few lines of plain text."""

from __future__ import annotations

from dpcore.figures.numbers import interval
from dpcore.study import Performance, WorkflowResult
from dpcore.study.peers import REFERENCE

__all__ = ["summary"]


def summary(result: WorkflowResult) -> str:
    """Say what was found and what it cost.

    Parameters
    ----------
    result : WorkflowResult

    Returns
    -------
    str
        A few lines; exact figures only for a simulation.
    """
    return "\n".join(f"{name:<17}{text}" for name, text in _lines(result))


def _lines(result: WorkflowResult) -> list[tuple[str, str]]:
    roc, config, truth = result.roc, result.config, result.truth
    lines = [
        ("noise", f"simulation ({config.noise}); not a private release")
        if result.simulated
        else ("noise", "the system's entropy; a private release"),
        ("private curve", f"AUC {roc.auc:.3f}{_interval(result)}"),
    ]
    if truth is not None:
        words = f"AUC {truth.model.auc_words}; {truth.area:.4f} between the two"
        lines.append(("true curve", words))
        if truth.model.merged:
            lines.append(("public cells", truth.model.merged))
        if truth.model.scores.left_out:
            rows = f"{truth.model.scores.left_out:,} rows"
            lines.append(("left out", f"{rows} without a declared label or a usable score"))
        if truth.noise_free is not None and truth.reference is not None:
            lines += [
                ("private model", _performance(truth.model)),
                ("the noise off", f"{_performance(truth.noise_free)} (the same model)"),
                ("reference", f"{_performance(truth.reference)} ({REFERENCE})"),
            ]
    if config.selects:
        lines.append(
            ("features", f"{len(result.selected_names)} of {len(result.feature_names)} chosen")
        )
    lines.append(("privacy", f"{result.total} ({config.neighbors.words})"))
    return lines


def _interval(result: WorkflowResult) -> str:
    if result.roc.auc_interval is None:
        return ""
    low, high = result.roc.auc_interval
    nothing = "; it says nothing at this epsilon" if result.roc.says_nothing else ""
    return f" ({interval(low, high, result.config.evaluation.confidence)}{nothing})"


def _performance(performance: Performance) -> str:
    accuracy = "" if performance.accuracy is None else f", accuracy {performance.accuracy:.3f}"
    return f"test AUC {performance.auc:.3f}{accuracy}"
