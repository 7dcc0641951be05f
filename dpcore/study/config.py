"""The frozen configuration of one study, and its JSON text."""

import hashlib
import json
import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.privacy import Charge, Ledger, Loss, Neighbors, Number, exact, shown
from dpcore.registry import Method
from dpcore.study import sections
from dpcore.study.data_source import DataSource
from dpcore.study.sections import TEST, TRAIN, Evaluation, Model, NoiseChoice, Selection, Split

PHASES = ("selection", "training", "evaluation")
_STEP = Fraction(1, 100)


@dataclass(frozen=True, kw_only=True)
class Epsilons:
    """What each phase may spend; 0 for a phase that reads no private data.

    Parameters
    ----------
    selection, training, evaluation : int, float, str or Fraction
        Zero or positive; held as exact fractions, floats read by their decimals.

    Examples
    --------
    >>> Epsilons(selection=0, training=0.9, evaluation="0.1").training
    Fraction(9, 10)
    """

    selection: Fraction = Fraction(0)
    training: Fraction = Fraction(1)
    evaluation: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        for phase in PHASES:
            name = f"epsilon.{phase}"
            value = exact(getattr(self, phase), name=name)
            if value < 0:
                raise InvalidArgument(name, str(value), "zero or positive")
            object.__setattr__(self, phase, value)


def rebalance(
    shares: Mapping[str, Number], changed: str, value: Number, locked: Collection[str] = ()
) -> dict[str, Fraction]:
    """Move one share; the unlocked others keep their proportions, and all add up to 1 exactly.

    New shares are rounded to hundredths, so that they stay short to read.

    Parameters
    ----------
    shares : mapping of str to number
        Present shares, zero or positive, with the sum 1.
    changed : str
        The share that moves; not a locked one.
    value : number
        Where it should go. It stops where the locked shares leave no room.
    locked : collection of str
        Shares that stay as they are.

    Raises
    ------
    InvalidArgument
        If the shares do not add up to 1, or `changed` is locked or unknown.

    Examples
    --------
    >>> moved = rebalance({"a": 0.2, "b": 0.2, "c": 0.6}, "c", 0.5, locked={"a"})
    >>> {name: str(share) for name, share in moved.items()}
    {'a': '1/5', 'b': '3/10', 'c': '1/2'}
    """
    present = _checked(shares)
    if changed not in present or changed in locked:
        raise InvalidArgument("changed", changed, "an unlocked share")
    free = [name for name in present if name != changed and name not in locked]
    room = Fraction(1) - sum(present[name] for name in present if name in locked)
    wanted = round(exact(value, name="value") / _STEP) * _STEP
    target = min(max(wanted, Fraction(0)), room) if free else room
    divided = _divide(room - target, {name: present[name] for name in free})
    return {**present, changed: target, **divided}


def _checked(shares: Mapping[str, Number]) -> dict[str, Fraction]:
    parts = {name: exact(share, name=f"shares.{name}") for name, share in shares.items()}
    if min(parts.values(), default=Fraction(-1)) < 0 or sum(parts.values()) != 1:
        shown = {name: str(part) for name, part in parts.items()}
        raise InvalidArgument("shares", shown, "zero or positive and add up to 1")
    return parts


def _divide(rest: Fraction, weights: dict[str, Fraction]) -> dict[str, Fraction]:
    """Divide `rest` in proportion on a grid, by largest remainders; the parts add up exactly."""
    if not weights:
        return {}
    total = sum(weights.values())
    even = Fraction(1, len(weights))
    ideal = {name: rest * (one / total if total else even) for name, one in weights.items()}
    parts = {name: part // _STEP * _STEP for name, part in ideal.items()}
    by_remainder = sorted(ideal, key=lambda name: parts[name] - ideal[name])
    whole_steps, crumb = divmod(rest - sum(parts.values()), _STEP)
    for name in by_remainder[:whole_steps]:
        parts[name] += _STEP
    # Locked shares off the grid leave a crumb that no rounding can place.
    parts[by_remainder[0]] += crumb
    return parts


SECTIONS: dict[str, type[Any]] = {"data": DataSource, "split": Split, "selection": Selection}
SECTIONS |= {"model": Model, "evaluation": Evaluation, "epsilon": Epsilons}


@dataclass(frozen=True, kw_only=True)
class Workflow:
    """Select features, train, score and evaluate: one configuration, one result.

    Parameters
    ----------
    data : DataSource
    split : Split
    selection : Selection
    model : Model
    evaluation : Evaluation
    epsilon : Epsilons
        What each phase spends.
    neighbors : Neighbors or str, default "add-remove"
        The relation in which all of them count.
    noise : NoiseChoice or str, default "seed:0"
        "seed:7" simulates, "system" releases.
    title : str, default ""
        For people; changes no number.

    Raises
    ------
    InvalidArgument, UnknownMethod, UnsupportedNeighbors
        If a field is out of range or names nothing; the message names the field.

    Notes
    -----
    Every field is public. Two equal configurations on the same data give the same result in a
    simulation.

    Examples
    --------
    >>> study = Workflow(data=DataSource(sample="breast-cancer"), epsilon=Epsilons(training=0.5))
    >>> str(study.cost)
    'epsilon 1'
    """

    data: DataSource
    split: Split = field(default_factory=Split)
    selection: Selection = field(default_factory=Selection)
    model: Model = field(default_factory=Model)
    evaluation: Evaluation = field(default_factory=Evaluation)
    epsilon: Epsilons = field(default_factory=Epsilons)
    neighbors: Neighbors = Neighbors.ADD_REMOVE
    noise: NoiseChoice = field(default_factory=lambda: NoiseChoice(0))
    title: str = ""

    def __post_init__(self) -> None:
        for name, section in SECTIONS.items():
            if not isinstance(getattr(self, name), section):
                raise InvalidArgument(name, getattr(self, name), f"of the class {section.__name__}")
        object.__setattr__(self, "neighbors", Neighbors.of(self.neighbors))
        object.__setattr__(self, "noise", NoiseChoice.of(self.noise))
        if not isinstance(self.title, str):
            raise InvalidArgument("title", self.title, "text")
        for phase, (method, _) in self.chosen.items():
            method.require(self.neighbors)
            if getattr(self.epsilon, phase) == 0:
                requirement = "positive, because that phase reads data"
                raise InvalidArgument(f"epsilon.{phase}", "0", requirement)

    @property
    def trains(self) -> bool:
        """Whether the study trains a model, or only evaluates uploaded predictions."""
        return self.data.predictions is None

    @property
    def selects(self) -> bool:
        """Whether the study spends anything on choosing features."""
        return self.trains and sections.selector(self.selection.method).spends

    @property
    def evaluation_noise(self) -> NoiseChoice:
        """Where the noise of the evaluation comes from: it may have a seed of its own."""
        own = self.evaluation.seed
        return NoiseChoice(own) if self.noise.simulated and own is not None else self.noise

    @property
    def seeds(self) -> tuple[int, ...]:
        """Every seed that noise comes from, ascending; none with real noise."""
        found = {self.noise.seed, self.evaluation_noise.seed}
        return tuple(sorted(seed for seed in found if seed is not None))

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases that read data, in order."""
        runs = {"selection": self.selects, "training": self.trains, "evaluation": True}
        return tuple(phase for phase in PHASES if runs[phase])

    @property
    def chosen(self) -> dict[str, tuple[Method, Mapping[str, Any]]]:
        """By phase that reads data its method, and the parameters of that."""
        trainer = sections.trainer(self.model.kind, self.model.method)
        every = {
            "selection": (sections.selector(self.selection.method), self.selection.parameters),
            "training": (trainer, self.model.parameters),
            "evaluation": (sections.evaluator(self.evaluation.method), self.evaluation.parameters),
        }
        return {phase: every[phase] for phase in self.phases}

    @property
    def charges(self) -> tuple[Charge, ...]:
        """What the study will charge, in order; known before it runs, because budgets are public.

        Every page, command and request reads it here. A phase that releases in several steps is
        charged step by step when it runs, and the steps come to what is said here.
        """
        return tuple(self.charge(phase, *chosen) for phase, chosen in self.chosen.items())

    def charge(self, phase: str, method: Method, parameters: Mapping[str, Any]) -> Charge:
        """What one phase charges if it runs that method."""
        part = (TEST if phase == "evaluation" else TRAIN) if self.trains else None
        # A method that is private only up to a delta declares it as a parameter of its own.
        loss = Loss(getattr(self.epsilon, phase), parameters.get("delta", 0))
        return Charge(phase, method.name, loss, part)

    @property
    def cost(self) -> Loss:
        """The composed loss of the phases that run: train and test parts are disjoint."""
        return Ledger(neighbors=self.neighbors).total(self.charges)


def to_json(config: Workflow) -> str:
    """Write a configuration; equal configurations give equal texts.

    Examples
    --------
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
    given = keys_of(Workflow, parsed(text, "study"), "the study")
    if "data" not in given:
        raise InvalidArgument("data", None, 'given, for example {"sample": "bank-calls"}')
    sections = {
        name: section(**keys_of(section, _renamed(given[name]), name))
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


def parsed(text: str, what: str) -> Any:
    """What a JSON text says; it is refused where it is none, or gives a key twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) > 1:
                raise InvalidArgument(what, key, "an object that gives every key once")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=once)
    except InvalidArgument:
        raise
    except json.JSONDecodeError as error:
        where = f"valid JSON; line {error.lineno}, column {error.colno}: {error.msg}"
        raise InvalidArgument(what, text[error.pos : error.pos + 20], where) from None
    except (TypeError, ValueError, RecursionError):
        raise InvalidArgument(what, type(text).__name__, "the text of a JSON object") from None


def _renamed(section: Any) -> Any:
    """A section with the present names: what scores are was called their link."""
    if not isinstance(section, dict) or "link" not in section:
        return section
    warnings.warn('"link" of a study is now called "scale"', DeprecationWarning, stacklevel=3)
    old = section["link"]
    rest = {name: told for name, told in section.items() if name != "link"}
    return {"scale": "log-odds" if old == "logit" else old, **rest}


def keys_of(section: type, given: Any, where: str) -> dict[str, Any]:
    """A JSON object for a class, all of whose keys are fields of it."""
    if not isinstance(given, dict):
        raise InvalidArgument(where, given, "a JSON object")
    known = [part.name for part in fields(section)]
    for key in given:
        if key not in known:
            raise UnknownMethod(f"field of {where}", key, known)
    return given
