"""What an audit attacks, and its outputs as rows of numbers that an attacker can compare."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.mechanisms import Geometric, Laplace, Mechanism, PolyaShare
from dpcore.mechanisms.smooth import Grouped
from dpcore.models.training import Training
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Ledger, Loss, Neighbors
from dpcore.release import release

# Stands for "nothing here" in rows shorter than the longest.
ABSENT = -1e18

_LARGEST = 1e300


def numbers(output: Any) -> FloatArray:
    """All numbers in an output, in a fixed order, shape (numbers,).

    Parameters
    ----------
    output
        Numbers, arrays, sequences, mappings, dataclasses, and any nesting of them. Text and
        anything else counts as nothing.

    Examples
    --------
    >>> numbers({"scores": np.array([1.5, 2.0]), "found": True, "name": "x"}).tolist()
    [1.0, 1.5, 2.0]
    """
    pieces: list[FloatArray] = []
    _collect(output, pieces)
    return np.concatenate(pieces) if pieces else np.zeros(0)


def _collect(output: Any, pieces: list[FloatArray]) -> None:
    if isinstance(output, int | float | Fraction | np.generic):
        pieces.append(np.array([float(output)]))
    elif isinstance(output, np.ndarray):
        if output.dtype.kind in "biuf":
            pieces.append(np.asarray(output, dtype=np.float64).ravel())
    elif isinstance(output, Mapping):
        for key in sorted(output, key=str):
            _collect(output[key], pieces)
    elif is_dataclass(output):
        for field in fields(output):
            _collect(getattr(output, field.name), pieces)
    elif isinstance(output, Sequence) and not isinstance(output, str | bytes):
        for item in output:
            _collect(item, pieces)


def table(rows: Sequence[FloatArray]) -> FloatArray:
    """Rows of one width, shape (outputs, numbers); shorter ones are filled up.

    Infinite numbers become the largest finite ones, and missing ones a number of their own.

    Examples
    --------
    >>> table([np.array([1.0, np.inf]), np.array([2.0])])[0].tolist()
    [1.0, 1e+300]
    """
    width = max((row.size for row in rows), default=0)
    filled = np.full((len(rows), max(width, 1)), ABSENT)
    for place, row in enumerate(rows):
        filled[place, : row.size] = row
    return np.asarray(np.clip(np.nan_to_num(filled, nan=ABSENT), -_LARGEST, _LARGEST))


@runtime_checkable
class Repeatable(Mechanism[Any, Any], Protocol):
    """A mechanism whose `draw` is `draw_many` of one, so that an attack runs the same code."""

    def draw_many(self, value: Any, times: int, noise: NoiseSource) -> list[Any]:
        """Draw so many independent public values; called by the gate only, after the charge."""


@dataclass(frozen=True)
class Redrawn:
    """A mechanism drawn again and again on the same value.

    Privacy
        Basic composition: `times` times the loss of one draw.

    Examples
    --------
    >>> from dpcore.mechanisms import Exponential
    >>> str(Redrawn(Exponential(epsilon=2), 3).loss)
    'epsilon 6'
    """

    mechanism: Repeatable
    times: int

    @property
    def loss(self) -> Loss:
        """The privacy loss of all draws together."""
        return self.mechanism.loss * self.times

    @property
    def neighbors(self) -> Neighbors:
        """The relation of the mechanism."""
        return self.mechanism.neighbors

    @property
    def guarantee(self) -> Guarantee:
        """The verdict on the mechanism."""
        return self.mechanism.guarantee

    def draw(self, value: Any, noise: NoiseSource) -> list[Any]:
        """Draw all; called by the gate only, after the charge."""
        return self.mechanism.draw_many(value, self.times, noise)


Sampler = Callable[[Any, int, NoiseSource], FloatArray]

# What is looked at of an output.
Read: TypeAlias = Callable[[Any], Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Target:
    """A method under attack.

    Parameters
    ----------
    name : str
        As registered, for example ``"one-shot"`` or ``"Geometric"``.
    loss : Loss
        What it declares for one run.
    guarantee : Guarantee
    neighbors : Neighbors
    sample : callable
        Of a data set, a number of runs and a noise source: outputs, shape (runs, numbers). A row
        per run, and equal rows for equal outputs.
    columns : tuple of str, optional
        What each number is, for events in words; see `output_view`.
    score : callable, optional
        An attacker's own statistic of a table of outputs, shape (runs,), for attacks that need to
        know what to look for; it is tried beside the general ones.
    score_words : str
        The statistic in words.
    """

    name: str
    loss: Loss
    guarantee: Guarantee
    neighbors: Neighbors
    sample: Sampler
    columns: tuple[str, ...] = ()
    score: Callable[[FloatArray], FloatArray] | None = None
    score_words: str = "the attacker's own statistic"
    singly: bool = False

    @property
    def proven(self) -> bool:
        """Whether a violation would be an error of the project."""
        return self.guarantee.holds


def one_by_one(run: Callable[[Any, NoiseSource], Any]) -> Sampler:
    """A sampler that runs a method again and again.

    Parameters
    ----------
    run : callable
        Of a data set and a noise source: one output.
    """

    def sample(data: Any, trials: int, noise: NoiseSource) -> FloatArray:
        return table([numbers(run(data, noise)) for _ in range(trials)])

    return sample


def mechanism_target(
    mechanism: Mechanism[Any, Any], *, name: str = "", read: Read | None = None
) -> Target:
    """A mechanism as a target, drawn through the gate.

    Parameters
    ----------
    mechanism : Mechanism
    name : str, optional
        The name of its class by default.
    read : callable, optional
        What the attacker takes from one output, in place of all its numbers in order.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> target = mechanism_target(Geometric(epsilon=1))
    >>> target.sample(np.array([3]), 5, SeededNoise(0)).shape
    (5, 1)
    """
    sample, singly = _sampler(mechanism, read)
    return Target(
        name=name or type(mechanism).__name__,
        loss=mechanism.loss,
        guarantee=mechanism.guarantee,
        neighbors=mechanism.neighbors,
        sample=sample,
        singly=singly,
    )


def _sampler(mechanism: Mechanism[Any, Any], read: Read | None) -> tuple[Sampler, bool]:
    """How a mechanism is sampled, and whether one output after the other."""
    if read is None and isinstance(mechanism, Geometric | Laplace | PolyaShare):
        return _all_at_once(mechanism), False
    if isinstance(mechanism, Repeatable):
        return _repeatedly(mechanism, read), False

    def run(data: Any, noise: NoiseSource) -> Any:
        drawn = released(mechanism, data, noise)
        return drawn if read is None else read(drawn)

    return one_by_one(run), True


def released(mechanism: Mechanism[Any, Any], data: Any, noise: NoiseSource) -> Any:
    """What a mechanism draws through the gate."""
    # A ledger of its own: what is measured is the loss of one draw.
    ledger = Ledger(neighbors=mechanism.neighbors)
    return release(mechanism, data, label="audit", ledger=ledger, noise=noise).value


def _repeatedly(mechanism: Repeatable, read: Read | None) -> Sampler:
    """Sample a mechanism that can be drawn from many times in one release."""

    def sample(data: Any, trials: int, noise: NoiseSource) -> FloatArray:
        drawn = released(Redrawn(mechanism, trials), data, noise)
        return table([numbers(one if read is None else read(one)) for one in drawn])

    return sample


def _all_at_once(mechanism: Mechanism[Any, Any]) -> Sampler:
    """Sample a mechanism that adds independent noise of one scale to every entry, in one draw.

    Copies of the data side by side get the noise that as many separate draws would get. (Laplace
    chooses a finer grid for the longer vector; its scale changes by less than one part in 2^19.)
    """

    def sample(data: Any, trials: int, noise: NoiseSource) -> FloatArray:
        copies = np.broadcast_to(np.asarray(data).ravel(), (trials, np.size(data)))
        return np.asarray(released(mechanism, copies, noise), dtype=np.float64)

    return sample


@dataclass(frozen=True, eq=False)
class Pair:
    """Two synthetic data sets that differ in one record.

    Parameters
    ----------
    d, d_prime : object
        In the form that the attacked method takes: counts, scores, a score histogram, records.
    words : str
        What differs, for a reader.
    neighbors : Neighbors, default add-remove
        The relation in which they are neighbours.

    Examples
    --------
    >>> Pair(d=[3], d_prime=[4], words="one record more").neighbors.value
    'add-remove'
    """

    d: Any
    d_prime: Any
    words: str
    neighbors: Neighbors = Neighbors.ADD_REMOVE


_MOST_NUMBERS = 6


@dataclass(frozen=True)
class PairRow:
    """One thing that can be counted or read in both data sets.

    Parameters
    ----------
    label
        For example ``"cell 4"`` or ``"record (1, 0), class 1"``.
    d, d_prime
        What either data set has.
    """

    label: str
    d: str
    d_prime: str

    @property
    def differs(self) -> bool:
        """Whether the two data sets differ here."""
        return self.d != self.d_prime


def pair_rows(pair: Pair) -> tuple[PairRow, ...]:
    """What both data sets hold: records are counted, numbers stand side by side.

    Examples
    --------
    >>> one_more = Pair(d=np.array([3, 0]), d_prime=np.array([4, 0]), words="one record more")
    >>> [(row.label, row.d, row.d_prime) for row in pair_rows(one_more)]
    [('number 1', '3', '4'), ('number 2', '0', '0')]
    """
    here, there = (_records(side) for side in (pair.d, pair.d_prime))
    if here is not None and there is not None:
        labels = {**here, **there}
        return tuple(PairRow(label, str(here[label]), str(there[label])) for label in labels)
    ours, theirs = numbers(pair.d), numbers(pair.d_prime)
    return tuple(_side_by_side(ours, theirs)) if ours.size == theirs.size else ()


def _records(data: Any) -> Counter[str] | None:
    """How often each record comes; None for data that are no records."""
    if isinstance(data, ScoreHistogram):
        return Counter(dict(_scores(data)))
    if isinstance(data, tuple) and all(isinstance(one, ScoreHistogram) for one in data):
        several = ((place, one) for place, each in enumerate(data, 1) for one in _scores(each))
        return Counter({f"{place}: {label}": count for place, (label, count) in several})
    if isinstance(data, Training):
        rows = np.hstack([data.rows.numeric, data.rows.indicators.toarray()])
        return _classified(rows, data.classes)
    if isinstance(data, Grouped):
        return _classified(data.columns, data.groups)
    if isinstance(data, tuple) and len(data) == 2 and getattr(data[0], "ndim", 0) == 2:
        return _classified(data[0], data[1])
    return None


def _scores(histogram: ScoreHistogram) -> Iterator[tuple[str, int]]:
    for name, counts in (("positive", histogram.positives), ("negative", histogram.negatives)):
        for cell in np.flatnonzero(counts).tolist():
            yield f"{name}, score {histogram.centers[cell]:.2f}", int(counts[cell])


def _classified(rows: FloatArray, classes: IntArray) -> Counter[str]:
    described = zip(map(_described, rows.tolist()), classes.tolist(), strict=True)
    return Counter(f"{row}, class {one:g}" if classes.any() else row for row, one in described)


def _described(row: list[float]) -> str:
    """All numbers of a record, or the runs of equal ones if they are many."""
    if len(row) <= _MOST_NUMBERS:
        return f"record ({', '.join(f'{value:g}' for value in row)})"
    runs = (f"{len(list(run))} x {value:g}" for value, run in groupby(row))
    return f"record ({', '.join(runs)})"


def _side_by_side(here: Any, there: Any) -> Iterator[PairRow]:
    """A row for each number, or for a run of places that are alike on both sides."""
    place = 1
    for (ours, theirs), run in groupby(zip(here.tolist(), there.tolist(), strict=True)):
        length = len(list(run))
        many = length > 2
        for start in [place] if many else range(place, place + length):
            label = f"numbers {start} to {place + length - 1}" if many else f"number {start}"
            yield PairRow(label, f"{ours:g}", f"{theirs:g}")
        place += length
