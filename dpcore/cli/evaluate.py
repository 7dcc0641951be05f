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
cluster. A packed one, an Arrow file, UTF-16 and a pipe (- is standard input)
are laid down in a temporary folder first.
Parquet is read by row groups, text line by line, as `run` and `release` read
it: a quoted cell ends with its line. Workbooks and JSON are read whole, as
their endings say: .xlsx, .json of one text, .jsonl or .ndjson of a record in
every line. JSON has no header: a name that no record has leaves all rows out.
To refuse it would be to answer from the records, and one more could change the
answer; so a release that says nothing asks for a look at the names, and only a
simulation tells. Every row is read by itself: one without
a label or a usable score is left out (under replace, it is a negative one with
the lowest score), and no row makes the command fail. Only a simulation tells
how many there are.

Labels are compared by what they mean: 1, 1.0, true and "1" are the same. No
row is looked at to find out which is positive. Parquet declares the type of a
column, and a label that it cannot hold is refused, 1 among texts as well. CSV
declares nothing: there a label that no row has leaves its class empty, which
only a simulation tells.

Without --seed the noise is the system's entropy: every run draws again and
spends again, and no exact figure of the data is written. No stored ledger
counts it: where a budget is set, `release` charges it. With --seed the run is
a simulation and stamped so: it repeats exactly, and the report shows the true
curve beside the released one.

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
  zcat all.csv.gz | python -m dpcore evaluate - --label y --score p --epsilon 1
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
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import TextIO

import numpy as np

from dpcore import _check
from dpcore.cli import program
from dpcore.cli.label_types import assumed, check_labels
from dpcore.cli.program import UsageError, add_options, check_writable, in_usage, write_files
from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.back_end import connected, count_here, count_on_cluster
from dpcore.data.counting.files import file_parts
from dpcore.data.counting.named_files import FORMS, PACKED, files_named, laid_open
from dpcore.data.counting.score_counter import ScoreCounter
from dpcore.data.reading import Dialect
from dpcore.data.reading.declared import ENCODINGS, WIDE
from dpcore.data.reading.dialect import MOST_ABOVE
from dpcore.data.reading.packed import ARROW_MAGICS, GZIP_MAGIC, PARQUET_MAGIC, ZIP_MAGIC
from dpcore.data.reading.prediction_scores import SCALES, ScoreScale
from dpcore.data.reading.roles.classes import cut_at
from dpcore.evaluation import roc_methods
from dpcore.evaluation.decisions.groups import group_names
from dpcore.evaluation.decisions.macro_auc import class_names
from dpcore.evaluation.score_evaluation import EVALUATIONS, ScoreEvaluation, evaluate_scores
from dpcore.postprocess.monotone import to_be_checked
from dpcore.privacy import Loss
from dpcore.release import open_gate
from dpcore.schema.cells import level_key

_BAR_WIDTH = 30
_OF_TEXT = ("decimal", "encoding", "unnamed", "above", "comment", "commented_header", "sheet")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    names = {"scales": SCALES, "codecs": ENCODINGS, "methods": roc_methods.names()}
    told = {"curves": ",".join(EVALUATIONS), "delimiter": _delimiter}
    add_options(parser, "evaluate", **names, **told)


def _delimiter(mark: str) -> str:
    """One character; a tab may be written as a backslash and a t."""
    mark = mark.replace("\\t", "\t")
    if len(mark) != 1 or not mark.isascii() or mark in '"\r\n':
        raise ArgumentTypeError("must be one character, such as ; or \\t")
    return mark


def run(options: Namespace) -> None:
    """Carry the command out."""
    options.wanted = [name.strip() for name in options.curves.split(",") if name.strip()]
    with in_usage():
        counter = _counter(options)
        _check_request(options, counter)
    check_writable(options.out)
    with TemporaryDirectory() as folder:
        rehearse = partial(_rehearse, options, counter)
        counts = _counted(options, counter, Path(folder), rehearse)
    found = _evaluated(options, counter, counts, options.seed)
    _write(found, options.out)
    if not options.quiet:
        from dpcore.publications.report import headline

        noise = "private release" if options.seed is None else f"simulation (seed:{options.seed})"
        note = f"; {program.UNCOUNTED}" if options.seed is None else ""
        spent = f"{found.ledger.spent} ({found.ledger.neighbors.words})"
        said = headline(found)
        print(f"{said} {to_be_checked(said)}".rstrip())
        print(f"{noise}, {spent}{note}")
        print(f"report {options.out / 'report.html'}")


def _evaluated(
    options: Namespace, counter: ScoreCounter, counts: Sequence[ScoreHistogram], seed: int | None
) -> ScoreEvaluation:
    """Release what is wanted from counts in the order of the counter."""
    told = {name: getattr(options, name) for name in ("epsilon", "wanted", "method", "neighbors")}
    told |= counter.named(counts) | {"seed": seed, "scale": counter.scale}
    asked = options.threshold
    threshold = 0.5 if asked is None else counter.scale.threshold(asked)
    return evaluate_scores(threshold=threshold, **told)


def _check_request(options: Namespace, counter: ScoreCounter) -> None:
    """Refuse before the files are looked at what can be; `_rehearse` does the rest meanwhile."""
    if not options.wanted or not set(options.wanted) <= set(EVALUATIONS):
        raise UsageError(f"--curves must be some of {', '.join(EVALUATIONS)}")
    if counter.scale.name == "any" and "calibration" in options.wanted:
        raise UsageError("calibration needs probabilities: say another --scale, or --curves")
    if counter.group is not None:
        group_names(counter.levels)
    if options.negative is None and cut_at(options.positive) is not None:
        raise UsageError("--positive is one label here: only `run` and `release` cut numbers")
    _check.integer_in_range(0, MOST_ABOVE, above=options.above)
    if options.commented_header and not options.comment:
        raise UsageError("--commented-header needs the mark of comments in --comment")
    laid = any(one.suffix.lower() in (*PACKED, *FORMS) or _is_pipe(one) for one in options.files)
    if options.scheduler and (laid or options.encoding in WIDE):
        raise UsageError("--scheduler needs Parquet or text that its workers read: unpack it")
    if options.workers is not None and options.workers < 1:
        raise UsageError(f"--workers must be at least 1, got {options.workers}")


def _rehearse(options: Namespace, counter: ScoreCounter) -> None:
    """Refuse what would be refused once the rows are counted, and make ready what writes."""
    # What else is refused depends neither on the number of groups nor on that of cells.
    nothing = ScoreHistogram.from_arrays(np.zeros(0), np.zeros(0), cells=2**11)
    few = replace(counter, levels=counter.levels[:1])
    with in_usage():
        _evaluated(options, few, [nothing] * few.several, options.seed or 0)
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


def _counter(options: Namespace) -> ScoreCounter:
    """What is counted in the one pass; a column that nothing wanted needs is not read."""
    wanted = options.wanted
    if "groups" in wanted and (not options.group or not options.levels):
        raise UsageError("groups need --group COLUMN and their public names in --levels")
    if "compare" in wanted and not options.score_b:
        raise UsageError("compare needs --score-b COLUMN")
    classes, columns = _listed(options.classes), _listed(options.class_scores)
    if len(classes) != len(columns) or ("classes" in wanted and not classes):
        needed = "their names in --classes, and a column of each in --class-scores"
        raise UsageError(f"classes need {needed}")
    if classes:
        class_names(classes)
    if options.positive is None and wanted == ["classes"]:
        # Nothing is asked of one class alone.
        options.positive = classes[0]
    score = options.score or _score_of(options.positive, dict(zip(classes, columns, strict=True)))
    told = {name: getattr(options, name) for name in ("label", "negative", "decimal")}
    if "compare" in wanted:
        told["score_b"] = options.score_b
    if "groups" in wanted:
        told |= {"group": options.group, "levels": _listed(options.levels)}
    if "classes" in wanted:
        told |= {"classes": classes, "class_scores": columns}
    positive = 1 if options.positive is None else options.positive
    return ScoreCounter(score=score, positive=positive, scale=_scale(options), **told)


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
    told = {name: getattr(options, name) for name in _OF_TEXT}
    dialect = Dialect(delimiter=options.delimiter or "", **told)
    named = [_piped(path, folder) if _is_pipe(path) else path for path in options.files]
    paths, dialect = laid_open(files_named(named), folder, dialect)
    parts = file_parts(paths, counter.columns, dialect=dialect, numbers=counter.numbers)
    check_labels(paths, options.label, positive=options.positive, negative=options.negative)
    for name in counter.classes:
        check_labels(paths, options.label, positive=str(name))
    remark = assumed(paths, options.label, positive=options.positive)
    if remark and not options.quiet:
        print(remark, file=sys.stderr)
    with nullcontext() if options.quiet else progress_bar(sys.stderr) as progress:
        if options.scheduler is None:
            told = {"workers": options.workers, "progress": progress, "meanwhile": rehearse}
            vector = count_here(parts, counter, **told)
        else:
            rehearse()
            with connected(options.scheduler) as client:
                vector = count_on_cluster(parts, counter, client, progress=progress)
    return ScoreHistogram.all_from_vector(vector)


def _is_pipe(path: Path) -> bool:
    return str(path) == "-" or path.is_fifo()


def _piped(path: Path, folder: Path) -> Path:
    """What comes through a pipe, laid down in a folder; its first bytes say what it is."""
    target = folder / f"standard-input{len([*folder.iterdir()]) or ''}"
    with nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb") as stream:
        first = stream.read(max(map(len, ARROW_MAGICS)))
        packed = first.startswith((ZIP_MAGIC, GZIP_MAGIC, *ARROW_MAGICS))
        kind = ".parquet" if first.startswith(PARQUET_MAGIC) else ".gz" if packed else ".csv"
        with (target := target.with_suffix(kind)).open("wb") as file:
            file.write(first)
            copyfileobj(stream, file)
    return target


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

    files: dict[str, str | bytes] = {"result.json": found.to_json()}
    files["report.html"] = score_report_html(found)
    for name in ("roc", "threshold", "groups", "compare", "classes"):
        if getattr(found, name) is not None:
            files[f"{name}.csv"] = publication(name).csv(of_scores(found, name))
    write_files(folder, files)
