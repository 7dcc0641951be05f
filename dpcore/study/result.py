"""What a study found, and what it cost."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.evaluation import RocRelease
from dpcore.models.estimator import PrivateClassifier
from dpcore.privacy import Charge, Ledger, Loss, Neighbors, charges_as_json, shown
from dpcore.schema import Schema
from dpcore.selection import SelectionRelease
from dpcore.study.baselines import REFERENCE_IN_FULL
from dpcore.study.config import SECTIONS, Workflow
from dpcore.study.sections import NoiseChoice
from dpcore.study.steps import Prepared
from dpcore.study.truth import Performance, Truth


def to_json(config: Workflow) -> str:
    """Write a configuration; equal configurations give equal texts.

    Examples
    --------
    >>> from dpcore.study import DataSource
    >>> study = Workflow(data=DataSource(sample="messages"))
    >>> from_json(to_json(study)) == study
    True
    """
    return json.dumps(plain(config), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def from_json(text: str) -> Workflow:
    """Read a configuration; what is left out takes its default.

    Raises
    ------
    InvalidArgument
        If the text is not JSON, or a field is out of range.
    UnknownMethod
        If a key or a method is unknown; the message has the nearest spelling.
    """
    try:
        document = json.loads(text, object_pairs_hook=_without_duplicates)
    except json.JSONDecodeError as error:
        where = f"valid JSON; line {error.lineno}, column {error.colno}: {error.msg}"
        raise InvalidArgument("study", text[error.pos : error.pos + 20], where) from None
    given = _keys_of(Workflow, document, "the study")
    if "data" not in given:
        raise InvalidArgument("data", None, 'given, for example {"sample": "bank-calls"}')
    sections = {
        name: section(**_keys_of(section, _renamed(given[name]), name))
        for name, section in SECTIONS.items()
        if name in given
    }
    return Workflow(**{**given, **sections})


def digest(config: Workflow) -> str:
    """SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(to_json(config).encode()).hexdigest()


def plain(value: Any) -> Any:
    """Turn a configuration or a part of it into JSON types; numbers stay exact."""
    if is_dataclass(value) and not isinstance(value, NoiseChoice):
        present = {part.name: getattr(value, part.name) for part in fields(value)}
        return {name: plain(item) for name, item in present.items() if item is not None}
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction):
        return shown(value) if Fraction(shown(value)) == value else str(value)
    return str(value) if isinstance(value, NoiseChoice) else value


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise InvalidArgument("study", key, "an object that gives every key once")
    return dict(pairs)


def _renamed(section: Any) -> Any:
    """A section with the present names: what scores are was called their link."""
    if not isinstance(section, dict) or "link" not in section:
        return section
    warnings.warn('"link" of a study is now called "scale"', DeprecationWarning, stacklevel=3)
    old = section["link"]
    rest = {name: told for name, told in section.items() if name != "link"}
    return {"scale": "log-odds" if old == "logit" else old, **rest}


def _keys_of(section: type, given: Any, where: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise InvalidArgument(where, given, "a JSON object")
    known = [part.name for part in fields(section)]
    for key in given:
        if key not in known:
            raise UnknownMethod(f"field of {where}", key, known)
    return given


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
    data_digest: str | None = None
    timings: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def roc(self) -> RocRelease:
        """The released curve of a study that evaluates by one."""
        assert isinstance(self.evaluated, RocRelease)
        return self.evaluated

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
            "truth": None if self.truth is None else _truth_as_json(self.truth),
        }
        return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    def _selection_as_json(self) -> dict[str, Any] | None:
        if self.selection is None:
            return None
        return {
            "features": len(self.feature_names),
            "selected": list(self.selected_names),
            "scores": json.loads(self.selection.to_json())["scores"],
        }


def composition(charges: tuple[Charge, ...], neighbors: Neighbors) -> str:
    """Say how charges compose.

    Examples
    --------
    >>> from dpcore.privacy import Part
    >>> train, test = (Part("split", name, None, True) for name in ("train", "test"))
    >>> spent = Charge("model", "", Loss(1), train), Charge("curve", "", Loss("0.5"), test)
    >>> composition(spent, Neighbors.ADD_REMOVE)
    'Charges on train add up to epsilon 1, on test to epsilon 0.5; the parts are disjoint, so one
    person pays the larger: epsilon 1.'
    """
    ledger = Ledger(neighbors=neighbors)
    total = ledger.total(charges)
    groups: dict[str, list[Charge]] = {}
    for charge in charges:
        groups.setdefault(charge.part.path[0].member if charge.part else "", []).append(charge)
    if len(charges) == 1:
        return f"There is one charge: {total}."
    if len(groups) < 2:
        return f"All charges are on the same records, so they add up: {total}."
    sums = ", ".join(
        f"on {name or 'all records'} to {ledger.total(group)}" for name, group in groups.items()
    )
    return (
        f"Charges {sums.replace(' to ', ' add up to ', 1)}; the parts are disjoint, so one person "
        f"pays the larger: {total}."
    )


def _truth_as_json(truth: Truth) -> dict[str, Any]:
    reference = _performance_as_json(truth.reference)
    return {
        "area_between": truth.area,
        "model": _performance_as_json(truth.model),
        "noise_free": _performance_as_json(truth.noise_free),
        "reference": None if reference is None else reference | {"name": REFERENCE_IN_FULL},
        # The name that the reference had in earlier versions.
        "peer": reference,
        "n_train": truth.n_train,
        "n_test": truth.n_test,
        "left_out": truth.model.scores.left_out,
        "fpr": truth.fpr.tolist(),
        "tpr": truth.tpr.tolist(),
    }


def _performance_as_json(performance: Performance | None) -> dict[str, Any] | None:
    if performance is None:
        return None
    return {
        "auc": performance.auc,
        "auc_on_cells": performance.auc_on_cells,
        "accuracy": performance.accuracy,
    }
