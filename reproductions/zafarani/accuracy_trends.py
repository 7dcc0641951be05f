"""What the paper says of Figures 4 to 12, held against measured accuracies."""

from __future__ import annotations

from collections.abc import Sequence

from reproductions.census import STATES
from reproductions.rows import Rows
from reproductions.verdict import Claim, Verdict

VAIDYA, SMOOTH, OURS = "vaidya", "smooth-published", "histogram"
GAUSS, GAUSS_2 = "smooth-gaussian, 1/n", "smooth-gaussian, 1/n^2"
# After the name of a state whose records are generated.
STAND_IN = " (synthetic stand-in)"

_FIGURES = {
    "Adult": 4,
    "Mushroom": 5,
    "Glass": 6,
    "Seed": 7,
    "Skin": 8,
    **{state: number for number, state in enumerate(STATES, 9)},
}
# Skin, colours of pixels of faces, is neither: the paper does not say whether it is human data.
_NO_NUMBERS, _THINGS = "Mushroom", ("Glass", "Seed")
# A difference of mean accuracies that is one: ours, as is the mean over epsilon. Beside each
# verdict stand those of two other readings.
_BETTER, _MUCH = 0.005, 0.02
_TAILS = (
    "at small epsilon and on few records the smooth bound is near the global one, and Cauchy noise "
    "has the longer tails"
)
_FEWER = (
    "with a fiftieth of the paper's records noise counts fifty times as much, and Cauchy noise has "
    "the longer tails"
)


def judge(rows: Rows) -> Verdict:
    """The paper's claim for each figure that was measured, and two on all of them.

    Examples
    --------
    >>> from reproductions.rows import Row
    >>> found = {VAIDYA: 0.7, SMOOTH: 0.8, GAUSS: 0.6, GAUSS_2: 0.6, OURS: 0.9}
    >>> rows = Rows(tuple(Row("Skin", m, "published", 1.0, v) for m, v in found.items()))
    >>> [trend.seen for trend in judge(rows).trends]
    [True, False]
    """
    gaps = [
        rows.value(panel, OURS, x)
        - max(row.value for row in rows.panel(panel) if row.role == "published" and row.x == x)
        for panel in rows.panels
        for x in rows.places(panel)
    ]
    ahead = sum(gap > 0 for gap in gaps)
    return Verdict(
        (*(_figure(rows, panel) for panel in rows.panels), *_human(rows), _gaussian(rows)),
        f"The histogram method is ahead of the best valid published one in {ahead} of "
        f"{len(gaps)} cells, by {sum(gaps) / len(gaps):+.3f} on average "
        f"({min(gaps):+.3f} to {max(gaps):+.3f}).",
    )


def _figure(rows: Rows, panel: str) -> Claim:
    """What the paper says of one of its figures."""
    number = _FIGURES[panel.removesuffix(STAND_IN)]
    smooth, simple = (rows.curve(panel, method) for method in (SMOOTH, VAIDYA))
    if panel == _NO_NUMBERS:
        apart = max(abs(first - second) for first, second in zip(smooth, simple, strict=True))
        return Claim(
            f"Figure {number}, {panel}: without numbers the methods are the same.",
            apart < 0.02,
            f"largest difference {apart:.3f}",
        )
    gain = _gain(rows, (panel,))
    higher = sum(first > second for first, second in zip(smooth, simple, strict=True))
    return Claim(
        f"Figure {number}, {panel}: smooth sensitivity is more accurate than global sensitivity.",
        gain > _BETTER,
        f"means {rows.mean(SMOOTH, (panel,)):.3f} against {rows.mean(VAIDYA, (panel,)):.3f}; "
        f"higher at {higher} of {len(smooth)} epsilons",
        _FEWER if panel.endswith(STAND_IN) else _TAILS,
        (
            ("most epsilons in place of their mean", 2 * higher > len(smooth)),
            (f"a gain of {_MUCH:g} in place of {_BETTER:g}", gain > _MUCH),
        ),
    )


def _human(rows: Rows) -> tuple[Claim, ...]:
    """The gain on people against that on things, if there are both."""
    groups = {
        "Adult": [panel for panel in rows.panels if panel == "Adult"],
        "the states": [panel for panel in rows.panels if panel.startswith(STATES)],
        "Glass and Seed": [panel for panel in rows.panels if panel in _THINGS],
    }
    gains = {name: _gain(rows, panels) for name, panels in groups.items() if panels}
    things = gains.get("Glass and Seed")
    if things is None or len(gains) == 1:
        return ()
    return (
        Claim(
            "The gain is larger on data about people (Adult, the states) than on Glass and Seed.",
            all(gain > things for name, gain in gains.items() if name != "Glass and Seed"),
            ", ".join(f"{gain:+.3f} on {name}" for name, gain in gains.items()),
            "it follows the number of records more than what they are about",
        ),
    )


def _gaussian(rows: Rows) -> Claim:
    panels = [panel for panel in rows.panels if panel != _NO_NUMBERS]
    means = {method: rows.mean(method, panels) for method in (GAUSS, GAUSS_2, SMOOTH)}
    return Claim(
        "Figures 6 to 12: the (epsilon, delta) variants give some improvement over it.",
        max(means[GAUSS], means[GAUSS_2]) > means[SMOOTH],
        "mean accuracy " + ", ".join(f"{value:.3f} ({name})" for name, value in means.items()),
        "the paper prints no scale, and the Gaussian noise that is proved is some twenty times its "
        "Cauchy noise",
    )


def _gain(rows: Rows, panels: Sequence[str]) -> float:
    return rows.mean(SMOOTH, panels) - rows.mean(VAIDYA, panels)
