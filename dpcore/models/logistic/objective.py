"""Logistic regression by objective perturbation with noise shaped like the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.mechanisms import BlockObjective, Geometric, RowPart
from dpcore.models.additive import AdditiveModel
from dpcore.models.grid import anchored_grid, cell_of
from dpcore.models.logistic.columns import one_hot_cells, side_by_side
from dpcore.models.terms import CellsTerm, IndicatorTerm, LinearTerm, Term
from dpcore.models.training import Training
from dpcore.privacy import Guarantee, Loss
from dpcore.registry import Method, Parameter
from dpcore.release import Gate
from dpcore.schema import Block
from dpcore.schema.matrix import Matrix

__all__ = ["METHOD", "Layout", "objective"]

# Weights of the class sizes and of the regression.
_SHARES = (5, 95)
# From this many records per unit of noise on, numbers are cut into so many cells and halvings.
_MANY, _CELLS, _HALVINGS = 2_000, 16, 6
# Strength of the penalty (`BlockObjective`) below so many records per unit of noise.
_STRENGTHS = ((50, 5.0), (300, 2.0), (float("inf"), 1.0))


@dataclass(frozen=True)
class Layout:
    """How bounded rows become the columns of the regression, and weights a model; all public.

    The columns are, in order: a box in [-1, 1] of the constant, the two-valued indicators (as -1
    and 1) and, unless they are cut into cells, the numbers; then the cells of each number; then the
    other blocks of indicators.

    Parameters
    ----------
    edges : tuple of float array
        Grid of each numeric feature; empty if they enter as numbers.
    blocks : tuple of Block
        All blocks of indicators.
    n_numeric : int
    """

    edges: tuple[FloatArray, ...]
    blocks: tuple[Block, ...]
    n_numeric: int

    @property
    def pairs(self) -> IntArray:
        """Indicators that are alone in their block."""
        starts = [block.start for block in self.blocks if block.stop - block.start == 1]
        return np.array(starts, dtype=np.int64)

    @property
    def wide(self) -> tuple[Block, ...]:
        """Blocks of more than one indicator."""
        return tuple(block for block in self.blocks if block.stop - block.start > 1)

    @property
    def _box(self) -> int:
        return 1 + self.pairs.size + (0 if self.edges else self.n_numeric)

    def parts(self) -> tuple[RowPart, ...]:
        """The shapes of the rows."""
        return (
            RowPart(kind="box", width=self._box),
            *(RowPart(kind="ones", width=edges.size - 1) for edges in self.edges),
            *(
                RowPart(kind="ones", width=block.stop - block.start, most=block.max_nonzeros)
                for block in self.wide
            ),
        )

    def columns(self, rows: BoundedRows) -> Matrix:
        """The design matrix, shape (n, d)."""
        pairs = 2.0 * rows.indicators[:, self.pairs].toarray() - 1.0
        box = [np.ones((rows.n_rows, 1)), pairs]
        cells: list[Matrix] = [
            one_hot_cells(cell_of(rows.numeric[:, feature], edges), edges.size - 1)
            for feature, edges in enumerate(self.edges)
        ]
        numbers: list[Matrix] = [] if self.edges else [rows.scaled]
        wide = [rows.indicators[:, block.start : block.stop] for block in self.wide]
        return side_by_side([*box, *numbers, *cells, *wide])

    def model_parts(self, weights: FloatArray) -> tuple[FloatArray, tuple[Term, ...]]:
        """Bias, shape (scores,), and terms from weights of the columns, shape (scores, d)."""
        pieces = np.split(weights, np.cumsum([part.width for part in self.parts()])[:-1], axis=1)
        box, rest = pieces[0], pieces[1:]
        pairs = box[:, 1 : 1 + self.pairs.size]
        # -1 and 1 for an indicator of 0 and 1: twice the weight, less the weight once.
        bias = box[:, 0] - pairs.sum(axis=1)
        terms: list[Term] = []
        if self.edges:
            terms.append(CellsTerm(self.edges, tuple(rest[: len(self.edges)])))
        elif self.n_numeric:
            terms.append(LinearTerm(box[:, 1 + self.pairs.size :]))
        if self.blocks:
            spread = np.zeros((weights.shape[0], self.blocks[-1].stop))
            spread[:, self.pairs] = 2.0 * pairs
            for block, piece in zip(self.wide, rest[len(self.edges) :], strict=True):
                spread[:, block.start : block.stop] = piece
            terms.append(IndicatorTerm(spread))
        return bias, tuple(terms)


def objective(
    training: Training, *, loss: Loss, gate: Gate, regularization: float
) -> AdditiveModel:
    """Train one tilted regression: logistic for two classes, softmax for more.

    Numbers enter linearly when records are few, and as the cells of a public grid when they are
    many. The intercept is penalised towards the log-odds of noisy class sizes.

    Parameters
    ----------
    regularization : float
        Penalty as a multiple of the least that privacy needs; below 1 counts as 1, and 0 chooses
        it.

    Sensitivity
        Class sizes: 1 under add-remove, 2 under replace. Rows lie in the set that the layout
        declares, by construction, whatever the record; see `BlockObjective` for both relations.
    Privacy
        epsilon, in two charges: 5 % the class sizes, 95 % the weights. The layout reads released
        sizes and public facts only.

    References
    ----------
    After K. Chaudhuri, C. Monteleoni, A. D. Sarwate (2011), JMLR 12, Algorithm 2; the bound is
    derived in `BlockObjective`.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPLogisticRegression
    >>> model = DPLogisticRegression(
    ...     method="objective", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0)
    ... )
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['class sizes', 'weights']
    """
    for_sizes, for_weights = loss.split(_SHARES)
    steps = gate.neighbors.pick(add_remove=1, replace=2)
    count = Geometric(epsilon=for_sizes.epsilon, l1_sensitivity=steps, neighbors=gate.neighbors)
    sizes = gate.release(count, training.sizes, label="class sizes")
    layout, strength = _plan(training, sizes, float(loss.epsilon) / steps)
    mechanism = BlockObjective(
        epsilon=for_weights.epsilon,
        parts=layout.parts(),
        n_classes=training.n_classes,
        strength=max(regularization or strength, 1.0),
        anchor=_anchor(sizes, sum(part.width for part in layout.parts())),
        neighbors=gate.neighbors,
    )
    rows = layout.columns(training.rows)
    weights = gate.release(mechanism, (rows, training.classes), label="weights")
    bias, terms = layout.model_parts(weights)
    return AdditiveModel("sigmoid" if training.n_classes == 2 else "softmax", bias, terms)


def _plan(training: Training, sizes: IntArray, epsilon: float) -> tuple[Layout, float]:
    """Choose layout and strength by the released number of records per unit of noise."""
    blocks = training.rows.indicator_blocks
    width = training.rows.numeric.shape[1] + sum(block.max_nonzeros for block in blocks)
    per_noise = epsilon * float(sizes.sum()) / max(width, 1)
    strength = next(strength for below, strength in _STRENGTHS if per_noise < below)
    edges: tuple[FloatArray, ...] = ()
    if per_noise >= _MANY:
        edges = tuple(
            anchored_grid((float(low), float(high)), cells=_CELLS, halvings=_HALVINGS)
            for low, high in training.rows.numeric_bounds.T
        )
    return Layout(edges, blocks, training.rows.numeric.shape[1]), strength


def _anchor(sizes: IntArray, dimension: int) -> FloatArray:
    """Zeros, except the intercepts: log-odds, or log-shares for more than two classes."""
    logs = np.log(np.maximum(sizes, 0) + 1.0)
    intercepts = logs[1:] - logs[:1] if sizes.size == 2 else logs - logs.mean()
    anchor = np.zeros((intercepts.size, dimension))
    anchor[:, 0] = intercepts
    return anchor.ravel()


METHOD = Method(
    name="objective",
    title="Objective perturbation, block-wise",
    summary="Tilts the training objective by noise shaped like the rows.",
    run=objective,
    guarantee=Guarantee.proven("the concavity bound derived in BlockObjective"),
    reference="this project, after Chaudhuri, Monteleoni and Sarwate 2011",
    parameters=(
        Parameter(
            name="regularization",
            kind=float,
            default=0.0,
            minimum=0.0,
            label="Penalty",
            help="L2 penalty as a multiple of the least that privacy needs; 0 chooses it.",
        ),
    ),
)
