"""Running a study, stage by stage, and what it found and cost."""

import json
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any

from dpcore import _check
from dpcore.evaluation import RocRelease, roc_area_between
from dpcore.models.estimator import PrivateClassifier
from dpcore.privacy import Charge, Ledger, Loss, Neighbors, Part, charges_as_json, composition
from dpcore.schema import Schema
from dpcore.selection import SelectionRelease
from dpcore.study.config import Workflow, digest, plain
from dpcore.study.sources import OpenData, StudyData, open_records, open_source
from dpcore.study.stages import Goal, Stage, key, plan
from dpcore.study.steps import Prepared, Scored
from dpcore.study.truth import Performance, Truth

Progress = Callable[[str, float], None]
Cache = MutableMapping[tuple[str, str], Any]


@dataclass(frozen=True, eq=False)
class WorkflowResult:
    """The released values of one study; what is private, in a simulation only.

    Parameters
    ----------
    config : Workflow
    evaluated : object
        What the evaluation released: a `RocRelease` unless something else was asked for (see
        `Goal`), and None if nothing was.
    charges : tuple of Charge
        What the mechanisms charged, part by part, in order.
    schema : Schema or None
        None for uploaded predictions.
    feature_names : tuple of str
        Public names of all encoded features.
    selection : SelectionRelease or None
    model : DPClassifier, DPNaiveBayes or DPLogisticRegression, or None
        The trained private model; None for uploaded predictions, like `selection`.
    truth : Truth or None
        Beside an ROC curve.
    tested, prepared : Performance and Prepared, or None
        Exact test results and encoded records (private), for a simulation to compare with.
    beside : tuple of Performance
        The same study with the noise off, and the reference, of a simulation that has them.
    data_digest : str or None
        SHA-256 of the file, or the name of the sample, in a simulation. With real noise it is None:
        whoever has a guess at the data could check the guess against a digest.
    timings : mapping of str to float
        Seconds per stage that ran; stages from the cache are left out. Empty with real noise,
        because running times depend on the data.
    """

    config: Workflow
    evaluated: Any
    charges: tuple[Charge, ...]
    schema: Schema | None = None
    feature_names: tuple[str, ...] = ()
    selection: SelectionRelease | None = None
    model: PrivateClassifier | None = None
    truth: Truth | None = None
    tested: Performance | None = None
    prepared: Prepared | None = None
    beside: tuple[Performance, ...] = ()
    data_digest: str | None = None
    timings: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def roc(self) -> RocRelease:
        """The released curve of a study that evaluates by one."""
        assert isinstance(self.evaluated, RocRelease)
        return self.evaluated

    @property
    def performance(self) -> Performance:
        """What was tested, exactly (private), of a study that went so far."""
        assert self.tested is not None
        return self.tested

    @property
    def simulated(self) -> bool:
        """Whether the noise can be repeated: then nothing here may be called private."""
        return self.config.noise.simulated

    @property
    def total(self) -> Loss:
        """The composed loss of all charges."""
        return Ledger(neighbors=self.config.neighbors).total(self.charges)

    @property
    def composition(self) -> str:
        """The rule by which the charges add up to the total, in one sentence."""
        return composition(self.charges, self.config.neighbors)

    @property
    def selected_names(self) -> tuple[str, ...]:
        """Names of the features that the model uses."""
        if self.selection is None:
            return ()
        return tuple(self.feature_names[index] for index in self.selection.selected)

    def to_json(self) -> str:
        """The result as JSON; equal studies on equal data give equal texts in a simulation."""
        document = {
            "simulation": self.simulated,
            "study": plain(self.config),
            "study_digest": digest(self.config),
            "data": self.data_digest,
            "schema": None if self.schema is None else self.schema.digest(),
            "selection": self._selection_as_json(),
            "roc": self.roc.as_json(),
            "privacy": {
                "neighbors": self.config.neighbors.value,
                "charges": charges_as_json(self.charges),
                "epsilon": str(self.total.epsilon),
                "delta": str(self.total.delta),
                "composition": self.composition,
            },
            "truth": None if self.truth is None else self.truth.as_json(),
        }
        return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    def _selection_as_json(self) -> dict[str, Any] | None:
        if self.selection is None:
            return None
        told = {"features": len(self.feature_names), "selected": list(self.selected_names)}
        return told | {"scores": json.loads(self.selection.to_json())["scores"]}


def run_workflow(
    config: Workflow,
    *,
    data: StudyData | None = None,
    base: Path | None = None,
    cache: Cache | None = None,
    progress: Progress | None = None,
    goal: Goal | None = None,
    beside: bool = True,
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
    beside : bool, default True
        Whether a simulation also trains what its model is compared with: the same with the noise
        off, and a reference, which takes most of the time where records are many.

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
    opened = _opened(config, data, base)
    stages = plan(config, goal, beside)
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
    return _result(config, session, goal)


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
    opened = _opened(config, data)
    session = _Session(config, opened, cache if config.noise.simulated else None)
    session.advance(next(stage for stage in plan(config) if stage.name == "prepare"))
    prepared: Prepared = session.outputs["prepare"]
    return prepared


def _opened(config: Workflow, data: StudyData | None, base: Path | None = None) -> OpenData:
    example = "Workflow(data=DataSource(sample='heart-risk'))"
    _check.of_kind(Workflow, example, config=config)
    return open_records(data) if data is not None else open_source(config.data, base)


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
        needs = (self.outputs[name] for name in stage.needs)
        value = stage.run(*needs, **stage.arguments(self.config), **account)
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
    found: dict[str, Ledger] = {}
    for group in parts.values():
        ledger = Ledger(sum((charge.loss for charge in group), Loss(0)), neighbors)
        found |= dict.fromkeys((charge.label for charge in group), ledger)
    return found


def _result(config: Workflow, session: _Session, goal: Goal | None) -> WorkflowResult:
    outputs, simulated = session.outputs, config.noise.simulated
    prepared = outputs.get("prepare")
    return WorkflowResult(
        config=config,
        evaluated=outputs.get("evaluate"),
        charges=session.charges,
        schema=prepared.schema if prepared is not None else None,
        feature_names=prepared.train.space.names if prepared is not None else (),
        selection=outputs.get("select"),
        model=outputs.get("train"),
        truth=_truth(outputs) if goal is None else None,
        tested=outputs["score"].performance if simulated and "score" in outputs else None,
        prepared=prepared if simulated else None,
        beside=tuple(outputs[name] for name in ("noise free", "reference") if name in outputs),
        data_digest=outputs["data"].digest if simulated else None,
        timings=MappingProxyType(session.timings if simulated else {}),
    )


def _truth(outputs: dict[str, Any]) -> Truth | None:
    scored: Scored = outputs["score"]
    if scored.curve is None:
        return None
    fpr, tpr = scored.curve
    released: RocRelease = outputs["evaluate"]
    scores = scored.performance.scores
    return Truth(
        fpr=fpr,
        tpr=tpr,
        area=roc_area_between(released.fpr, released.tpr, fpr, tpr),
        model=scored.performance,
        noise_free=outputs.get("noise free"),
        reference=outputs.get("reference"),
        n_train=scored.n_train,
        n_test=scores.n_positive + scores.n_negative,
    )
