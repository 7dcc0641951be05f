"""Attacks drawn: what an attacker sees, the ROC curve of guesses, and the bound that follows."""

import math
from collections.abc import Sequence
from itertools import groupby

import numpy as np

from dpcore._typing import FloatArray, Json
from dpcore.audit import AttackerRoc, Look, limit_roc
from dpcore.audit.result import OutputView
from dpcore.figures.picture import Picture, bar, drawn, numbers, rule, scatter, shade, stroke
from dpcore.figures.scores import outline
from dpcore.figures.theme import Theme, note, translucent
from dpcore.figures.thin import thin
from dpcore.privacy import Loss

# An exact loss far above everything else would flatten the rest: then it is written, not drawn.
_TALLEST = 4.0


def audit_bound_picture(
    seen: Sequence[Look], *, planned: int, declared: float, theme: Theme, exact: float | None = None
) -> Picture:
    """Draw what was proven after how many draws, against what the method declares.

    Parameters
    ----------
    seen
        Oldest first; may be empty.
    planned
        Draws from each data set in all.
    declared
        Epsilon.
    exact
        The computed loss on these data sets, infinite perhaps.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = audit_bound_picture([Look(500, 900, 0.4)], planned=900, declared=1, theme=LIGHT)
    >>> picture.data[0]["y"], [line["y0"] for line in picture.layout["shapes"]]
    ([0.4], [1])
    """
    reached = max([declared, *(look.epsilon_lower for look in seen)])
    drawn_exact = exact is not None and exact <= _TALLEST * reached
    top = 1.2 * max(reached, exact if exact is not None and drawn_exact else 0.0) or 1.0
    shapes = [rule(theme, y=declared, layer="above", width=2, color=theme.true, dash="dash")]
    words = [_word("declared", declared, theme.true)]
    if exact is not None and drawn_exact:
        # Two words on one line of text would be illegible.
        apart = abs(exact - declared) > 0.09 * top
        shapes.append(rule(theme, y=exact, layer="above", width=2, color=theme.text))
        words.append(_word("exact", exact, theme.text, left=apart))
    elif exact is not None:
        words.append(_above(exact, theme))
    found = [look.trials for look in seen], [round(look.epsilon_lower, 4) for look in seen]
    style = {"line": stroke(theme.private, 2.5, shape="hv")}
    style |= {"marker": {"color": theme.private, "size": 5}}
    hover = "after %{x:,} draws: at least %{y:.3f}"
    alt = "The lower bound on epsilon that the draws have proven, rising with their number. The "
    alt += "dashed line is the declared epsilon: a bound above it refutes the claim."
    traces = [scatter("lines+markers", "proven", *found, hover, **style)]
    layout: Json = {"xaxis": {"range": [0, 1.03 * planned]}, "yaxis": {"range": [0, top]}}
    return drawn("audit-bound", alt, traces, theme, words=words, **layout, shapes=shapes)


def _word(name: str, at: float, colour: str, *, left: bool = True) -> Json:
    x, corner = (0.02, "left bottom") if left else (0.98, "right bottom")
    return note(f"{name} {at:.4g}", x, at, corner, color=colour, xref="paper")


def _above(exact: float, theme: Theme) -> Json:
    amount = "without limit" if math.isinf(exact) else f"{exact:.4g}"
    paper: Json = {"xref": "paper", "yref": "paper"}
    return note(f"exact: {amount} ↑", 0.02, 0.99, "left top", color=theme.text, **paper)


def audit_outputs_picture(view: OutputView, *, theme: Theme) -> Picture:
    """Draw the outputs on two data sets over each other, and mark the event that tells them apart.

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore.audit.result import output_view
    >>> from dpcore.figures import LIGHT
    >>> view = output_view(np.array([[1.0], [2.0]]), np.array([[2.0], [2.0]]))
    >>> [trace["name"] for trace in audit_outputs_picture(view, theme=LIGHT).data]
    ['first set', 'second set']
    """
    across, bars = Json(title=view.words), Json()
    if view.labels:
        # A label that looks like a number or a date would be read as one.
        across |= {"type": "category"}
        bars = {"barmode": "group", "bargap": 0.3, "bargroupgap": 0.05}
    else:
        across |= {"range": view.edges[[0, -1]].tolist(), "nticks": 8}
    kind = "outcome" if view.labels else "range"
    alt = f"How often each {kind} of {view.words} comes on the first data set (solid) and on the "
    alt += "second (hatched or dashed). The shaded part is the event that tells them apart best."
    traces, shapes = (_bars if view.labels else _steps)(view, theme), _event(view, theme)
    return drawn("audit-outputs", alt, traces, theme, xaxis=across, shapes=shapes, **bars)


def _bars(view: OutputView, theme: Theme) -> list[Json]:
    """Of each outcome a bar for either data set; those of the second are hatched."""
    traces = []
    for (name, shares, colour), shape in zip(_sides(view, theme), ("", "/"), strict=True):
        pattern = {"shape": shape, "size": 7, "solidity": 0.5}
        marker = {"color": colour, "line": stroke(colour, 1), "pattern": pattern}
        hover = f"%{{x}}: %{{y:.2%}}<extra>{name}</extra>"
        traces.append(bar(name, list(view.labels), shares, hover, marker=marker))
    return traces


def _steps(view: OutputView, theme: Theme) -> list[Json]:
    hover = "from %{x:.4g}: %{y:.2%}<extra>"
    return [
        outline(name, view.edges, shares, colour, dash, f"{hover}{name}</extra>", opacity=0.15)
        for (name, shares, colour), dash in zip(_sides(view, theme), ("solid", "dash"), strict=True)
    ]


def _sides(view: OutputView, theme: Theme) -> list[tuple[str, FloatArray, str]]:
    first = "first set", view.here, theme.positive
    return [first, ("second set", view.there, theme.negative)]


def _event(view: OutputView, theme: Theme) -> list[Json]:
    """A shaded box behind every run of bars in which the event happens."""
    bars = np.arange(len(view.event) + 1, dtype=np.float64) - 0.5
    places: FloatArray = bars if view.labels else view.edges
    boxes, start = [], 0
    for inside, run in groupby(view.event.tolist()):
        end = start + len(list(run))
        if inside:
            ends = float(places[start]), float(places[end])
            boxes.append(shade(theme, ends, (0, 1), xref="x", yref="paper", opacity=0.18))
        start = end
    return boxes


def audit_roc_picture(attacker: AttackerRoc | None, loss: Loss, *, theme: Theme) -> Picture:
    """Draw the attacker's curve and the limit that an (epsilon, delta) guarantee sets.

    Parameters
    ----------
    attacker
        None before anything was counted: the limit stands alone.
    loss
        What the method declares.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> curve = AttackerRoc(np.array([0.0, 0.2, 1.0]), np.array([0.0, 0.5, 1.0]))
    >>> [trace["name"] for trace in audit_roc_picture(curve, Loss(1), theme=LIGHT).data]
    ['not allowed', 'limit at epsilon 1', 'attacker']
    """
    traces = _limit(loss, theme)
    if attacker is not None:
        hover = "right %{y:.1%}, wrong %{x:.1%}<extra>attacker</extra>"
        across, up = thin(attacker.fpr, attacker.tpr)
        line = stroke(theme.private, 2.5)
        traces.append(scatter("lines", "attacker", across, up, hover, line=line))
    alt = "How often an attacker rightly names the first data set, over how often wrongly. A "
    alt += f"method that keeps {loss} lets nobody above the dashed limit; the solid line is what "
    alt += "this attack reached, the thin diagonal is guessing."
    shapes = [rule(theme, color=theme.grid, width=1.5, dash="solid")]
    return drawn("audit-roc", alt, traces, theme, shapes=shapes)


def _limit(loss: Loss, theme: Theme) -> list[Json]:
    """The limit, and the region above it."""
    # Denser near both ends, where the limit bends.
    fpr = np.sin(np.linspace(0.0, np.pi / 2.0, 201)) ** 2
    limit = limit_roc(fpr, loss)
    shaded: Json = {"fill": "toself", "fillcolor": translucent(theme.muted, 0.16)}
    above = [*numbers(fpr), 0.0], [*numbers(limit), 1.0]
    hover, line = "at most %{y:.1%} at %{x:.1%}<extra>limit</extra>", stroke(theme.true, 2, "dash")
    return [
        scatter("lines", "not allowed", *above, line={"width": 0}, showlegend=False, **shaded),
        scatter("lines", f"limit at {loss}", fpr, limit, hover, line=line),
    ]
