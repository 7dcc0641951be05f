"""The stages of a study, each a pure function of exactly the fields that it names.

A stage is handed the values of the fields in `Stage.reads`, the outputs of the stages in
`Stage.needs`, and nothing else; so its key, a digest of those, names its output.
"""

import hashlib
import json
import tomllib
from collections import UserDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from pathlib import Path
from typing import Any

from dpcore import _check
from dpcore.privacy import Charge
from dpcore.study import steps
from dpcore.study.config import Workflow, plain


class StageCache(UserDict[tuple[str, str], Any]):
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
        super().__init__()
        _check.integer_in_range(1, None, entries=entries)
        self.entries = entries

    def __setitem__(self, place: tuple[str, str], output: Any) -> None:
        """Keep an output as the newest of its stage."""
        self.data.pop(place, None)
        self.data[place] = output
        # Threads may share it: one looks through a copy, and finds the oldest gone already.
        for oldest in [one for one in list(self.data) if one[0] == place[0]][: -self.entries]:
            self.data.pop(oldest, None)


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
    beside
        Whether a simulation is compared with the noise off, and with the reference.
    """

    charges: tuple[Charge, ...]
    evaluate: Callable[..., Any] | None = None
    takes: str = "scores"
    beside: bool = False


@dataclass(frozen=True)
class Stage:
    """One step of a study.

    Parameters
    ----------
    run
        Takes the outputs of `needs` by position and the fields of `reads` by keyword, and a ledger
        if `spends`.
    needs
        Earlier stages; "data" stands for the opened records.
    reads
        Dotted fields of `Workflow`, each behind the keyword of `run` that takes it if that is
        called otherwise, as in "split bins=selection.bins".
    spends
        The phase that it charges for; empty if it charges nothing.
    cached
        Whether what it reads names its output.
    effort
        Rough share of the running time, for the progress bar.
    """

    name: str
    run: Callable[..., Any]
    needs: tuple[str, ...]
    reads: str = ""
    spends: str = ""
    cached: bool = True
    effort: float = 1.0

    def arguments(self, config: Workflow) -> dict[str, Any]:
        """The values of the fields that the stage reads."""
        fields = [one.rpartition("=") for one in self.reads.split()]
        return {name or path: reduce(getattr, path.split("."), config) for name, _, path in fields}


def key(stage: Stage, config: Workflow, keys: Mapping[str, str]) -> str:
    """Digest of exactly what a stage reads.

    Parameters
    ----------
    keys
        Keys of the stages it needs, and of the data.
    """
    document = [stage.name, plain(stage.arguments(config)), [keys[name] for name in stage.needs]]
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


_READS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_ENCODED = ("prepare",)
_PREPARE = Stage("prepare", steps.prepare, ("data",), _READS["prepare"], effort=3)
_SELECT = Stage("select", steps.select, _ENCODED, _READS["select"], "selection")
_TRAIN = Stage("train", steps.train, (*_ENCODED, "select"), _READS["train"], "training", effort=3)
_SCORE = Stage("score", steps.score, (*_ENCODED, "select", "train"), _READS["simulated"])
_NOISE_FREE = Stage("noise free", steps.noise_free, _ENCODED, _READS["noise free"], effort=3)
_REFERENCE = Stage("reference", steps.reference, _ENCODED, effort=2)
_TALLY = Stage("score", steps.tally, ("data",), f"positive=data.positive {_READS['simulated']}")
_EVALUATE = Stage("evaluate", steps.evaluate, ("score",), _READS["evaluate"], "evaluation")


def _evaluating(release: Callable[..., Any], takes: str) -> Stage:
    """The evaluation that a goal asks for, which no field of the study names."""
    run = partial(steps.evaluate_by, release, takes)
    return replace(_EVALUATE, run=run, reads=_READS["goal"], cached=False)


def plan(config: Workflow, goal: Goal | None = None, beside: bool = True) -> tuple[Stage, ...]:
    """The stages that a configuration runs, in order; of a goal that says so itself, all `beside`.

    Examples
    --------
    >>> from dpcore.study import DataSource
    >>> [stage.name for stage in plan(Workflow(data=DataSource(predictions="scores.csv")))]
    ['score', 'evaluate']
    """
    compared = config.noise.simulated and (beside if goal is None else goal.beside)
    others = (_NOISE_FREE, _REFERENCE) if compared else ()
    if goal is None:
        if not config.trains:
            return _TALLY, _EVALUATE
        return _PREPARE, _SELECT, _TRAIN, _SCORE, *others, _EVALUATE
    evaluate = () if goal.evaluate is None else (_evaluating(goal.evaluate, goal.takes),)
    if not config.trains:
        return _TALLY, *evaluate
    if "training" not in {charge.label for charge in goal.charges}:
        return _PREPARE, _SELECT
    scored = (_SCORE,) if evaluate or config.noise.simulated else ()
    return _PREPARE, _SELECT, _TRAIN, *scored, *others, *evaluate
