"""The frozen configuration of one study."""

from __future__ import annotations

from dataclasses import dataclass, field

from dpcore.errors import InvalidArgument
from dpcore.privacy import Loss, Neighbors
from dpcore.studies.workflow import methods
from dpcore.studies.workflow.sections import (
    DataSource,
    Evaluation,
    Model,
    NoiseChoice,
    Selection,
    Split,
)
from dpcore.studies.workflow.shares import Epsilons

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
    def cost(self) -> Loss:
        """The composed loss of the phases that run: train and test parts are disjoint."""
        training = self.epsilon.training if self.trains else 0
        selection = self.epsilon.selection if self.selects else 0
        # A method that is private only up to a delta declares it as a parameter of its own.
        delta = self.model.parameters.get("delta", 0) if self.trains else 0
        return Loss(max(training + selection, self.epsilon.evaluation), delta)


def _require_epsilon(phase: str, epsilon: Epsilons) -> None:
    if getattr(epsilon, phase) == 0:
        raise InvalidArgument(f"epsilon.{phase}", "0", "positive, because that phase reads data")
