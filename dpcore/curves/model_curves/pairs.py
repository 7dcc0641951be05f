"""What two columns of a released model say together, beyond what each of them says by itself."""

from dataclasses import dataclass
from itertools import pairwise

from dpcore._typing import FloatArray
from dpcore.models.estimator import PrivateClassifier
from dpcore.models.terms import PairsTerm
from dpcore.schema import Block, FeatureSpace


@dataclass(frozen=True, eq=False)
class PairEffect:
    """How far the log-odds of a class move where cells of two columns meet.

    Parameters
    ----------
    names
        Of both columns.
    levels
        What each cell of either column holds.
    log_odds : float array, shape (cells of the first, cells of the second)
        Less the mean of every row and of every column, which the columns say by themselves.
    """

    names: tuple[str, str]
    levels: tuple[tuple[str, ...], tuple[str, ...]]
    log_odds: FloatArray


def pair_effects(model: PrivateClassifier, positive: int = 1) -> tuple[PairEffect, ...]:
    """Every pair of columns that a model weighs together; none for most models.

    Parameters
    ----------
    model
        Trained; what it released is all that is read.
    positive
        Place of the class whose log-odds they are, among two.
    """
    space, found = model.space_, []
    # In the order of attributes: numbers, and then all others.
    blocks = sorted(space.blocks, key=lambda block: block.kind != "numeric")
    for term in model.model_.terms:
        if isinstance(term, PairsTerm):
            for (one, two), weights in zip(term.pairs, term.weights, strict=True):
                levels = _levels(term, one, blocks, space), _levels(term, two, blocks, space)
                moved = weights[0] if positive == 1 else -weights[0]
                moved = moved - moved.mean(axis=0) - moved.mean(axis=1, keepdims=True)
                names = blocks[one].name, blocks[two].name
                found.append(PairEffect(names, levels, moved - moved.mean()))
    return tuple(found)


def _levels(
    term: PairsTerm, place: int, blocks: list[Block], space: FeatureSpace
) -> tuple[str, ...]:
    block = blocks[place]
    if place < len(term.edges):
        inner = [f"{edge:,.4g}" for edge in term.edges[place].tolist()[1:-1]]
        missing = ["missing"] if space.features[block.start].missing else []
        # The cell of the missing ones comes last, behind an edge that no number reaches.
        inner = inner[:-1] if missing else inner
        between = [f"{low} to {high}" for low, high in pairwise(inner)]
        ends = [f"below {inner[0]}", *between, f"from {inner[-1]}"] if inner else ["any"]
        return (*ends, *missing)
    names = space.names[block.start : block.stop]
    return (*(name.removeprefix(f"{block.name}=") for name in names), "other")
