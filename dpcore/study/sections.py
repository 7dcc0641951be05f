"""The sections of a workflow's configuration: public facts only, each checked where it is made."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias, cast

from dpcore import _check
from dpcore.data.reading import samples
from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.evaluation import roc_methods
from dpcore.models import DPClassifier, DPLogisticRegression, DPNaiveBayes
from dpcore.models.estimator import PrivateClassifier
from dpcore.noise import NoiseSource, SeededNoise, SystemNoise
from dpcore.privacy import Part
from dpcore.registry import Method, Parameter
from dpcore.selection.methods import RULES, selectors
from dpcore.selection.problem import Selector
from dpcore.selection.scores import SCORES
from dpcore.selection.scoring import RowBound

# The default first: "auto" without a kind is its method.
ESTIMATORS: Mapping[str, type[PrivateClassifier]] = {
    "classifier": DPClassifier,
    "naive-bayes": DPNaiveBayes,
    "logistic": DPLogisticRegression,
}

# Public facts about rows, with the name that `RowBound` has for each.
_ROW_BOUND = {"max_nonzeros": "most", "row_bound": "how", "max_rows": "max_rows"}


def selector(name: str) -> Selector:
    """The feature selector of that name, or `UnknownMethod` with the nearest spelling."""
    return cast(Selector, selectors.get(name))


def selection_parameters(method: Selector) -> tuple[Parameter, ...]:
    """What a study can tell a selector: its score, one of its rules, and its own parameters.

    Besides, `max_nonzeros`, `row_bound` and `max_rows` may be given (see
    `dpcore.selection.select_features`); without them the row bound is that of the schema.
    """
    if not method.spends:
        return method.parameters
    score = Parameter(name="score", default="total-count", choices=SCORES.names())
    return (score, *(RULES[name] for name in method.rules), *method.parameters)


def check_selection(method: Selector, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check what a selector is told, and fill the defaults in.

    Raises
    ------
    InvalidArgument
        If there is more than one rule, or a value is unknown or out of range.
    """
    own, bound = dict(given), {}
    if method.spends:
        bound = {name: own.pop(name) for name in _ROW_BOUND if name in own}
        RowBound(**{_ROW_BOUND[name]: value for name, value in bound.items()})
    rules = [name for name in own if name in RULES]
    if len(rules) > 1:
        requirement = f"left out beside top_k={own['top_k']}"
        raise InvalidArgument("threshold", own["threshold"], requirement)
    checked = replace(method, parameters=selection_parameters(method)).check(own)
    unused = set(RULES) - set(rules or method.rules[:1])
    return bound | {name: value for name, value in checked.items() if name not in unused}


def trainer(kind: str, name: str) -> Method:
    """The training method of that name for one kind of model."""
    return ESTIMATORS[kind]._methods.get(name)


def trainers(kind: str) -> dict[str, Method]:
    """Every training method of one kind of model, by name."""
    return ESTIMATORS[kind]._methods()


def evaluator(name: str) -> Method:
    """The ROC method of that name."""
    return roc_methods.get(name)


def default_method(kind: str) -> str:
    """The method that an estimator uses when its user names none."""
    return str(inspect.signature(ESTIMATORS[kind]).parameters["method"].default)


def require_sample(name: str) -> None:
    """Raise `UnknownMethod` unless a sample of that name ships with the project."""
    if name not in samples():
        raise UnknownMethod("sample", name, samples())


def all_methods() -> dict[str, dict[str, Method]]:
    """Every method that a study can name, by the field that names it."""
    models = {f"model {kind}": trainers(kind) for kind in ESTIMATORS}
    return {"selection": selectors(), **models, "evaluation": roc_methods()}


Parameters: TypeAlias = Mapping[str, Any]

# The coin of a record is tossed by position, whatever its values.
TRAIN = Part("split", "train", fixed_under_replacement=True)

TEST = Part("split", "test", fixed_under_replacement=True)


@dataclass(frozen=True, kw_only=True)
class Split:
    """Which records test the model: an independent coin per record.

    Parameters
    ----------
    test_fraction : float, default 0.3
        Chance of a record to go to the test part, strictly between 0 and 1.
    seed : int, default 0
        Of the coins, in a simulation; with real noise the coins come from the system's entropy.
    """

    test_fraction: float = 0.3
    seed: int = 0

    def __post_init__(self) -> None:
        _check.inside(0, 1, **{"split.test_fraction": self.test_fraction})
        _check.integer_in_range(0, 2**63 - 1, **{"split.seed": self.seed})


@dataclass(frozen=True, kw_only=True)
class Selection:
    """How features are chosen.

    Parameters
    ----------
    method : str, default "none"
        A name from `dpcore.selection.selectors`.
    parameters : mapping, default empty
        What `selection_parameters` lists: for every method but "none" `score` and one of
        `top_k` and `threshold`, and the method's own parameters; besides, `max_nonzeros` (see
        `dpcore.selection.select_features`). Defaults are filled in.
    bins : int, optional
        Into so many bins of equal width, over its declared bounds, each numeric feature is cut, 2
        to 64: its bins are then chosen like levels. Numbers stay numbers, and are always kept, if
        left out.
    """

    method: str = "none"
    parameters: Parameters = field(default_factory=dict)
    bins: int | None = None

    def __post_init__(self) -> None:
        if self.bins is not None:
            _check.integer_in_range(2, 64, **{"selection.bins": self.bins})
        _complete(self, "selection", partial(check_selection, selector(self.method)))


@dataclass(frozen=True, kw_only=True)
class Model:
    """Which classifier is trained.

    Parameters
    ----------
    kind : {"classifier", "naive-bayes", "logistic"}, default "naive-bayes"
    method : str, optional
        A name from `classifier_methods`, `naive_bayes_methods` or `logistic_methods` of
        `dpcore.models`; the estimator's own default if left out.
    parameters : mapping, default empty
        Parameters of the method; defaults are filled in.
    """

    kind: str = "naive-bayes"
    method: str = ""
    parameters: Parameters = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check.one_of(tuple(ESTIMATORS), **{"model.kind": self.kind})
        object.__setattr__(self, "method", self.method or default_method(self.kind))
        _complete(self, "model", trainer(self.kind, self.method).check)


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """How the ROC curve is released.

    Parameters
    ----------
    method : str, default "quantile-bins"
        A name from `dpcore.evaluation.roc_methods`.
    parameters : mapping, default empty
        Parameters of the method; defaults are filled in.
    confidence : float, default 0.9
        Of the bands, strictly between 0 and 1.
    seed : int, optional
        Of the curve's noise, in a simulation: another one draws the curve of the same model again.
        The study's own seed if left out; with real noise it changes nothing.
    """

    method: str = "quantile-bins"
    parameters: Parameters = field(default_factory=dict)
    confidence: float = 0.9
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.seed is not None:
            _check.integer_in_range(0, 2**63 - 1, **{"evaluation.seed": self.seed})
        _check.inside(0, 1, **{"evaluation.confidence": self.confidence})
        _complete(self, "evaluation", evaluator(self.method).check)


@dataclass(frozen=True)
class NoiseChoice:
    """Where noise comes from: a seed that anyone can repeat, or the system's entropy.

    Parameters
    ----------
    seed : int or None
        None means the system's entropy: a private release.

    Examples
    --------
    >>> NoiseChoice.of("seed:7").simulated, str(NoiseChoice(None))
    (True, 'system')
    """

    seed: int | None

    def __post_init__(self) -> None:
        if self.seed is not None:
            _check.integer_in_range(0, 2**63 - 1, noise=self.seed)

    @classmethod
    def of(cls, text: str | NoiseChoice) -> NoiseChoice:
        """Read "seed:7" or "system"."""
        if isinstance(text, NoiseChoice):
            return text
        head, _, digits = str(text).partition(":")
        if text == "system":
            return cls(None)
        if head != "seed" or not (digits.isascii() and digits.isdigit()):
            raise InvalidArgument("noise", text, "'system' or 'seed:' and a whole number")
        return cls(int(digits))

    @property
    def simulated(self) -> bool:
        """Whether the noise can be repeated."""
        return self.seed is not None

    def source(self, stage: str) -> NoiseSource:
        """The stream of one stage; no two stages share one."""
        return SystemNoise() if self.seed is None else SeededNoise(self.seed).child(stage)

    def __str__(self) -> str:
        """Write "seed:7" or "system"."""
        return "system" if self.seed is None else f"seed:{self.seed}"


def _complete(
    section: Selection | Model | Evaluation, name: str, check: Callable[[Parameters], Parameters]
) -> None:
    """Fill the method's defaults in, and let errors name the field."""
    if not isinstance(section.parameters, Mapping):
        raise InvalidArgument(f"{name}.parameters", section.parameters, "a table of parameters")
    with _check.called(f"{name}.parameters.{{}}".format):
        checked = check(section.parameters)
    object.__setattr__(section, "parameters", MappingProxyType(dict(sorted(checked.items()))))
