"""``python -m dpcore run``: a study file in, a report out.

Run a study: choose features, train, score and evaluate. These files come out:

  report.html   figures and tables in one file that opens anywhere
  result.json   the released curve and features, every charge, and the study
  roc.csv       the released curve as a table; of a simulation the true one too
  model.json    the trained private model, for from_json of DPClassifier,
                DPNaiveBayes or DPLogisticRegression; absent for predictions

Paths in the study file start from its folder, paths on the command line from
the working directory. Progress goes to standard error, a summary to standard
output. The dashboard gives the same numbers for the same study.

With "noise": "seed:7" the run is a simulation: it repeats exactly, and the
report shows the true curve beside the released one, and is stamped so. With
"noise": "system" the run is a private release: every run draws again and
spends again, and no exact figure of the data is written. No stored ledger
counts it: where a budget is set, `release` charges it.
"""

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpcore._numbers import interval
from dpcore.cli import program
from dpcore.cli.program import UsageError
from dpcore.publications import publication, roc
from dpcore.publications.report import report_html
from dpcore.study import DataSource, Performance, Workflow, WorkflowResult, from_json, run_workflow
from dpcore.study.baselines import REFERENCE
from dpcore.study.sources import open_source


def summary(result: WorkflowResult) -> str:
    """Say what was found and what it cost.

    Returns
    -------
    str
        A few lines; exact figures only for a simulation.
    """
    return "\n".join(f"{name:<17}{text}" for name, text in _lines(result))


def _lines(result: WorkflowResult) -> list[tuple[str, str]]:
    config, truth = result.config, result.truth
    lines = [
        ("noise", f"simulation ({config.noise}); not a private release")
        if result.simulated
        else ("noise", f"the system's entropy; a private release: {program.UNCOUNTED}"),
        ("private curve", f"AUC {result.roc.auc:.3f}{_interval(result)}"),
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
        chosen = f"{len(result.selected_names)} of {len(result.feature_names)} chosen"
        lines.append(("features", chosen))
    lines.append(("privacy", f"{result.total} ({config.neighbors.words})"))
    return lines


def _interval(result: WorkflowResult) -> str:
    if result.roc.auc_interval is None:
        return f" ({roc.NO_INTERVAL})"
    low, high = result.roc.auc_interval
    nothing = "; it says nothing at this epsilon" if result.roc.says_nothing else ""
    return f" ({interval(low, high, result.config.evaluation.confidence)}{nothing})"


def _performance(performance: Performance) -> str:
    accuracy = "" if performance.accuracy is None else f", accuracy {performance.accuracy:.3f}"
    return f"test AUC {performance.auc:.3f}{accuracy}"


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    program.add_options(parser, "run")


def run(options: Namespace) -> None:
    """Carry the command out."""
    config, folder = _study(options.study)
    source = _overridden(config.data, options.data, options.schema)
    program.check_writable(options.out)
    data, progress = open_source(source, folder).load(), _show_progress
    result = run_workflow(config, data=data, progress=None if options.quiet else progress)
    _write(result, options.out)
    if not options.quiet:
        print(summary(result))
        print(f"report           {options.out / 'report.html'}")


def _study(path: Path) -> tuple[Workflow, Path]:
    """Read a study and the folder that its relative paths start from."""
    text = program.read_file(path, "study", absent="; print one with `example`")
    with program.in_usage(f"{path}: "):
        return from_json(text), path.parent


def _overridden(source: DataSource, data: Path | None, schema: Path | None) -> DataSource:
    """Point a source at other files; those of the command line start from the working folder."""
    if (data or schema) and source.kind == "sample":
        raise UsageError("the study reads a sample; --data and --schema go with a study of a file")
    if schema and source.kind == "predictions":
        raise UsageError("the study reads predictions, which have no schema; leave --schema out")
    changes: dict[str, Any] = {}
    if data:
        changes[source.kind] = str(data.absolute())
    if schema:
        changes["schema"] = str(schema.absolute())
    return replace(source, **changes)


def _write(result: WorkflowResult, folder: Path) -> None:
    files: dict[str, str | bytes] = {
        "result.json": result.to_json(),
        "roc.csv": publication("roc").csv(roc.of_study(result)),
        "report.html": report_html(result),
    }
    if result.model is not None:
        files["model.json"] = result.model.to_json()
    program.write_files(folder, files)


def _show_progress(stage: str, fraction: float) -> None:
    print(f"{fraction:4.0%}  {stage}", file=sys.stderr, flush=True)
