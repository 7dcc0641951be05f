"""The stages of a study, each a pure function of exactly the fields that it names.

A stage is handed the values of the fields in `Stage.reads`, the outputs of the stages in
`Stage.needs`, and nothing else; so its key, a digest of those, names its output.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any

from dpcore import _check
from dpcore.privacy import Charge, Ledger, Loss, Neighbors, Part
from dpcore.study import steps
from dpcore.study.config import Workflow
from dpcore.study.result import WorkflowResult, plain
from dpcore.study.sources import OpenData, StudyData, open_records, open_source
from dpcore.study.steps import Evaluated, Prepared, Scored
from dpcore.study.truth import Truth


class StageCache(MutableMapping[tuple[str, str], Any]):
    """The last few outputs of each stage, by (stage, key); the oldest of a stage goes first.

    A plain dictionary serves as a cache too, and keeps everything.

    Parameters
    ----------
    entries : int, default 2
        Outputs kept per stage.

    Notes
    -----
    Outputs hold private data: keep a cache in the session that owns the data.

    Examples
    --------
    >>> cache = StageCache(entries=1)
    >>> cache["evaluate", "a"], cache["evaluate", "b"] = 1, 2
    >>> list(cache)
    [('evaluate', 'b')]
    """

    def __init__(self, entries: int = 2) -> None:
        _check.integer_in_range(1, None, entries=entries)
        self.entries = entries
        self._outputs: dict[tuple[str, str], Any] = {}

    def __getitem__(self, place: tuple[str, str]) -> Any:
        return self._outputs[place]

    def __setitem__(self, place: tuple[str, str], output: Any) -> None:
        self._outputs.pop(place, None)
        self._outputs[place] = output
        same_stage = [other for other in self._outputs if other[0] == place[0]]
        for oldest in same_stage[: -self.entries]:
            del self._outputs[oldest]

    def __delitem__(self, place: tuple[str, str]) -> None:
        del self._outputs[place]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._outputs)

    def __len__(self) -> int:
        return len(self._outputs)


@dataclass(frozen=True, kw_only=True)
class Goal:
    """What a study is run for, where that is not its ROC curve with all that it is compared with.

    Parameters
    ----------
    charges
        What it may spend, and no more; in place of `Workflow.charges`.
    evaluate
        Releases from counted scores in place of the ROC curve. Takes the scores, and by keyword
        epsilon, confidence, neighbors, noise, ledger and part. Nothing is evaluated without.
    takes : {"scores", "groups", "models", "classes"}, default "scores"
        Which counts of `Performance` it takes.
    """

    charges: tuple[Charge, ...]
    evaluate: Callable[..., Any] | None = None
    takes: str = "scores"


@dataclass(frozen=True, kw_only=True)
class Stage:
    """One step of a study.

    Parameters
    ----------
    run
        Takes the outputs of `needs` by position and the fields of `reads` by keyword, and a ledger
        if `spends`.
    reads
        Keyword of `run` to dotted field of `Workflow`.
    needs
        Earlier stages; "data" stands for the opened records.
    spends
        The phase that it charges for; empty if it charges nothing.
    cached
        Whether what it reads names its output.
    effort
        Rough share of the running time, for the progress bar.
    """

    name: str
    run: Callable[..., Any]
    reads: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    spends: str = ""
    cached: bool = True
    effort: float = 1.0

    def arguments(self, config: Workflow) -> dict[str, Any]:
        """The values of the fields that the stage reads."""
        return {name: reduce(getattr, path.split("."), config) for name, path in self.reads.items()}


def key(stage: Stage, config: Workflow, keys: Mapping[str, str]) -> str:
    """Digest of exactly what a stage reads.

    Parameters
    ----------
    keys
        Keys of the stages it needs, and of the data.
    """
    document = [stage.name, plain(stage.arguments(config)), [keys[name] for name in stage.needs]]
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


_SPENDING = {"neighbors": "neighbors", "noise": "noise"}

_PREPARE = Stage(
    name="prepare",
    run=steps.prepare,
    needs=("data",),
    reads={
        "split": "split",
        "simulated": "noise.simulated",
        "bins": "selection.bins",
        "group": "data.group",
    },
    effort=3,
)

_SELECT = Stage(
    name="select",
    run=steps.select,
    needs=("prepare",),
    reads={"selection": "selection", "epsilon": "epsilon.selection", **_SPENDING},
    spends="selection",
)

_TRAIN = Stage(
    name="train",
    run=steps.train,
    needs=("prepare", "select"),
    reads={"model": "model", "epsilon": "epsilon.training", **_SPENDING},
    spends="training",
    effort=3,
)

_SCORE = Stage(
    name="score",
    run=steps.score,
    needs=("prepare", "select", "train"),
    reads={"simulated": "noise.simulated"},
)

_NOISE_FREE = Stage(
    name="noise free",
    run=steps.noise_free,
    needs=("prepare",),
    # Not the noise: whatever its seed, this is the same model.
    reads={
        "selection": "selection",
        "model": "model",
        "for_selection": "epsilon.selection",
        "for_training": "epsilon.training",
        "neighbors": "neighbors",
    },
    effort=3,
)

_REFERENCE = Stage(name="reference", run=steps.reference, needs=("prepare",), effort=2)

_TALLY = Stage(
    name="score",
    run=steps.tally,
    needs=("data",),
    reads={"positive": "data.positive", "simulated": "noise.simulated"},
)

_EVALUATE = Stage(
    name="evaluate",
    run=steps.evaluate,
    needs=("score",),
    reads={
        "evaluation": "evaluation",
        "epsilon": "epsilon.evaluation",
        "neighbors": "neighbors",
        "noise": "evaluation_noise",
    },
    spends="evaluation",
)


def _evaluating(release: Callable[..., Any], takes: str) -> Stage:
    """The evaluation that a goal asks for, which no field of the study names."""
    reads = {
        "epsilon": "epsilon.evaluation",
        "confidence": "evaluation.confidence",
        "neighbors": "neighbors",
        "noise": "evaluation_noise",
    }
    run = partial(steps.evaluate_by, release, takes)
    return replace(_EVALUATE, run=run, reads=reads, cached=False)


def plan(config: Workflow, goal: Goal | None = None) -> tuple[Stage, ...]:
    """The stages that a configuration runs, in order.

    Examples
    --------
    >>> from dpcore.study import DataSource
    >>> [stage.name for stage in plan(Workflow(data=DataSource(predictions="scores.csv")))]
    ['score', 'evaluate']
    """
    if goal is None:
        if not config.trains:
            return _TALLY, _EVALUATE
        beside = (_NOISE_FREE, _REFERENCE) if config.noise.simulated else ()
        return _PREPARE, _SELECT, _TRAIN, _SCORE, *beside, _EVALUATE
    evaluate = () if goal.evaluate is None else (_evaluating(goal.evaluate, goal.takes),)
    if not config.trains:
        return _TALLY, *evaluate
    if "training" not in {charge.label for charge in goal.charges}:
        return _PREPARE, _SELECT
    scored = (_SCORE,) if evaluate or config.noise.simulated else ()
    return _PREPARE, _SELECT, _TRAIN, *scored, *evaluate


Progress = Callable[[str, float], None]
Cache = MutableMapping[tuple[str, str], Any]


def run_workflow(
    config: Workflow,
    *,
    data: StudyData | None = None,
    base: Path | None = None,
    cache: Cache | None = None,
    progress: Progress | None = None,
    goal: Goal | None = None,
) -> WorkflowResult:
    """Run a study.

    Parameters
    ----------
    config : Workflow
    data : Dataset or Predictions, optional
        Records in memory, in place of those that `config.data` names.
    base : Path, optional
        Folder that relative paths of `config.data` start from.
    cache : mutable mapping, optional
        Outputs by (stage, key), kept from run to run: a stage runs again only if a field that it
        reads has changed. With real noise it is neither read nor written.
    progress : callable, optional
        Told the name of the stage that starts and the share of the work done; at the end
        ``("done", 1.0)``.
    goal : Goal, optional
        What else than its ROC curve the study is run for: so the desk carries its requests out.

    Returns
    -------
    WorkflowResult

    Raises
    ------
    DataError, MissingResource
        If the data cannot be read.
    PrivacyError
        If a phase would break a promise; earlier phases have then been charged.

    Privacy
        What the charges of the study allow for each part of the records, and no more: each part
        has a ledger with exactly that budget. Selection and training charge the train part,
        evaluation the test part, which is disjoint from it: the larger of the two counts. With a
        seed, every stage has its own stream of noise.
    """
    opened = open_records(data) if data is not None else open_source(config.data, base)
    stages = plan(config, goal)
    session = _Session(config, opened, cache if config.noise.simulated else None, goal)
    whole = sum(stage.effort for stage in stages)
    done = 0.0
    for stage in stages:
        if progress is not None:
            progress(stage.name, done / whole)
        session.advance(stage)
        done += stage.effort
    if progress is not None:
        progress("done", 1.0)
    return _result(config, session)


def prepared_records(
    config: Workflow, *, data: StudyData | None = None, cache: Cache | None = None
) -> Prepared:
    """The encoded records of both parts (private), as the stages of the study see them.

    Parameters
    ----------
    config : Workflow
        Of a study that trains.
    data : Dataset, optional
        Records in memory, in place of those that `config.data` names.
    cache : mutable mapping, optional
        As for `run_workflow`: what a study has prepared is not prepared again.

    Returns
    -------
    Prepared

    Raises
    ------
    DataError, MissingResource, PrivateInference
        As `run_workflow` does.

    Examples
    --------
    >>> from dpcore.study import DataSource, NoiseChoice, StageCache
    >>> study = Workflow(data=DataSource(sample="heart-risk"), noise=NoiseChoice(7))
    >>> cache = StageCache()
    >>> prepared = prepared_records(study, cache=cache)
    >>> prepared.train.matrix.shape[1], prepared_records(study, cache=cache) is prepared
    (18, True)
    """
    opened = open_records(data) if data is not None else open_source(config.data)
    session = _Session(config, opened, cache if config.noise.simulated else None)
    session.advance(next(stage for stage in plan(config) if stage.name == "prepare"))
    prepared: Prepared = session.outputs["prepare"]
    return prepared


@dataclass(frozen=True)
class _Output:
    """What a stage returned, and what it charged for it."""

    value: Any
    charges: tuple[Charge, ...]


class _Session:
    """The outputs of one run so far."""

    def __init__(
        self, config: Workflow, opened: OpenData, cache: Cache | None, goal: Goal | None = None
    ) -> None:
        self.config, self.cache = config, cache
        self.ledgers = _ledgers(config.charges if goal is None else goal.charges, config.neighbors)
        self.outputs: dict[str, Any] = {"data": opened}
        self.keys = {"data": opened.key}
        self.timings: dict[str, float] = {}

    def advance(self, stage: Stage) -> None:
        """Run one stage, or take its output from the cache and charge for it again."""
        self.keys[stage.name] = key(stage, self.config, self.keys)
        place = stage.name, self.keys[stage.name]
        cache = self.cache if stage.cached else None
        if cache is not None and place in cache:
            output: _Output = cache[place]
            for charge in output.charges:
                self.ledgers[stage.spends].spend(charge)
        else:
            output = self._run(stage)
            if cache is not None:
                cache[place] = output
        self.outputs[stage.name] = output.value

    def _run(self, stage: Stage) -> _Output:
        # A phase without a charge of its own, such as keeping all features, has nothing to spend.
        ledger = self.ledgers.get(stage.spends) or Ledger(Loss(0), self.config.neighbors)
        account = {"ledger": ledger} if stage.spends else {}
        charged = len(ledger.charges)
        begin = perf_counter()
        value = stage.run(
            *(self.outputs[name] for name in stage.needs),
            **stage.arguments(self.config),
            **account,
        )
        self.timings[stage.name] = perf_counter() - begin
        return _Output(value, ledger.charges[charged:])

    @property
    def charges(self) -> tuple[Charge, ...]:
        """What was charged, part by part."""
        each = {id(ledger): ledger for ledger in self.ledgers.values()}
        return tuple(charge for ledger in each.values() for charge in ledger.charges)


def _ledgers(charges: tuple[Charge, ...], neighbors: Neighbors) -> dict[str, Ledger]:
    """By phase the ledger of the part that it reads, with the budget for that part."""
    parts: dict[Part | None, list[Charge]] = {}
    for charge in charges:
        parts.setdefault(charge.part, []).append(charge)
    return {
        charge.label: ledger
        for group in parts.values()
        for ledger in [Ledger(sum((charge.loss for charge in group), Loss(0)), neighbors)]
        for charge in group
    }


def _result(config: Workflow, session: _Session) -> WorkflowResult:
    outputs, simulated = session.outputs, config.noise.simulated
    prepared = outputs.get("prepare")
    return WorkflowResult(
        config=config,
        evaluated=outputs["evaluate"].release if "evaluate" in outputs else None,
        charges=session.charges,
        schema=prepared.schema if prepared is not None else None,
        feature_names=prepared.train.space.names if prepared is not None else (),
        selection=outputs.get("select"),
        model=outputs.get("train"),
        truth=_truth(outputs),
        tested=outputs["score"].performance if simulated and "score" in outputs else None,
        prepared=prepared if simulated else None,
        data_digest=outputs["data"].digest if simulated else None,
        timings=MappingProxyType(session.timings if simulated else {}),
    )


def _truth(outputs: dict[str, Any]) -> Truth | None:
    scored: Scored | None = outputs.get("score")
    evaluated: Evaluated | None = outputs.get("evaluate")
    if scored is None or scored.curve is None or evaluated is None or evaluated.area is None:
        return None
    fpr, tpr = scored.curve
    scores = scored.performance.scores
    return Truth(
        fpr=fpr,
        tpr=tpr,
        area=evaluated.area,
        model=scored.performance,
        noise_free=outputs.get("noise free"),
        reference=outputs.get("reference"),
        n_train=scored.n_train,
        n_test=scores.n_positive + scores.n_negative,
    )
