"""What the budget split, the total budget and the row bound do to the model's accuracy."""

from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.curves import MODELS_AT_ONCE, Key, Progress, fill
from dpcore.study import Dataset, NoiseChoice, Performance, Selection, Workflow, run_workflow
from dpcore.study.config import digest
from dpcore.study.stages import Goal, StageCache

WITH, WITHOUT = "with selection", "all features"


@dataclass(frozen=True)
class Variation:
    """One point of a line: a study and where it stands."""

    series: str
    at: float
    study: Workflow

    @cached_property
    def digest(self) -> str:
        """Names the study."""
        return digest(self.study)


@dataclass(frozen=True, eq=False)
class AccuracyCell:
    """True test figures of a study, run several times.

    Parameters
    ----------
    accuracy, auc : float array, shape (runs,)
    noise_free_accuracy, noise_free_auc
        Of the same study with the noise off.
    reference_accuracy, reference_auc
        Of a strong model of scikit-learn with all features.
    majority
        Accuracy of whoever always says the more frequent class.
    """

    accuracy: FloatArray
    auc: FloatArray
    noise_free_accuracy: float
    noise_free_auc: float
    reference_accuracy: float
    reference_auc: float
    majority: float


def by_share(study: Workflow, shares: Sequence[Fraction]) -> list[Variation]:
    """Move the share of the selection in what is spent on the train part.

    Parameters
    ----------
    study
        One that selects.
    shares
        Strictly between 0 and 1.

    Returns
    -------
    list of Variation
        At each share in percent, and at each the same study without selection, which spends
        everything on training.

    Examples
    --------
    >>> from dpcore.study import DataSource, Epsilons
    >>> study = Workflow(
    ...     data=DataSource(sample="messages"),
    ...     selection=Selection(method="noisy-scores"),
    ...     epsilon=Epsilons(selection="0.5", training="0.5"),
    ... )
    >>> first, other = by_share(study, [Fraction(1, 5)])
    >>> first.at, first.study.epsilon.selection, other.study.epsilon.training
    (20.0, Fraction(1, 5), Fraction(1, 1))
    """
    total = _total(study)
    plain = _without(study, total)
    found = []
    for share in shares:
        _check.in_range(0, 1, share=share)
        at = float(100 * share)
        found.append(Variation(WITH, at, _spending(study, share * total, total)))
        found.append(Variation(WITHOUT, at, plain))
    return found


def by_total(study: Workflow, totals: Sequence[Fraction]) -> list[Variation]:
    """Move what selection and training spend together; their shares stay.

    Examples
    --------
    >>> from dpcore.study import DataSource, Epsilons
    >>> study = Workflow(
    ...     data=DataSource(sample="messages"),
    ...     selection=Selection(method="noisy-scores"),
    ...     epsilon=Epsilons(selection="0.5", training="0.5"),
    ... )
    >>> [str(one.study.epsilon.training) for one in by_total(study, [Fraction(1, 4)])]
    ['1/8', '1/4']
    """
    share = study.epsilon.selection / _total(study)
    found = []
    for total in totals:
        found.append(Variation(WITH, float(total), _spending(study, share * total, total)))
        found.append(Variation(WITHOUT, float(total), _without(study, total)))
    return found


def by_row_bound(study: Workflow, bounds: Sequence[int]) -> list[Variation]:
    """Move how many features one record may count for, in the selection.

    A model that cuts its texts too is given the same number of words, as published.

    Examples
    --------
    >>> from dpcore.study import DataSource, Epsilons
    >>> study = Workflow(
    ...     data=DataSource(sample="messages"),
    ...     selection=Selection(method="noisy-scores"),
    ...     epsilon=Epsilons(selection="0.5", training="0.5"),
    ... )
    >>> [one.study.selection.parameters.get("max_nonzeros") for one in by_row_bound(study, [5])]
    [5, None]
    """
    found = []
    for bound in bounds:
        told = {**study.selection.parameters, "max_nonzeros": bound}
        cut = _cut_texts(study, bound)
        selecting = replace(cut, selection=replace(study.selection, parameters=told))
        found.append(Variation(WITH, float(bound), selecting))
        found.append(Variation(WITHOUT, float(bound), _without(cut, _total(study))))
    return found


def by_number(study: Workflow, numbers: Sequence[int]) -> list[Variation]:
    """Move how many features are selected; everything else stays.

    Examples
    --------
    >>> from dpcore.study import DataSource, Epsilons
    >>> study = Workflow(
    ...     data=DataSource(sample="messages"),
    ...     selection=Selection(method="best"),
    ...     epsilon=Epsilons(selection="0.5", training="0.5"),
    ... )
    >>> [one.study.selection.parameters["top_k"] for one in by_number(study, [5, 50])]
    [5, 50]
    """
    found = []
    for k in numbers:
        told = {
            name: value
            for name, value in study.selection.parameters.items()
            if name not in ("top_k", "threshold")
        }
        selection = replace(study.selection, parameters={**told, "top_k": k})
        found.append(Variation(WITH, float(k), replace(study, selection=selection)))
    return found


def without_selection(study: Workflow) -> Workflow:
    """The same study on all features, with what selecting would have spent given to training."""
    return _without(study, _total(study))


def stages_for(variations: Sequence[Variation], known: StageCache | None = None) -> StageCache:
    """Where what all runs of a study have in common is kept until the last of them.

    And what is known of the records already, from a run of the study that they vary.
    """
    stages = StageCache(entries=len(variations) + 1)
    if known is not None:
        stages.update(known)
    return stages


def _total(study: Workflow) -> Fraction:
    return study.epsilon.selection + study.epsilon.training


def _spending(study: Workflow, on_selection: Fraction, total: Fraction) -> Workflow:
    spent = replace(study.epsilon, selection=on_selection, training=total - on_selection)
    return replace(study, epsilon=spent)


def _without(study: Workflow, total: Fraction) -> Workflow:
    spent = replace(study.epsilon, selection=Fraction(0), training=total)
    return replace(study, epsilon=spent, selection=Selection(bins=study.selection.bins))


def _cut_texts(study: Workflow, bound: int) -> Workflow:
    told = study.model.parameters
    if "max_nonzeros" not in told:
        return study
    return replace(study, model=replace(study.model, parameters={**told, "max_nonzeros": bound}))


Figures = tuple[float, float, float, float, float, float, float]


def accuracies(
    variations: Sequence[Variation],
    *,
    data: Dataset,
    runs: int = 3,
    kept: MutableMapping[Key, Figures] | None = None,
    progress: Progress | None = None,
    stages: StageCache | None = None,
) -> dict[tuple[str, float], AccuracyCell]:
    """Run every study several times on the same split, with other noise in each.

    Parameters
    ----------
    variations
        Simulated studies that train.
    kept, progress
        See `fill`.
    stages : StageCache, optional
        What only the records decide, encoding them for one, is kept there.

    Returns
    -------
    dict of (series, at) to AccuracyCell

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for empirical
    machine learning, Figures 4 and 5. arXiv:1411.5428
    """
    _check.integer_in_range(1, None, runs=runs)
    stages = stages_for(variations) if stages is None else stages
    places: dict[tuple[str, float], list[Key]] = {}
    tasks: dict[Key, Callable[[], Figures]] = {}
    for one in variations:
        keys: list[Key] = [("accuracy", data.key, one.digest, run) for run in range(runs)]
        places[one.series, one.at] = keys
        for run, key in enumerate(keys):
            tasks[key] = partial(_figures, one.study, data, run, stages)
    cells = fill(tasks, kept=kept, progress=progress, at_once=MODELS_AT_ONCE)
    return {place: _cell([cells[key] for key in keys]) for place, keys in places.items()}


def until_tested(study: Workflow, *, beside: bool = False) -> Goal:
    """Run a study for its model and the test of it: no curve is drawn that nobody sees."""
    charges = tuple(one for one in study.charges if one.label != "evaluation")
    return Goal(charges=charges, beside=beside)


def _cell(runs: list[Figures]) -> AccuracyCell:
    accuracy, auc, *same_in_all = np.array(runs).T
    return AccuracyCell(accuracy, auc, *(float(values[0]) for values in same_in_all))


def _figures(study: Workflow, data: Dataset, run: int, stages: StageCache) -> Figures:
    """What one run of a study reaches, in the order of the fields of a cell.

    What all runs have in common is asked of the first.
    """
    seed = study.noise.seed
    assert seed is not None
    again = replace(study, noise=NoiseChoice(seed + run))
    goal = until_tested(again, beside=run == 0)
    result = run_workflow(again, data=data, cache=stages, goal=goal)
    tested = result.performance
    if run:
        return (*_both(tested), *5 * (float("nan"),))
    positives, negatives = tested.scores.n_positive, tested.scores.n_negative
    majority = max(positives, negatives) / max(positives + negatives, 1)
    noise_free, reference = map(_both, result.beside)
    return (*_both(tested), *noise_free, *reference, majority)


def _both(one: Performance) -> tuple[float, float]:
    """Accuracy and AUC; an empty test part has no accuracy."""
    return float("nan") if one.accuracy is None else one.accuracy, one.auc
