"""The frozen configuration of one study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpcore.errors import InvalidArgument
from dpcore.privacy import Charge, Ledger, Loss, Neighbors
from dpcore.registry import Method
from dpcore.study import methods
from dpcore.study.sections import (
    TEST,
    TRAIN,
    DataSource,
    Evaluation,
    Model,
    NoiseChoice,
    Selection,
    Split,
)
from dpcore.study.shares import PHASES, Epsilons

__all__ = ["SECTIONS", "Workflow"]

SECTIONS = {
    "data": DataSource,
    "split": Split,
    "selection": Selection,
    "model": Model,
    "evaluation": Evaluation,
    "epsilon": Epsilons,
}


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
                raise InvalidArgument(name, getattr(self, name), f"a {section.__name__}")
        object.__setattr__(self, "neighbors", Neighbors.of(self.neighbors))
        object.__setattr__(self, "noise", NoiseChoice.of(self.noise))
        if not isinstance(self.title, str):
            raise InvalidArgument("title", self.title, "text")
        self._check_phases()

    def _check_phases(self) -> None:
        if self.trains:
            methods.trainer(self.model.kind, self.model.method).require(self.neighbors)
            _require_epsilon("training", self.epsilon)
        if self.selects:
            methods.selector(self.selection.method).require(self.neighbors)
            _require_epsilon("selection", self.epsilon)
        methods.evaluator(self.evaluation.method).require(self.neighbors)
        _require_epsilon("evaluation", self.epsilon)

    @property
    def trains(self) -> bool:
        """Whether the study trains a model, or only evaluates uploaded predictions."""
        return self.data.kind != "predictions"

    @property
    def selects(self) -> bool:
        """Whether the study spends anything on choosing features."""
        return self.trains and methods.selector(self.selection.method).spends

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
    def charges(self) -> tuple[Charge, ...]:
        """What the study will charge, in order; known before it runs, because budgets are public.

        Every page, command and request reads it here. A phase that releases in several steps is
        charged step by step when it runs, and the steps come to what is said here.
        """
        found = {
            "selection": methods.selector(self.selection.method),
            "training": methods.trainer(self.model.kind, self.model.method),
            "evaluation": methods.evaluator(self.evaluation.method),
        }
        told = {
            "selection": self.selection.parameters,
            "training": self.model.parameters,
            "evaluation": self.evaluation.parameters,
        }
        return tuple(self.charge(phase, found[phase], told[phase]) for phase in self.phases)

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


def _require_epsilon(phase: str, epsilon: Epsilons) -> None:
    if getattr(epsilon, phase) == 0:
        raise InvalidArgument(f"epsilon.{phase}", "0", "positive, because that phase reads data")
