"""Released log-likelihood ratios: one table per feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpcore._typing import FloatArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.mechanisms.regression.exact_products import cut_to_grid
from dpcore.models.additive import AdditiveModel, best_factor
from dpcore.models.terms import CellsTerm, IndicatorTerm, Term, fixed_order_sum
from dpcore.postprocess.monotone import project_to_simplex
from dpcore.schema import Block


def onto_simplex(counts: FloatArray, totals: FloatArray) -> FloatArray:
    """Nearest non-negative counts (L2) with known totals, row by row.

    Parameters
    ----------
    counts : float array, shape (..., classes, cells)
        Noisy counts.
    totals : float array, shape (classes,)
        What each row should add up to; a negative total counts as 0.

    Returns
    -------
    float array, shape (..., classes, cells)

    Examples
    --------
    >>> onto_simplex(np.array([[5.0, -1.0, 4.0]]), np.array([7.0])).tolist()
    [[4.0, 0.0, 3.0]]
    """
    return project_to_simplex(counts, np.maximum(totals, 0.0))


def log_ratios(
    counts: FloatArray, totals: FloatArray, *, scale: float | FloatArray, shrink: float = 0.5**0.5
) -> FloatArray:
    """Log of how much likelier each cell is in each class than overall, shrunk by the noise.

    Each ratio is log((x + m) / (t p + m)), with x the count, t the class total, p the share of the
    cell over all classes and m = 1 + shrink * scale pseudo-counts: a cell whose counts are no
    larger than their noise comes out near 0, and an empty class is 0 everywhere.

    Parameters
    ----------
    counts : float array, shape (..., classes, cells)
        Non-negative counts.
    totals : float array, shape (classes,)
        Class sizes; negative ones count as 0.
    scale
        Scale of the noise in the counts, or in each of them.
    shrink : float, default sqrt(1/2)
        Half the standard deviation of Laplace noise of scale 1; larger where most cells are empty.

    Returns
    -------
    float array, shape (..., classes, cells)
        Finite.

    Examples
    --------
    >>> log_ratios(np.array([[30.0, 10.0], [0.0, 0.0]]), np.array([40.0, 0.0]), scale=1.0).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    sizes = np.maximum(totals, 0.0)
    share = counts.sum(axis=-2, keepdims=True) / max(float(sizes.sum()), 1.0)
    pseudo = 1.0 + shrink * scale
    expected = sizes[:, np.newaxis] * share
    return np.asarray(np.log((counts + pseudo) / (expected + pseudo)), dtype=np.float64)


Tables = tuple[FloatArray, ...]

# A penalty draws towards this part of naive Bayes, which overrates what features say alike.
LEANING = 0.6

# So far log-ratios are believed at least: columns that say alike stand out sooner than each.
_LEAST_TRUST = 0.15


def trust_in(
    tables: Tables, counts: Sequence[FloatArray], sizes: FloatArray, *, scales: Sequence[float]
) -> float:
    """About how far summed log-ratios are to be believed, from 0.15 to 1.

    The `best_factor` or, if it is more, the share of their square that is more than noise: what
    many columns say alike adds up to more than records are taken to have.

    Parameters
    ----------
    tables : tuple of float array, shape (classes, cells)
    counts : sequence of float array, shape (classes, cells)
        Noisy, which the tables were made from (`log_ratios`).
    sizes : float array, shape (classes,)
    scales
        Of the noise in the counts of each table.

    Examples
    --------
    >>> counts, sizes = np.array([[90.0, 10.0], [10.0, 90.0]]), np.array([100.0, 100.0])
    >>> tables = (log_ratios(counts, sizes, scale=1.0),)
    >>> round(trust_in(tables, [counts], sizes, scales=[1.0]), 3)
    1.0
    """
    widths = [table.shape[1] for table in tables]
    table, noisy, scale = np.hstack(tables), np.hstack(counts), np.repeat(scales, widths)
    pooled = np.maximum(noisy, 0.0).sum(axis=0)
    of_each = np.add.reduceat(pooled, np.cumsum([0, *widths[:-1]]))
    share = pooled / np.repeat(np.maximum(of_each, 1.0), widths)
    pseudo = 1.0 + 0.5**0.5 * scale
    expected = np.maximum(sizes, 0.0)[:, np.newaxis] * share + pseudo
    left = float((share * (1.0 - pseudo / expected)).sum()) / (len(sizes) * len(counts))
    # Of log-odds, as is the noise: twice that of two classes around their mean.
    square = 2.0 * float((share * (table - table.mean(axis=0)) ** 2).sum())
    linear = 2.0 * (scale / expected) ** 2
    # Counts below zero are cut off, so that noise never moves a log far.
    noise = 2.0 * float((share * linear / (1.0 + 2.0 * linear)).sum()) / len(table)
    observed = 1.0 - noise / max(square, 1e-300)
    return max(best_factor(left, noise, most=1.0), observed, _LEAST_TRUST)


@dataclass(frozen=True)
class RatioTables:
    """Log-ratios of every feature's cells; post-processing of released counts.

    Parameters
    ----------
    log_prior : float array, shape (scores,)
    edges
        Of the grid of each numeric feature.
    numeric : tuple of float array, shape (scores, cells)
        One table per numeric feature.
    blocks
        Of indicators.
    indicators : tuple of float array, shape (scores, indicators + 1) or (scores, indicators)
        One table per block; a one-hot block's last cell is "none of them".
    trust : float, default 1
        See `trust_in`.
    """

    log_prior: FloatArray
    edges: tuple[FloatArray, ...]
    numeric: Tables
    blocks: tuple[Block, ...]
    indicators: Tables
    trust: float = 1.0

    def __len__(self) -> int:
        """Number of features: tables."""
        return len(self.numeric) + len(self.indicators)

    def additive_parts(self) -> tuple[FloatArray, tuple[Term, ...]]:
        """The tables as a bias, shape (scores,), and terms of an additive model."""
        none, weights = self.of_indicators(self.blocks[-1].stop if self.blocks else 0)
        terms: list[Term] = [CellsTerm(self.edges, self.numeric)] if self.numeric else []
        if self.blocks:
            terms.append(IndicatorTerm(weights))
        return self.log_prior + none, tuple(terms)

    def of_indicators(self, width: int) -> tuple[FloatArray, FloatArray]:
        """What is added where all of so many indicators are 0, and by each that is 1."""
        none, weights = np.zeros(self.log_prior.size), np.zeros((self.log_prior.size, width))
        for block, table in zip(self.blocks, self.indicators, strict=True):
            # "None of them" is where all indicators are 0.
            rest = table[:, -1:] if block.kind == "one-hot" else np.zeros((table.shape[0], 1))
            none += rest[:, 0]
            weights[:, block.start : block.stop] = table[:, : block.stop - block.start] - rest
        return none, weights

    def model(self) -> AdditiveModel:
        """Naive Bayes: the log-ratios of all features added up."""
        bias, terms = self.additive_parts()
        return AdditiveModel("softmax", bias, terms)

    def second_against_first(self) -> RatioTables:
        """For two classes, the same with one score: the log-odds of the second class."""
        return RatioTables(
            self.log_prior[1:] - self.log_prior[:1],
            self.edges,
            tuple(table[1:] - table[:1] for table in self.numeric),
            self.blocks,
            tuple(table[1:] - table[:1] for table in self.indicators),
            self.trust,
        )

    def rescaled(self, log_prior: FloatArray, weights: FloatArray, *, width: float) -> RatioTables:
        """Cut all tables at +-width, and multiply each by its weight over the width.

        Parameters
        ----------
        log_prior : float array, shape (scores,)
        weights : float array, shape (features,)
            Numeric features first.
        width
            Positive; may be infinite for no cut, with a weight per unit.
        """
        unit = width if np.isfinite(width) else 1.0
        scaled = [
            weight / unit * np.clip(table, -width, width)
            for weight, table in zip(weights, (*self.numeric, *self.indicators), strict=True)
        ]
        numeric, indicators = tuple(scaled[: len(self.numeric)]), tuple(scaled[len(self.numeric) :])
        return RatioTables(log_prior, self.edges, numeric, self.blocks, indicators)

    def on_grid(self, width: float) -> RatioTables:
        """Tables over a width, cut to [-1, 1] and to the grid of `BlockObjective`.

        A record's entry is then what it would be cut to.
        """
        numeric, indicators = (
            tuple(cut_to_grid(np.clip(table / width, -1.0, 1.0)) for table in tables)
            for tables in (self.numeric, self.indicators)
        )
        return replace(self, numeric=numeric, indicators=indicators)

    def sums(self, rows: BoundedRows) -> FloatArray:
        """What all features of each record contribute to the only score, shape (n,)."""
        return fixed_order_sum(self.responses(rows))

    def responses(self, rows: BoundedRows, out: FloatArray | None = None) -> FloatArray:
        """What each feature of each record contributes to the only score, shape (n, features)."""
        every = np.empty((rows.n_rows, len(self)), order="F") if out is None else out
        if self.numeric:
            both = zip(rows.cells(self.edges), self.numeric, strict=True)
            for feature, (cells, table) in enumerate(both):
                every[:, feature] = table[0].take(cells)
        # One product for all blocks: each has its own column of weights, of ones to count them.
        weights, members = np.zeros((2, rows.indicators.shape[1], len(self.blocks)))
        for place, (block, table) in enumerate(zip(self.blocks, self.indicators, strict=True)):
            weights[block.start : block.stop, place] = table[0, : block.stop - block.start]
            members[block.start : block.stop, place] = 1.0
        responses = np.asarray(rows.indicators @ weights, dtype=np.float64)
        counts = np.asarray(rows.indicators @ members, dtype=np.float64)
        for place, (block, table) in enumerate(zip(self.blocks, self.indicators, strict=True)):
            if block.kind == "one-hot":
                responses[:, place] += table[0, -1] * (counts[:, place] == 0)
        every[:, len(self.numeric) :] = responses
        return every


def numeric_tables(held: list[FloatArray], sizes: FloatArray, *, scales: Sequence[float]) -> Tables:
    """Log-ratios from noisy histograms: cells first made to add up to the class sizes.

    Parameters
    ----------
    held : list of float array, shape (classes, cells)
    sizes : float array, shape (classes,)
        Noisy class sizes.
    scales
        Scale of the noise in the counts of each histogram.
    """
    widths = [counts.shape[1] for counts in held]
    # All at once: to a cell that a histogram does not have nothing is given.
    every = np.full((len(held), sizes.size, max(widths, default=1)), -np.inf)
    for counts, width, room in zip(held, widths, every, strict=True):
        room[:, :width] = counts
    tables = log_ratios(onto_simplex(every, sizes), sizes, scale=np.reshape(scales, (-1, 1, 1)))
    return tuple(table[:, :width] for table, width in zip(tables, widths, strict=True))


def indicator_tables(
    noisy: list[FloatArray],
    sizes: FloatArray,
    blocks: tuple[Block, ...],
    *,
    scales: Sequence[float],
    bag_shrink: float = 0.5**0.5,
) -> Tables:
    """Log-ratios from noisy counts of blocks of indicators.

    The words of a bag speak by their presence only: most are absent from most texts, and so many
    small noisy summands would add up to one large constant.

    Parameters
    ----------
    noisy : list of float array, shape (classes, cells)
        As `block_counts` lays them out.
    sizes, scales
        See `numeric_tables`.
    bag_shrink
        See `log_ratios`; for the words of texts.
    """
    return tuple(
        log_ratios(onto_simplex(counts, sizes), sizes, scale=scale)
        if block.kind == "one-hot"
        else log_ratios(np.maximum(counts, 0.0), sizes, scale=scale, shrink=bag_shrink)
        for counts, block, scale in zip(noisy, blocks, scales, strict=True)
    )
