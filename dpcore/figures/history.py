"""How a budget was spent, charge by charge."""

from collections.abc import Sequence

from dpcore._typing import Json
from dpcore.figures.picture import Picture, drawn, literal, rule, scatter, shade, stroke
from dpcore.figures.theme import Theme, note
from dpcore.privacy import Loss


def history_picture(
    history: Sequence[tuple[str, Loss]], *, budget: Loss, reserve: Loss | None, theme: Theme
) -> Picture:
    """Draw what had been spent after each charge, under the budget and its reserve.

    Parameters
    ----------
    history
        What was charged for, and the composed loss after it, oldest first: `Account.history`.
    budget, reserve
        The reserve is the upper part of the budget; None if nobody has set one, and `budget` is
        what all charges would cost.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> told = {"budget": Loss(2), "reserve": Loss("0.5"), "theme": LIGHT}
    >>> picture = history_picture([("roc", Loss("0.5"))], **told)
    >>> picture.data[0]["x"], picture.data[0]["y"]
    ([0, 1], [0.0, 0.5])
    """
    most, kept = float(budget.epsilon), 0.0 if reserve is None else float(reserve.epsilon)
    labels = ["before the first charge", *(literal(label) for label, _ in history)]
    totals = [0.0, *(float(total.epsilon) for _, total in history)]
    last = len(totals) - 1
    hover = "%{customdata}<br>epsilon %{y:.4g} spent"
    style: Json = {"line": stroke(theme.private, 2.5, shape="hv"), "marker": {"size": 7}}
    style |= {"fill": "tozeroy", "fillcolor": theme.band(0.16)}
    # Where nothing is spent the dot stands on the axis, and is seen whole.
    style |= {"customdata": labels, "showlegend": False, "cliponaxis": False}
    right = max(last, 1) + 0.25
    alt = f"Epsilon spent after each of {last} charges, up to {totals[-1]:.4g} of {most:.4g}."
    traces = [scatter("lines+markers", "", list(range(len(totals))), totals, hover, **style)]
    layout: Json = {"xaxis": {"range": [-0.1, right], "dtick": 1 + last // 10}}
    layout["yaxis"] = {"range": [0, most * 1.08]}
    layout["shapes"] = [rule(theme, y=most, layer="above", width=1.5, dash="solid")]
    words = [_named("all charges" if reserve is None else "budget", most, theme, right)]
    if kept:
        layout["shapes"] += _kept(most, kept, theme)
        words.append(_named("reserve", most - kept, theme, right))
    return drawn("history", alt, traces, theme, simulated=False, words=words, **layout)


def _kept(budget: float, reserve: float, theme: Theme) -> list[dict[str, object]]:
    """The share that nothing may spend yet."""
    kept = shade(theme, (0, 1), (budget - reserve, budget), xref="paper", opacity=0.14)
    return [kept, rule(theme, y=budget - reserve, layer="above", width=1.5)]


def _named(name: str, at: float, theme: Theme, right: float) -> dict[str, object]:
    return note(name, right, at, "right bottom", color=theme.muted, size=12)
