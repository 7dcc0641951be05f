"""Figures 14 to 16: the budget of numbers against that of categories."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpcore.noise.seeded import monte_carlo
from dpcore.schema import Categorical, Design, Label, Numeric, Schema, encode
from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.rows import Row, Rows
from reproductions.verdict import Claim, Verdict
from reproductions.zafarani.folds import bayes_accuracy

_OURS = "histogram"
_CATEGORIES, _NUMBERS = "only categories tell the class", "only numbers tell the class"


@dataclass(frozen=True)
class _Configuration:
    draws: int = 20
    epsilons: tuple[str, ...] = ("0.1", "0.5", "1", "5", "10")
    allocations: tuple[float, ...] = (0.125, 0.5, 2.0, 8.0)
    records: int = 50_000
    synthetic: int = 10_000


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    designs = {
        materials.title("adult"): materials.design("adult", configuration.records),
        _CATEGORIES: synthetic_records(configuration.synthetic, numbers_tell=False),
        _NUMBERS: synthetic_records(configuration.synthetic, numbers_tell=True),
    }
    for panel, design in designs.items():
        for epsilon in configuration.epsilons:
            for allocation in configuration.allocations:
                value = bayes_accuracy(
                    design,
                    "smooth-published",
                    epsilon,
                    draws=configuration.draws,
                    allocation=allocation,
                )
                yield Row(panel, _shown(allocation), "broken", float(epsilon), value)
            ours = bayes_accuracy(design, _OURS, epsilon, draws=configuration.draws)
            yield Row(panel, _OURS, "ours", float(epsilon), ours)


def _shown(allocation: float) -> str:
    """Numeric to categorical, as the paper writes it."""
    return f"{allocation:g}:1" if allocation >= 1 else f"1:{1 / allocation:g}"


def synthetic_records(n: int, *, numbers_tell: bool) -> Design:
    """Five numbers and five categories, one kind of which depends on the class.

    Parameters
    ----------
    numbers_tell
        Whether the numbers do; otherwise the categories.

    Examples
    --------
    >>> synthetic_records(100, numbers_tell=True).matrix.shape
    (100, 25)
    """
    draws, levels = monte_carlo(0), ("a", "b", "c", "d")
    y = draws.integers(0, 2, n)
    shift = 0.8 * y if numbers_tell else np.zeros(n)
    lean = np.zeros(n, dtype=bool) if numbers_tell else y == 1
    columns: dict[str, object] = {}
    for place in range(5):
        columns[f"number {place}"] = draws.normal(0, 1, n) + shift
        even, steep = draws.integers(0, 4, n), draws.binomial(3, 0.7, n)
        columns[f"category {place}"] = np.array(levels)[np.where(lean, steep, even)]
    schema = Schema(
        (
            *(Numeric(f"number {place}", (-4, 5)) for place in range(5)),
            *(Categorical(f"category {place}", levels) for place in range(5)),
            Label("class", ("0", "1"), positive="1"),
        )
    )
    return encode(pd.DataFrame({**columns, "class": y.astype(str)}), schema)


def _judge(rows: Rows) -> Verdict:
    shares = [method for method in rows.methods() if method != _OURS]
    means = {
        panel: {method: rows.mean(method, (panel,)) for method in shares} for panel in rows.panels
    }
    best = {panel: max(found, key=lambda m: found[m]) for panel, found in means.items()}
    gaps = [rows.mean(_OURS, (panel,)) - max(found.values()) for panel, found in means.items()]
    return Verdict(
        (
            _little(rows.panels[0], means[rows.panels[0]]),
            Claim(
                "The best allocation depends on the data set.",
                best[_CATEGORIES] != best[_NUMBERS],
                f"{best[_CATEGORIES]} where {_CATEGORIES}, {best[_NUMBERS]} where {_NUMBERS}",
                "noise in means and variances that tell nothing misleads more than noise in counts",
            ),
            _unbalanced(means, shares),
        ),
        f"The histogram method, without this setting, is {min(gaps):+.3f} to {max(gaps):+.3f} from "
        "the best allocation of each panel (mean accuracy).",
    )


def _little(panel: str, found: dict[str, float]) -> Claim:
    """Appendix 10.1: inconclusive but for line 1:2, where categories have far too much."""
    over = {method: value for method, value in found.items() if method.startswith("1:")}
    kept = {method: value for method, value in found.items() if method not in over}
    return Claim(
        f"On {panel} the allocation makes little difference, unless categories are weighted far "
        "too much, which costs accuracy.",
        max(kept.values()) - min(kept.values()) <= 0.03 and max(over.values()) < min(kept.values()),
        "mean accuracy " + ", ".join(f"{value:.3f} at {method}" for method, value in found.items()),
    )


def _unbalanced(means: dict[str, dict[str, float]], shares: list[str]) -> Claim:
    """What weight on numbers does, from the least of it to the most."""
    least, most = shares[0], shares[-1]
    gain, loss = (means[name][most] - means[name][least] for name in (_NUMBERS, _CATEGORIES))
    return Claim(
        "Weight on numbers helps where numbers tell the class more than it hurts where categories "
        "do.",
        gain > max(-loss, 0.0),
        f"from {least} to {most}: {gain:+.3f} where {_NUMBERS}, {loss:+.3f} where {_CATEGORIES}",
    )


EXPERIMENT = Experiment(
    name="zafarani-figure-14",
    figures="Figures 14 to 16",
    title="Budget of numbers against categories",
    claim="With the exception of substantially overweighting categories, the allocation makes "
    "little difference on Adult; on made-up records the best allocation depends on the data set, "
    "and weight on numbers helps numbers more than it hurts categories.",
    published="smooth-published at allocations from 1:8 to 8:1",
    sound="histogram, which gives every column the same share",
    chart=Chart(panel="records", x="epsilon", y="accuracy", log_x=True),
    data=("adult",),
    full=_Configuration(),
    quick=replace(
        _Configuration(), draws=2, epsilons=("0.1", "1", "10"), records=8_000, synthetic=4_000
    ),
    measure=_measure,
    judge=_judge,
    formula=r"\epsilon = a \cdot \mathrm{num} \cdot \epsilon' + \mathrm{cat} \cdot \epsilon' "
    r"+ \epsilon'",
    aliases=("zafarani-figure-15", "zafarani-figure-16"),
)
