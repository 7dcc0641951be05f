"""The reusable holdout: stepwise selection of variables with a test set that is asked again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpcore.curves.holdout.problem import HoldoutProblem, HoldoutSettings, generated
from dpcore.curves.holdout.selection import HoldoutResult, HoldoutRun
from dpcore.curves.holdout.study import run_holdout
from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.rows import Role, Row, Rows
from reproductions.verdict import Claim, Verdict

# Judge -> role; the names of the judges come with their results.
_ROLES: dict[str, Role] = {
    "naive": "broken",
    "larger": "broken",
    "zumel": "broken",
    "train": "exact",
    "thresholdout": "ours",
}
_NAMES = {
    "naive": "Naive reuse",
    "larger": "Naive, ten times the test set",
    "zumel": "The blog's variant",
    "train": "Training set only",
    "thresholdout": "Thresholdout",
}
_FOUND, _OPTIMISM = "signal variables found", "test less fresh accuracy"
_ONE_RUN = "the post shows a single run, these are means"
_FRESH, _REPORTED = "fresh accuracy", "reported less fresh accuracy"
# The peak of each run, then the mean: that of a mean curve is lower.
_PEAK = "fresh accuracy, best so far"


@dataclass(frozen=True)
class _Configuration:
    draws: int = 16
    steps: tuple[int, ...] = (1, 5, 10, 15, 20, 25, 30, 36, 40, 45, 50)
    fresh_rows: int = 10_000


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    settings = HoldoutSettings(steps=max(configuration.steps), fresh_rows=configuration.fresh_rows)
    draws: list[tuple[HoldoutProblem, HoldoutResult]] = []
    for seed in range(1, configuration.draws + 1):
        drawn = replace(settings, seed=seed)
        problem = generated(drawn)
        draws.append((problem, run_holdout(drawn, problem)))
    for key, name in _NAMES.items():
        for step in configuration.steps:
            known = [
                one for problem, result in draws for one in _figures(problem, result.run(key), step)
            ]
            for panel in dict.fromkeys(panel for panel, _ in known):
                value = float(np.mean([value for place, value in known if place == panel]))
                yield Row(panel, name, _ROLES[key], float(step), value)


def _figures(problem: HoldoutProblem, run: HoldoutRun, step: int) -> Iterator[tuple[str, float]]:
    """What is known of one run at a step; a run that has stopped stays where it is."""
    yield _OPTIMISM, run.optimism(step)
    yield _FRESH, float(run.fresh[min(step, run.steps)])
    yield _PEAK, float(run.fresh[: min(step, run.steps) + 1].max())
    if problem.signal is not None:
        yield _FOUND, float(problem.signal[run.chosen[:step]].sum())
    reported = run.reported_optimism(step)
    if reported is not None:
        yield _REPORTED, reported


def _judge(rows: Rows) -> Verdict:
    naive, larger, blog, train, ours = _NAMES.values()
    last = rows.places(_OPTIMISM)[-1]
    optimism = {name: rows.value(_OPTIMISM, name, 25.0) for name in _NAMES.values()}
    found = {name: rows.value(_FOUND, name, last) for name in _NAMES.values()}
    peak = {name: rows.value(_PEAK, name, last) for name in _NAMES.values()}
    return Verdict(
        (
            Claim(
                "A test set that chooses variables overstates what new records show.",
                optimism[naive] > 0.02,
                f"naive reuse: test less fresh accuracy {optimism[naive]:+.3f} at step 25",
            ),
            Claim(
                "With the blog's variant the test set estimates the true accuracy quite well.",
                abs(optimism[blog]) <= 0.02,
                f"{optimism[blog]:+.3f} at step 25",
            ),
            Claim(
                "The blog's variant finds all ten variables with signal, naive reuse far fewer.",
                found[blog] >= 9.5 and found[naive] < 0.7 * found[blog],
                f"means {found[blog]:.1f} and {found[naive]:.1f} of 10 at step {last:g}",
                _ONE_RUN,
            ),
            Claim(
                "The chosen models reach a peak accuracy of about 61 %.",
                abs(peak[blog] - 0.61) <= 0.01,
                f"{peak[blog]:.3f} on fresh records, mean of the peaks of all draws",
                _ONE_RUN,
            ),
            Claim(
                "With ten times the test records, naive reuse is still optimistic, but much less.",
                0.0 < optimism[larger] < 0.5 * optimism[naive],
                f"{optimism[larger]:+.3f} against {optimism[naive]:+.3f}",
            ),
        ),
        f"Thresholdout, which has a proof: test less fresh accuracy {optimism[ours]:+.3f} at step "
        f"25, {found[ours]:.1f} variables with signal, peak {peak[ours]:.3f}; choosing on the "
        f"training set alone finds {found[train]:.1f}.",
    )


EXPERIMENT = Experiment(
    name="zumel-stepwise",
    figures="all figures",
    title="The reusable holdout",
    claim="A test set that selects variables becomes optimistic; asked through noise, as in "
    "Thresholdout, it estimates the true accuracy well and picks better variables, as if it were "
    "larger.",
    published="naive reuse of 1,000 and of 10,000 test records, and the blog's variant at 0.04, "
    "which compares exactly and has no proof",
    sound="Thresholdout with a budget (Dwork et al. 2015)",
    chart=Chart(panel="measure", x="variables added", y="mean over draws"),
    data=(),
    full=_Configuration(),
    quick=replace(_Configuration(), draws=8),
    measure=_measure,
    judge=_judge,
    formula=r"|\bar q(\text{train}) - \bar q(\text{test})| > \hat T + \mathrm{Lap}(4\sigma)",
)
