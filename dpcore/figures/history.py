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
    spent = [("before the first charge", Loss(0)), *history]
    totals = [float(total.epsilon) for _, total in spent]
    labels = [f"{literal(what)}<br>epsilon {float(one.epsilon):.4g}" for what, one in spent]
    last = len(totals) - 1
    hover = "%{customdata} spent"
    style: Json = {"line": stroke(theme.private, 2.5, shape="hv"), "marker": {"size": 7}}
    style |= {"fill": "tozeroy", "fillcolor": theme.band(0.16)}
    # Where nothing is spent the dot stands on the axis, and is seen whole.
    style |= {"customdata": labels, "showlegend": False, "cliponaxis": False}
    right = max(last, 1) + 0.25
    alt = f"Epsilon spent after each of {last} charges, up to {totals[-1]:.4g} of {most:.4g}."
    traces = [scatter("lines+markers", "", list(range(len(totals))), totals, hover, **style)]
    layout: Json = {"xaxis": {"range": [-0.1, right], "dtick": 1 + last // 10}}
    # Plotly has a form of its own for small numbers, and two of them on one axis.
    ticks = [most * quarter / 4 for quarter in range(5)]
    layout["yaxis"] = {"range": [0, most * 1.08], "tickvals": ticks}
    layout["yaxis"]["ticktext"] = [f"{tick:.4g}" for tick in ticks]
    layout["shapes"] = [rule(theme, y=most, layer="above", width=1.5, dash="solid")]
    words = [_named("all charges" if reserve is None else "budget", most, theme, right)]
    if kept:
        # The share that nothing may spend yet.
        share = shade(theme, (0, 1), (most - kept, most), xref="paper", opacity=0.14)
        layout["shapes"] += [share, rule(theme, y=most - kept, layer="above", width=1.5)]
        words.append(_named("reserve", most - kept, theme, right))
    return drawn("history", alt, traces, theme, simulated=False, words=words, **layout)


def _named(name: str, at: float, theme: Theme, right: float) -> dict[str, object]:
    return note(name, right, at, "right bottom", color=theme.muted, size=12)
