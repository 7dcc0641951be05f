"""Running an experiment, or taking its result from the cache."""

from __future__ import annotations

import time
from collections.abc import Callable

from reproductions.cache import ResultCache
from reproductions.experiment import Experiment
from reproductions.paper_data import PaperData
from reproductions.result import Result
from reproductions.rows import Row, Rows

Progress = Callable[[int, Row], None]


def run_experiment(
    experiment: Experiment,
    *,
    quick: bool,
    materials: PaperData,
    cache: ResultCache | None = None,
    progress: Progress | None = None,
) -> Result:
    """Measure all rows of an experiment.

    Parameters
    ----------
    experiment : Experiment
    quick : bool
        Its quick settings in place of the full ones.
    materials : PaperData
        Where data come from.
    cache : ResultCache, optional
        Asked first, and told at the end.
    progress : callable, optional
        Called with the number of rows so far and the last of them. What it raises stops the run,
        and nothing is kept.

    Returns
    -------
    Result

    Privacy
        None: every experiment is a simulation, with the exact truth beside the noisy numbers.

    Examples
    --------
    >>> from reproductions.catalogue import experiment
    >>> result = run_experiment(experiment("lyu-figure-2"), quick=True, materials=PaperData(None))
    >>> len(result.rows) > 10
    True
    """
    kept = cache.get(experiment, quick, materials) if cache else None
    if kept is not None:
        return kept
    start, rows = time.perf_counter(), []
    for row in experiment.measure(experiment.configuration(quick), materials):
        # Six digits, so that a result is the same after it was written and read.
        rows.append(row._replace(value=float(f"{row.value:.6g}")))
        if progress:
            progress(len(rows), row)
    result = Result(
        experiment.name,
        quick,
        experiment.digest(quick),
        tuple(materials.describe(name) for name in experiment.data),
        round(time.perf_counter() - start, 1),
        Rows(tuple(rows)),
    )
    if cache:
        cache.put(result, experiment, materials)
    return result
