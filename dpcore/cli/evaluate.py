r"""``python -m dpcore evaluate``: files of predictions in, a private report out.

Read the labels and scores of a model from files, and release its ROC curve,
its AUC, its confusion matrix at a threshold, how it does in each group,
whether another model is better, how it tells each class from the rest, the
distribution of its scores, or its calibration. These files come out:

  report.html   figures and tables in one file that opens anywhere
  result.json   everything released, and every charge
  roc.csv       the released ROC curve (of a simulation, the true one too), and
                a table for each of the others; absent if not asked for

The files are counted in one pass at about the speed of reading them, in memory
that does not grow with them, on all processors or, with --scheduler, on a Dask
cluster; one in a zip or gzip file is unpacked into a temporary folder first.
Parquet is read by row groups, text line by line, as `run` and `release` read
it: a quoted cell ends with its line. Every row is read by itself: one without
a label or a usable score is left out (under replace, it is a negative one with
the lowest score), and no row makes the command fail. Only a simulation tells
how many there are.

Labels are compared by what they mean: 1, 1.0, true and "1" are the same. No
row is looked at to find out which is positive. Parquet declares the type of a
column, and a label that it cannot hold is refused, 1 among texts as well. CSV
declares nothing: there a label that no row has leaves its class empty, which
only a simulation tells.

Without --seed the noise is the system's entropy: every run draws again and
spends again, and no exact figure of the data is written. With --seed the run
is a simulation and stamped so: it repeats exactly, and the report shows the
true curve beside the released one.

Some examples:
  python -m dpcore evaluate scores/*.parquet --label y --score p --epsilon 1
  python -m dpcore evaluate scores.csv --label ill --positive yes --score risk \
      --epsilon 1/2 --curves roc,calibration --out report/
  python -m dpcore evaluate scores.csv --label ill --score risk --epsilon 1 \
      --curves auc,threshold,groups,compare --group sex --levels f,m \
      --score-b old_risk
  python -m dpcore evaluate irises.csv --label species --epsilon 1 \
      --classes setosa,versicolor,virginica --class-scores p_s,p_ve,p_vi \
      --curves classes,roc --positive virginica
  python -m dpcore evaluate scores.csv --label y --score p --epsilon 1 \
      --delimiter ";" --decimal , --scale percent
  python -m dpcore evaluate loans.csv --label default --score points \
      --epsilon 1 --scale any --bounds 300 850
  python -m dpcore evaluate /data/predictions --label y --score p --epsilon 1 \
      --scheduler tcp://10.0.0.1:8786 --quiet
"""

import csv
import importlib
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO

import numpy as np

from dpcore import _check
from dpcore.cli.label_types import assumed, check_labels
from dpcore.cli.program import (
    UsageError,
    add_neighbors,
    add_out,
    add_quiet,
    check_writable,
    flag,
    in_usage,
    option,
    write_files,
)
from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.back_end import connected, count_here, count_on_cluster
from dpcore.data.counting.files import PACKED, file_parts, files_named, unpacked
from dpcore.data.counting.score_counter import ScoreCounter
from dpcore.data.reading import Dialect
from dpcore.data.reading.declared_lines import CODECS
from dpcore.data.reading.dialect import MOST_ABOVE
from dpcore.data.reading.prediction_scores import SCALES, ScoreScale
from dpcore.evaluation import roc_methods
from dpcore.evaluation.decisions.groups import group_names
from dpcore.evaluation.decisions.macro_auc import class_names
from dpcore.evaluation.score_evaluation import EVALUATIONS, ScoreEvaluation, evaluate_scores
from dpcore.privacy import Loss
from dpcore.release import open_gate
from dpcore.schema.cells import level_key

_BAR_WIDTH = 30
_FEW_CELLS = 2**11
_OF_TEXT = ("decimal", "encoding", "unnamed", "above", "comment", "commented_header")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    words = "Parquet, CSV or TSV, alone in a zip or gzip file too, or a folder"
    option(parser, "files", "FILE", words, type=Path, nargs="+")
    data = parser.add_argument_group("the data")
    option(data, "--label", "COLUMN", "column of the true class", required=True)
    _configure_scores(data)
    option(data, "--positive", "VALUE", "label of the positive class (default: 1)")
    option(data, "--negative", "VALUE", "label of the other class (default: all other labels)")
    words = "what scores are; of any only the order counts (default: probability)"
    data.add_argument("--scale", choices=SCALES, help=words)
    words = "public ends of the scale any, such as 300 850"
    data.add_argument("--bounds", type=float, nargs=2, metavar=("LO", "HI"), help=words)
    old = ("probability", "percent", "logit")
    data.add_argument("--link", choices=old, help="old name of --scale")
    _configure_text(data)
    _configure_release(parser)
    _configure_run(parser)


def _configure_text(data: Any) -> None:
    words = "between cells of text (default: what the header shows)"
    option(data, "--delimiter", "MARK", words, type=_delimiter)
    words = "decimal mark of text (default: .)"
    data.add_argument("--decimal", choices=(".", ","), default=".", help=words)
    words = f"of text: {', '.join(CODECS)} (default: utf-8)"
    option(data, "--encoding", "NAME", words, choices=tuple(CODECS), default="utf-8")
    words = "cell of each row that the header has no name for, as R writes names of rows"
    data.add_argument("--unnamed", choices=("first", "last"), default="", help=words)
    words = "lines above the header of text, dropped unread (default: none)"
    option(data, "--above", "N", words, type=int, default=0)
    words = "what begins lines of text that are no rows (default: nothing)"
    option(data, "--comment", "MARK", words, default="")
    flag(data, "--commented-header", "the header stands behind that mark, as NumPy writes it")


def _configure_scores(data: Any) -> None:
    words = "column of the score (with --classes: that of the positive class if left out)"
    option(data, "--score", "COLUMN", words)
    option(data, "--score-b", "COLUMN", "another model's score, of the same scale, to compare")
    option(data, "--group", "COLUMN", "column of the groups")
    words = "public names of at most 20 groups, such as f,m; all others are one more"
    option(data, "--levels", "LIST", words)
    option(data, "--classes", "LIST", "public names of 2 to 20 classes, such as low,mid,high")
    option(data, "--class-scores", "LIST", "column of the score of each, in the same order")


def _delimiter(mark: str) -> str:
    """One character; a tab may be written as a backslash and a t."""
    mark = mark.replace("\\t", "\t")
    if len(mark) != 1 or not mark.isascii() or mark in '"\r\n':
        raise ArgumentTypeError("must be one character, such as ; or \\t")
    return mark


def _configure_release(parser: ArgumentParser) -> None:
    release = parser.add_argument_group("the release")
    words = "privacy loss of everything together, such as 1 or 1/3"
    option(release, "--epsilon", "E", words, required=True)
    words = f"some of {','.join(EVALUATIONS)}; epsilon is shared equally (default: roc)"
    option(release, "--curves", "LIST", words, default="roc")
    words = f"of the ROC curve: {', '.join(roc_methods())} (default: quantile-bins)"
    option(release, "--method", "NAME", words, default="quantile-bins")
    words = "a score, not chosen by looking at the data (default: the middle of the scale)"
    option(release, "--threshold", "T", words, type=float)
    add_neighbors(release)
    words = "simulate: noise that anyone can repeat, and the truth beside it"
    option(release, "--seed", "N", words, type=int)


def _configure_run(parser: ArgumentParser) -> None:
    run = parser.add_argument_group("the run")
    add_out(run, "report")
    words = "count on this Dask cluster, whose workers see the same files"
    option(run, "--scheduler", "ADDRESS", words)
    option(run, "--workers", "N", "threads (default: as many as processors)", type=int)
    add_quiet(run)


def run(options: Namespace) -> None:
    """Carry the command out."""
    wanted = [name.strip() for name in options.curves.split(",") if name.strip()]
    with in_usage():
        counter = _counter(options, wanted)
        _check_request(options, wanted, counter)
    check_writable(options.out)
    with TemporaryDirectory() as folder:
        rehearse = partial(_rehearse, options, wanted, counter)
        counts = _counted(options, counter, Path(folder), rehearse)
    found = _evaluated(options, wanted, counter, counts, options.seed)
    _write(found, options.out)
    if not options.quiet:
        from dpcore.publications.report import headline

        noise = "private release" if options.seed is None else f"simulation (seed:{options.seed})"
        print(f"{headline(found)}\n{noise}, {found.ledger.spent} ({found.ledger.neighbors.words})")
        print(f"report {options.out / 'report.html'}")


def _evaluated(
    options: Namespace,
    wanted: Sequence[str],
    counter: ScoreCounter,
    counts: Sequence[ScoreHistogram],
    seed: int | None,
) -> ScoreEvaluation:
    """Release what is wanted from counts in the order of the counter."""
    return evaluate_scores(
        **counter.named(counts),
        epsilon=options.epsilon,
        wanted=wanted,
        method=options.method,
        neighbors=options.neighbors,
        seed=seed,
        threshold=0.5 if options.threshold is None else counter.scale.threshold(options.threshold),
        scale=counter.scale,
    )


def _check_request(options: Namespace, wanted: Sequence[str], counter: ScoreCounter) -> None:
    """Refuse before the files are looked at what can be; `_rehearse` does the rest meanwhile."""
    if counter.scale.name == "any" and "calibration" in wanted:
        raise UsageError("calibration needs probabilities: say another --scale, or --curves")
    if counter.group is not None:
        group_names(counter.levels)
    _check.integer_in_range(0, MOST_ABOVE, above=options.above)
    if options.commented_header and not options.comment:
        raise UsageError("--commented-header needs the mark of comments in --comment")
    if options.scheduler and any(path.suffix.lower() in PACKED for path in options.files):
        raise UsageError("--scheduler needs files that its workers read: unpack them")
    if options.workers is not None and options.workers < 1:
        raise UsageError(f"--workers must be at least 1, got {options.workers}")


def _rehearse(options: Namespace, wanted: Sequence[str], counter: ScoreCounter) -> None:
    """Refuse what would be refused once the rows are counted, and make ready what writes."""
    # What else is refused depends neither on the number of groups nor on that of cells.
    nothing = ScoreHistogram.from_arrays(np.zeros(0), np.zeros(0), cells=_FEW_CELLS)
    few = replace(counter, levels=counter.levels[:1])
    with in_usage():
        _evaluated(options, wanted, few, [nothing] * few.several, options.seed or 0)
        if options.seed is None:
            method = roc_methods()[options.method]
            open_gate(Loss(options.epsilon), neighbors=options.neighbors, method=method)
    # With studies and their peers, which take a third of a second to import.
    importlib.import_module("dpcore.publications.report")


def _scale(options: Namespace) -> ScoreScale:
    """What the scores are, under the present or the old name."""
    if options.link is not None and options.scale is not None:
        raise UsageError("--link is the old name of --scale: give --scale alone")
    old = "log-odds" if options.link == "logit" else options.link
    return ScoreScale.of(options.scale or old or "probability", options.bounds)


def _counter(options: Namespace, wanted: Sequence[str]) -> ScoreCounter:
    """What is counted in the one pass; a column that nothing wanted needs is not read."""
    if "groups" in wanted and (not options.group or not options.levels):
        raise UsageError("groups need --group COLUMN and their public names in --levels")
    if "compare" in wanted and not options.score_b:
        raise UsageError("compare needs --score-b COLUMN")
    classes, columns = _listed(options.classes), _listed(options.class_scores)
    if len(classes) != len(columns) or ("classes" in wanted and not classes):
        raise UsageError("classes need their names in --classes, and a column of each in "
                         "--class-scores")  # fmt: skip
    if classes:
        class_names(classes)
    by_group, by_class = "groups" in wanted, "classes" in wanted
    if options.positive is None and list(wanted) == ["classes"]:
        # Nothing is asked of one class alone.
        options.positive = classes[0]
    score = options.score or _score_of(options.positive, dict(zip(classes, columns, strict=True)))
    return ScoreCounter(
        label=options.label,
        score=score,
        positive=1 if options.positive is None else options.positive,
        negative=options.negative,
        scale=_scale(options),
        decimal=options.decimal,
        score_b=options.score_b if "compare" in wanted else None,
        group=options.group if by_group else None,
        levels=_listed(options.levels) if by_group else (),
        classes=classes if by_class else (),
        class_scores=columns if by_class else (),
    )


def _listed(names: str | None) -> tuple[str, ...]:
    """A list as it is typed, a name with a comma in quotation marks."""
    return tuple(next(csv.reader([names], skipinitialspace=True))) if names else ()


def _score_of(positive: str | None, every: Mapping[str, str]) -> str:
    """The score of the positive class, where each has its own."""
    for name, column in every.items():
        if positive is not None and level_key(name) == level_key(positive):
            return column
    if every:
        raise UsageError("one class against the rest: name it in --positive, or give --score")
    raise UsageError("name the column of the score in --score")


def _counted(
    options: Namespace, counter: ScoreCounter, folder: Path, rehearse: Callable[[], None]
) -> list[ScoreHistogram]:
    if options.link is not None:
        print(f"--link is now called --scale: say --scale {counter.scale.name}", file=sys.stderr)
    paths = unpacked(files_named(options.files), folder)
    told = {name: getattr(options, name) for name in _OF_TEXT}
    dialect = Dialect(delimiter=options.delimiter or "", **told)
    parts = file_parts(paths, counter.columns, dialect=dialect, numbers=counter.numbers)
    check_labels(paths, options.label, positive=options.positive, negative=options.negative)
    for name in counter.classes:
        check_labels(paths, options.label, positive=str(name))
    remark = assumed(paths, options.label, positive=options.positive)
    if remark and not options.quiet:
        print(remark, file=sys.stderr)
    with nullcontext() if options.quiet else progress_bar(sys.stderr) as progress:
        if options.scheduler is None:
            vector = count_here(
                parts, counter, workers=options.workers, progress=progress, meanwhile=rehearse
            )
        else:
            rehearse()
            with connected(options.scheduler) as client:
                vector = count_on_cluster(parts, counter, client, progress=progress)
    return ScoreHistogram.all_from_vector(vector)


@contextmanager
def progress_bar(stream: TextIO) -> Iterator[Callable[[float], None]]:
    """What shows a share from 0 to 1: a bar on a terminal, a line for each tenth anywhere else.

    The same again is not shown twice.

    Parameters
    ----------
    stream : text stream

    Examples
    --------
    >>> import sys
    >>> with progress_bar(sys.stdout) as show:
    ...     show(0.04)
    ...     show(0.55)
      0% read
     55% read
    """
    is_bar, shown = stream.isatty(), -1

    def show(share: float) -> None:
        nonlocal shown
        percent = int(100 * share)
        step = percent if is_bar else percent // 10
        if step == shown:
            return
        shown = step
        if is_bar:
            done = "#" * round(share * _BAR_WIDTH)
            print(f"\r[{done:<{_BAR_WIDTH}}] {percent:3d}%", end="", file=stream, flush=True)
        else:
            print(f"{percent if step else 0:3d}% read", file=stream, flush=True)

    try:
        yield show
    finally:
        if is_bar and shown >= 0:
            print(file=stream)


def _write(found: ScoreEvaluation, folder: Path) -> None:
    from dpcore.publications import publication
    from dpcore.publications.report import of_scores, score_report_html

    files: dict[str, str | bytes] = {
        "result.json": found.to_json(),
        "report.html": score_report_html(found),
    }
    for name in ("roc", "threshold", "groups", "compare", "classes"):
        if getattr(found, name) is not None:
            files[f"{name}.csv"] = publication(name).csv(of_scores(found, name))
    write_files(folder, files)
