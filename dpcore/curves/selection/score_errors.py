"""How much private selections of the top c items miss, as c grows, on counts of items."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import product
from typing import Annotated, Any, Unpack

import numpy as np
import pandas as pd

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.curves import Filling, Key, fill
from dpcore.data.reading import read_dataset
from dpcore.errors import IntakeError
from dpcore.noise import SeededNoise
from dpcore.noise.seeded import monte_carlo
from dpcore.selection import false_negative_rate, score_error_rate, select_top_k

_COUNT_NAMES = ("count", "counts", "frequency", "support", "n")


@dataclass(frozen=True, eq=False)
class ItemCounts:
    """How often each of some items occurs.

    Parameters
    ----------
    counts : float array, shape (items,)
        Whole numbers, in falling order.
    """

    title: str
    counts: FloatArray

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the counts, which names them to a cache."""
        return hashlib.sha256(self.counts.tobytes()).hexdigest()

    def largest(self, items: int) -> FloatArray:
        """The counts of the so many most frequent items."""
        return self.counts[:items]


def zipf(items: int = 10_000, occurrences: int = 1_000_000) -> ItemCounts:
    """Counts proportional to 1, 1/2, 1/3, and so on.

    Parameters
    ----------
    items, occurrences
        Positive.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Table 1. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> zipf(4, 1000).counts.tolist()
    [480.0, 240.0, 160.0, 120.0]
    """
    _check.integer_in_range(1, None, items=items, occurrences=occurrences)
    shares = 1.0 / np.arange(1, items + 1)
    counts = np.rint(occurrences * shares / shares.sum())
    return ItemCounts(f"Zipf's law, {items:,} items", counts)


def example() -> ItemCounts:
    """Twenty items, few enough to watch each of them being asked about.

    Examples
    --------
    >>> example().counts[:4].tolist()
    [600.0, 424.0, 346.0, 300.0]
    """
    return ItemCounts("Twenty items", np.rint(600.0 / np.sqrt(np.arange(1, 21))))


def read_item_counts(content: bytes, name: str) -> ItemCounts:
    r"""Read a table of counts, one item a row.

    Parameters
    ----------
    content : bytes
        CSV, TSV or Parquet, perhaps compressed.
    name
        Of the file.

    Raises
    ------
    IntakeError
        If there is no column of counts: one called count (counts, frequency, support, n), or else
        the last; or if it holds anything but numbers of zero and more.

    Examples
    --------
    >>> read_item_counts(b"item,count\ntea,3\nmilk,9\n", "basket.csv").counts.tolist()
    [9.0, 3.0]
    """
    frame = read_dataset(content, name=name).frame
    named = [column for column in frame.columns if str(column).strip().lower() in _COUNT_NAMES]
    column = named[0] if named else frame.columns[-1]
    counts = pd.to_numeric(frame[column], errors="coerce").to_numpy(dtype=np.float64)
    usable = np.isfinite(counts) & (counts >= 0.0)
    if counts.size < 2 or not usable.all():
        row = None if usable.all() else int(np.argmin(usable)) + 1
        raise IntakeError(
            "there are no two items with counts" if row is None else "this is no count",
            row=row,
            column=str(column),
            remedy="give a table with a row for each item and a column called count",
        )
    return ItemCounts(name, np.sort(np.floor(counts))[::-1].copy())


@dataclass(frozen=True)
class Contender:
    """A selector with its parameters.

    Parameters
    ----------
    key
        Short name.
    method
        A name from `dpcore.selection.selectors`.
    parameters : tuple of (name, value)
    """

    key: str
    title: str
    method: str
    parameters: tuple[tuple[str, Any], ...] = ()


def contenders(*, ratio: str = "1:c^(2/3)", boost: float = 5.0) -> dict[str, Contender]:
    """The methods of Figures 4 and 5 of Lyu, Su and Li, and those of this project, by key.

    Parameters
    ----------
    ratio
        Of the sparse vector that is "as chosen", and of retraversal.
    boost
        Of retraversal.

    Examples
    --------
    >>> contenders(boost=3)["retraversal"].title
    'Retraversal, +3D'
    """
    raised = ("boost", float(boost)), ("ratio", ratio)
    listed = [
        Contender("dpbook", "Alg. 2 (textbook)", "sparse-vector-2"),
        Contender("svt-1-1", "Alg. 7, 1:1", "sparse-vector", (("ratio", "1:1"),)),
        Contender("svt-1-3", "Alg. 7, 1:3", "sparse-vector", (("ratio", "1:3"),)),
        Contender("svt-1-c", "Alg. 7, 1:c", "sparse-vector", (("ratio", "1:c"),)),
        Contender("svt-1-c23", "Alg. 7, 1:c^(2/3)", "sparse-vector", (("ratio", "1:c^(2/3)"),)),
        Contender("retraversal", f"Retraversal, +{boost:g}D", "sparse-vector-retraversal", raised),
        Contender("em", "Exponential mechanism", "exponential-peeling"),
        Contender("one-shot", "One-shot noise", "one-shot"),
        Contender("canonical", "Canonical subsets", "canonical"),
        Contender("best", "Best (this project)", "best"),
    ]
    return {one.key: one for one in listed}


@dataclass(frozen=True, kw_only=True)
class ErrorPlan(_check.Checked):
    """What is computed.

    Parameters
    ----------
    cuts
        Values of c; those above the number of items are left out.
    epsilon
        Of each selection.
    runs
        Each in another random order of the items, and with other noise.
    """

    contenders: Sequence[Contender]
    cuts: Sequence[int] = (25, 50, 100, 150, 200, 250, 300)
    epsilon: Annotated[Fraction, _check.positive] = Fraction(1, 10)
    runs: _check.Count = 10
    seed: int = 0


@dataclass(frozen=True, eq=False)
class ErrorCell:
    """Errors of one method at one c.

    Parameters
    ----------
    score_error, false_negatives : float array, shape (runs,)
    """

    score_error: FloatArray = field(repr=False)
    false_negatives: FloatArray = field(repr=False)


# Score error rate and false negative rate of one run.
Errors = tuple[float, float]
_Order = Callable[[int], IntArray]


def score_errors(
    items: ItemCounts, plan: ErrorPlan, **filling: Unpack[Filling]
) -> dict[tuple[str, int], ErrorCell]:
    """Score error rate and false negative rate of every method at every c, for counts.

    Counts are monotone under add-remove, which all methods use. Noise is simulated.

    Parameters
    ----------
    kept, progress
        See `fill`.

    Returns
    -------
    dict of (key of the contender, c) to ErrorCell

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Figures 4 and 5. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> from dpcore.curves.selection.score_errors import zipf
    >>> plan = ErrorPlan(contenders=[contenders()["em"]], cuts=[3], epsilon=Fraction(1), runs=2)
    >>> score_errors(zipf(50), plan)["em", 3].score_error.tolist()
    [0.0, 0.0]
    """
    cuts = [k for k in plan.cuts if k < items.counts.size]
    # The same for all methods, so that luck with it does not tell them apart.
    order = cache(lambda run: monte_carlo(plan.seed + run).permutation(items.counts.size))
    tasks: dict[Key, Callable[[], Errors]] = {}
    places: dict[tuple[str, int], list[Key]] = {}
    for k, one, run in product(cuts, plan.contenders, range(plan.runs)):
        chosen = one.method, one.parameters, plan.epsilon, plan.seed
        key: Key = ("score errors", items.digest, k, run, *chosen)
        places.setdefault((one.key, k), []).append(key)
        tasks[key] = partial(_errors, items.counts, order, one, k, run, plan)
    cells = fill(tasks, **filling)
    found = {place: np.array([cells[key] for key in keys]).T for place, keys in places.items()}
    return {place: ErrorCell(*both) for place, both in found.items()}


def _errors(
    counts: FloatArray, mixed: _Order, one: Contender, k: int, run: int, plan: ErrorPlan
) -> Errors:
    order, noise = mixed(run), SeededNoise(plan.seed).child(f"run {run}")
    told = {"method": one.method, "monotone": True, "noise": noise, **dict(one.parameters)}
    found = select_top_k(counts[order], k=k, epsilon=plan.epsilon, **told).selected
    # Counts fall: an item's place among them is its rank.
    ranks = order[found].tolist()
    return score_error_rate(ranks, counts, k), false_negative_rate(ranks, range(k))
