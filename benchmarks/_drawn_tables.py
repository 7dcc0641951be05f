"""Tables like those that people have, each with a law of its own that its seed draws.

300 to 3,000 records; 3 to 30 columns, all of them numbers, all of them levels or both; one to four
hidden factors correlate them. Numbers are normal, lognormal, gamma, uniform, counts, mostly zero,
of two humps, heavy-tailed or ages, with bounds as somebody who knows the field declares them: round
numbers that nearly hold them, up to three times as wide. In every other table the label hangs on
the factors, so that columns repeat one another; else on some columns, by lines, steps and bumps.
5 to 50 % of the labels are 1, and what speaks for them is weak or strong. Of several classes each
has columns and factors that speak for it, and a share between a third of an even one and far more.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import softmax
from scipy.stats import gamma, nbinom, norm, t

from dpcore.schema import Categorical, Label, Numeric, Schema

_SIZES = (300, 600, 1_000, 2_000, 3_000)
_FEW_LEVELS = (2, 2, 2, 3, 4, 5, 8, 12)
_MANY_LEVELS = (2, 2, 3, 4, 5, 7, 9, 12, 16, 24, 40)
_STEPS = np.array([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15])
_KINDS = {
    "normal": 0.2,
    "lognormal": 0.15,
    "gamma": 0.12,
    "uniform": 0.1,
    "count": 0.13,
    "zeros": 0.12,
    "bimodal": 0.05,
    "tail": 0.05,
    "age": 0.08,
}


def records_of(seed: int) -> int:
    """How many records train."""
    return _SIZES[seed % len(_SIZES)]


def _round_number(x: float, *, up: bool) -> float:
    if x == 0.0:
        return 0.0
    grid = np.concatenate([-_STEPS[::-1], [0], _STEPS]) * 10.0 ** np.floor(np.log10(abs(x)))
    return float(grid[grid >= x].min() if up else grid[grid <= x].max())


def _numbers(kind: str, z: np.ndarray, seed: int) -> np.ndarray:
    """Normal numbers turned into numbers of this kind."""
    rng, u = np.random.default_rng(seed), norm.cdf(z)
    inside = np.clip(u, 1e-6, 1.0 - 1e-6)
    match kind:
        case "normal":
            return (rng.uniform(1, 10) + z * rng.uniform(0.1, 0.5)) * 10 ** rng.uniform(-1, 2)
        case "lognormal":
            return np.exp(z * rng.uniform(0.3, 1.2)) * 10 ** rng.uniform(0, 3)
        case "gamma":
            return gamma.ppf(u, rng.uniform(0.8, 6)) * 10 ** rng.uniform(-1, 2)
        case "uniform":
            return np.round(rng.uniform(0, 50) + u * rng.uniform(20, 200))
        case "count":
            shape, mean = rng.uniform(0.5, 3), rng.uniform(0.7, 6)
            return nbinom.ppf(np.clip(u, 1e-9, 1.0 - 1e-9), shape, shape / (shape + mean))
        case "zeros":
            none = rng.uniform(0.5, 0.95)
            paid = norm.ppf(np.clip((u - none) / (1.0 - none), 1e-6, 1.0 - 1e-6))
            amount = np.exp(rng.uniform(0.5, 1.5) * paid) * 10 ** rng.uniform(0, 3)
            return np.where(u > none, np.round(amount, 1), 0.0)
        case "bimodal":
            return np.where(u < 0.5, -1, 1) * rng.uniform(1, 3) + z * 0.5
        case "tail":
            return t.ppf(inside, 3) * 10 ** rng.uniform(-1, 2)
    return np.round(np.clip(rng.uniform(35, 55) + 13 * z, 17, 95))


def _number(
    name: str, z: np.ndarray, wide: float, law: np.random.Generator
) -> tuple[Numeric, np.ndarray, np.ndarray]:
    """Its declaration, values, and values of the law's quantiles."""
    kind = law.choice(list(_KINDS), p=list(_KINDS.values()))
    seed = int(law.integers(2**31))
    values, typical = (_numbers(kind, one, seed) for one in (z, np.linspace(-3.3, 3.3, 201)))
    low, high = typical[0], typical[-1]
    if law.random() < 0.6 and 0.0 <= low < 0.5 * high:
        low = 0.0
    span = high - low
    least = low if low == 0.0 else low - span * (wide - 1.0) * law.random() / 2.0
    bottom = _round_number(least, up=False)
    bottom = max(bottom, 0.0) if low >= 0.0 else bottom
    top = _round_number(high + span * (wide - 1.0) * law.random(), up=True)
    return Numeric(name, (bottom, top)), values, typical


def _levels(
    name: str, z: np.ndarray, law: np.random.Generator, *, many: bool
) -> tuple[Categorical, np.ndarray, np.ndarray]:
    """Its declaration, values, and what they say: in some order, or as their rank does."""
    size = int(law.choice(_MANY_LEVELS if many else _FEW_LEVELS))
    evenly = law.choice([0.4, 0.7, 1.2]) if many else 1.2
    cuts = np.cumsum(law.dirichlet(np.full(size, evenly)))[:-1]
    codes = np.searchsorted(cuts, norm.cdf(z))
    names = tuple(f"l{level}" for level in range(size))
    said = z
    if law.random() < 0.5:
        said = (law.permutation(size)[codes] - (size - 1) / 2) / size * 2
    return Categorical(name, names), np.array(names)[codes], said


def _said(
    shape: str, z: np.ndarray, values: np.ndarray, typical: np.ndarray, law: np.random.Generator
) -> np.ndarray:
    """What a number says about the label."""
    middle = law.normal() * 0.5
    match shape:
        case "line":
            return z
        case "step":
            return 1.5 * (z > middle)
        case "bump":
            return 2 * np.exp(-2 * (z - middle) ** 2)
    return np.clip((values - typical.mean()) / typical.std(), -4, 4)


def _of_several(
    odds: np.ndarray, said: np.ndarray, hidden: np.ndarray, n_classes: int, seed: int
) -> np.ndarray:
    """Labels of several classes; what speaks for the first is what speaks for 1 of two."""
    law, draw = (np.random.default_rng([one, seed, n_classes]) for one in (79, 80))
    scores = [odds]
    for _ in range(1, n_classes):
        of_columns = said @ (law.normal(size=said.shape[1]) * (law.random(said.shape[1]) < 0.5))
        of_hidden = hidden @ law.normal(size=hidden.shape[1])
        parts = [one / (one.std() or 1.0) for one in (of_columns, of_hidden)]
        mixed = np.array([1.0, law.choice([0.0, 1.0])]) @ parts
        scores.append(mixed * odds.std() / (mixed.std() or 1.0))
    shares = (law.dirichlet(np.full(n_classes, 2.0)) + 0.5 / n_classes) / 1.5
    logits, bias = np.column_stack(scores), np.zeros(n_classes)
    for _ in range(100):
        bias += np.log(shares / softmax(logits + bias, axis=1).mean(axis=0))
    return np.asarray((logits + bias + draw.gumbel(size=logits.shape)).argmax(axis=1))


def drawn(
    n: int, seed: int, n_classes: int = 2, *, many_levels: bool = False
) -> tuple[pd.DataFrame, np.ndarray, Schema]:
    """A table of n records, its labels (0, 1, ...), its public schema; the law is the seed's.

    With `many_levels` columns have up to 40 of them, with uneven shares.
    """
    law, draw = np.random.default_rng([77, seed]), np.random.default_rng([78, seed, n])
    width = round(np.exp(law.uniform(np.log(3), np.log(30))))
    share = law.choice([0.0, 1.0, law.uniform(0.2, 0.8)], p=[0.1, 0.25, 0.65])
    factors = law.integers(1, 5)
    loads = law.normal(size=(width, factors)) * law.uniform(0.3, 1.0, (width, 1))
    hidden = draw.normal(size=(n, factors))
    z = hidden @ loads.T + draw.normal(size=(n, width))
    z *= 1 / np.sqrt(1 + (loads**2).sum(1))
    weights = law.normal(size=width) * (law.random(width) < law.uniform(0.3, 1.0))
    weights *= np.exp(law.normal(0, 0.6, width))
    weights[0] = weights[0] if weights.any() else 1.0
    shapes = law.choice(["line", "step", "bump", "raw"], p=[0.6, 0.2, 0.1, 0.1], size=width)
    wide = law.choice([1.0, 1.5, 3.0], p=[0.4, 0.4, 0.2])
    columns, kinds, said_by = {}, list[Numeric | Categorical](), np.empty((n, width))
    for place in range(width):
        name, column = f"x{place}", z[:, place]
        if place < round(share * width):
            kind, columns[name], typical = _number(name, column, wide, law)
            said = _said(shapes[place], column, columns[name], typical, law)
        else:
            kind, columns[name], said = _levels(name, column, law, many=many_levels)
        kinds.append(kind)
        said_by[:, place] = said
    odds = np.zeros(n)
    for weight, said in zip(weights, said_by.T, strict=True):
        odds += weight * said
    if law.random() < 0.5:
        of_hidden = hidden @ law.normal(size=factors)
        alone = odds / (odds.std() or 1.0) * law.uniform(0, 0.7)
        odds = alone + of_hidden / of_hidden.std()
    odds *= np.exp(law.uniform(np.log(0.8), np.log(6))) / (odds.std() or 1.0)
    if n_classes > 2:
        y = _of_several(odds, said_by, hidden, n_classes, seed)
        names = tuple(str(one) for one in range(n_classes))
        return pd.DataFrame(columns), y, Schema((*kinds, Label("y", names)))
    rate = law.choice([0.5, 0.3, 0.2, 0.1, 0.05], p=[0.3, 0.25, 0.2, 0.15, 0.1])
    cut = brentq(lambda cut: (1 / (1 + np.exp(-(odds + cut)))).mean() - rate, -60, 60)
    y = (draw.random(n) < 1 / (1 + np.exp(-(odds + cut)))).astype(np.int64)
    return pd.DataFrame(columns), y, Schema((*kinds, Label("y", ("0", "1"))))
