"""A request: what somebody asks the desk to publish."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from dpcore import __version__, _check
from dpcore.errors import InvalidArgument, NotPrivate, PrivateInference
from dpcore.privacy import Charge, Ledger, Loss, Number, exact
from dpcore.publications import Publication, publication, publications_of
from dpcore.registry import Method, checked
from dpcore.store import LedgerStore
from dpcore.study import Dataset, Epsilons, NoiseChoice, Workflow, WorkflowResult, run_workflow
from dpcore.study.config import PHASES, from_json, keys_of, parsed, plain
from dpcore.study.run import Cache
from dpcore.study.sources import StudyData
from dpcore.study.stages import Goal

_UNPUBLISHED = ("sample", "file", "schema", "predictions")


@dataclass(frozen=True, kw_only=True)
class Request:
    """One release: public facts only, each checked where it is made.

    Parameters
    ----------
    what : str
        Of `publications`; "groups", "compare" and "classes" need data that are declared so.
    study : Workflow
        Data, features, model, epsilons and neighbours; its noise becomes the system's, whatever it
        says. `study.evaluation.confidence` counts for every kind.
    method : str, optional
        Of the evaluation; for a ROC curve the study's own if left out, else the usual one.
    parameters : mapping, optional
        Of the method; defaults are filled in.
    options : mapping, optional
        Of the kind, such as the points of an ECDF; defaults are filled in.

    Raises
    ------
    UnknownMethod, InvalidArgument, UnsupportedNeighbors
        If a field is out of range or names nothing.
    NotPrivate
        If a method that it uses is BROKEN.
    PrivateInference
        If predictions have no declared positive label.

    Examples
    --------
    >>> from dpcore.study import DataSource
    >>> study = Workflow(data=DataSource(predictions="scores.csv", positive="1"))
    >>> request = Request(what="roc", study=study).with_total("0.3")
    >>> str(request.cost), request.method, Request.from_json(request.to_json()) == request
    ('epsilon 0.3', 'quantile-bins', True)
    """

    what: str
    study: Workflow
    method: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kind = publication(self.what)
        if not isinstance(self.study, Workflow):
            raise InvalidArgument("study", type(self.study).__name__, "a Workflow")
        object.__setattr__(self, "study", replace(self.study, noise=NoiseChoice(None)))
        with _check.called("options.{}".format):
            options = checked(kind.options, self.options, kind.name)
        object.__setattr__(self, "options", MappingProxyType(options))
        self._take_method(kind)
        self._require_phases(kind)
        for method in self.methods:
            if not method.guarantee.holds:
                raise NotPrivate(method.name, method.guarantee.reason)

    def _take_method(self, kind: Publication) -> None:
        name, told, own = self.method, self.parameters, self.study.evaluation
        if self.what == "roc" and not name:
            name, told = own.method, dict(told) or own.parameters
        if kind.methods is None and (name or told):
            raise InvalidArgument("method", name, f"left out, for {kind.name} has none")
        method = kind.method(name or kind.default, self.study.neighbors)
        parameters = {} if method is None else method.check(told)
        object.__setattr__(self, "method", name or kind.default)
        object.__setattr__(self, "parameters", MappingProxyType(parameters))

    def _require_phases(self, kind: Publication) -> None:
        source = self.study.data
        if not kind.fits(source):
            fit = ", ".join(publications_of(source))
            raise InvalidArgument("what", self.what, f"one of {fit}, for {source.kind} declared so")
        if self.what == "calibration" and source.scale == "any":
            raise InvalidArgument("what", self.what, "another release for scores of any scale")
        if not self.study.trains and source.positive is None:
            raise PrivateInference("the positive label", "name it in data.positive")
        if not self.phases:
            remedy = "features only with a selection.method other than 'none'"
            raise InvalidArgument("what", self.what, remedy)

    @property
    def kind(self) -> Publication:
        """The declaration of what is published."""
        return publication(self.what)

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases that are charged, in order."""
        return tuple(phase for phase in self.kind.phases if phase in self.study.phases)

    @property
    def methods(self) -> tuple[Method, ...]:
        """The declarations of the methods that the phases use, in the same order."""
        return tuple(method for method, _ in self._chosen.values())

    @property
    def _chosen(self) -> dict[str, tuple[Method, Mapping[str, Any]]]:
        """As `Workflow.chosen`, but with its own evaluation."""
        found, own = self.study.chosen, self.kind.method(self.method, self.study.neighbors)
        if own is not None:
            found["evaluation"] = own, self.parameters
        return {phase: found[phase] for phase in self.phases}

    @property
    def charges(self) -> tuple[Charge, ...]:
        """What it will charge, in order; known before it runs, because budgets are public."""
        return tuple(self.study.charge(phase, *chosen) for phase, chosen in self._chosen.items())

    @property
    def cost(self) -> Loss:
        """The composed loss: maximum over the disjoint parts, sums elsewhere."""
        return Ledger(neighbors=self.study.neighbors).total(self.charges)

    def carry_out(
        self, records: StudyData, *, noise: NoiseChoice, cache: Cache | None = None
    ) -> WorkflowResult:
        """Run the study as far as the request goes, on exactly its charges; see `run_workflow`.

        Parameters
        ----------
        records : Dataset or Predictions
        noise : NoiseChoice
            The system's for a release, a seed for a preview.
        cache : mutable mapping, optional
        """
        evaluate = self.kind.evaluate
        if evaluate is not None:
            told = {"parameters": self.parameters, "options": self.options}
            evaluate = partial(evaluate, method=self.method, **told)
        own = replace(self.study.evaluation, seed=None)
        study = replace(self.study, noise=noise, evaluation=own)
        goal = Goal(charges=self.charges, evaluate=evaluate, takes=self.kind.takes)
        return run_workflow(study, data=records, cache=cache, goal=goal)

    def with_total(self, total: Number) -> Request:
        """The same request at another total epsilon; every phase keeps its proportion, exactly.

        Raises
        ------
        InvalidArgument
            If the total is not positive.
        """
        wanted = exact(total, name="total")
        if wanted <= 0:
            raise InvalidArgument("total", str(wanted), "positive")
        scale = wanted / self.cost.epsilon
        scaled = {phase: getattr(self.study.epsilon, phase) * scale for phase in PHASES}
        return replace(self, study=replace(self.study, epsilon=Epsilons(**scaled)))

    def public(self) -> dict[str, Any]:
        """Everything that defines the release, without names of files."""
        study = plain(self.study)
        told = study["data"].items()
        study["data"] = {name: value for name, value in told if name not in _UNPUBLISHED}
        # Neither the coins of the split nor the noise come from a seed, and a title is no choice.
        for section, name in (("split", "seed"), ("evaluation", "seed")):
            study[section].pop(name, None)
        asked = {"what": self.what, "method": self.method, "parameters": dict(self.parameters)}
        study = {name: value for name, value in study.items() if name != "title"}
        return asked | {"options": dict(self.options), "study": study}

    def to_json(self) -> str:
        """The request as JSON text, for ``python -m dpcore release``."""
        document = self.public() | {"study": plain(self.study)}
        return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Request:
        """Read what `to_json` wrote, or an object with `what` and `study` at least.

        Raises
        ------
        InvalidArgument, UnknownMethod
            If the text is not JSON, or a key is missing or unknown.
        """
        document = keys_of(cls, parsed(text, "request"), "a request")
        if not {"what", "study"} <= set(document):
            raise InvalidArgument("request", list(document), "an object of what and study")
        return cls(**{**document, "study": from_json(json.dumps(document["study"]))})


def request_id(request: Request, data: StudyData, store: LedgerStore) -> str:
    """HMAC over data, schema, request, neighbours and code version, under the ledger's key.

    Keyed, because a plain digest would let anybody check a guess at the data. Who may open data on
    a server that has the key can check it there.

    Examples
    --------
    >>> import tempfile
    >>> from dpcore.desk.simulate import Assumed, simulated_predictions
    >>> from dpcore.study import DataSource, Workflow
    >>> study = Workflow(data=DataSource(predictions="scores.csv", positive="1"))
    >>> renamed = Workflow(data=DataSource(predictions="other.csv", positive="1"), title="Again")
    >>> made = simulated_predictions(Assumed(n=20))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = LedgerStore(f"{folder}/ledger.sqlite")
    ...     asked = [Request(what="roc", study=one) for one in (study, renamed)]
    ...     len({request_id(one, made, store) for one in asked})
    1
    """
    schema = data.schema.digest() if isinstance(data, Dataset) else None
    told = {"data": data.digest, "schema": schema, "request": _as_signed(request.public())}
    return store.sign(told | {"neighbors": request.study.neighbors.value, "code": __version__})


def _as_signed(public: dict[str, Any]) -> dict[str, Any]:
    """The request in the words of the first ledgers, so that what they stored is found again."""
    data = public["study"]["data"]
    link = {"log-odds": "logit"}.get(data["scale"], data["scale"])
    said = {name: value for name, value in data.items() if name != "scale"} | {"link": link}
    return public | {"study": public["study"] | {"data": said}}
