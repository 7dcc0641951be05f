"""Several states of one figure as Plotly frames: only what differs between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpcore.figures.picture import Picture


def frames_between(pictures: Mapping[str, Picture]) -> list[dict[str, Any]]:
    """Turn pictures that differ in attributes of traces or layout into frames of any of them.

    Parameters
    ----------
    pictures
        States of one figure by name.

    Returns
    -------
    list of dict
        A frame for each state, in order: the traces in which any two states differ, and for each
        of them every attribute in which they do, with dots for nested ones (``error_y.array``);
        and those of the layout, if it differs. Empty if the states do not have the same traces, or
        only differ in other ways.

    Examples
    --------
    >>> def state(y):
    ...     still, moving = {"name": "a", "y": [0]}, {"name": "b", "y": [y]}
    ...     return Picture(name="p", alt="", layout={}, data=[still, moving])
    >>> frames_between({"1": state(1), "2": state(2)})[1]
    {'name': '2', 'traces': [1], 'data': [{'y': [2]}]}
    """
    states = {name: [_flat(trace) for trace in picture.data] for name, picture in pictures.items()}
    first = next(iter(states.values()), [])
    if any(_kinds(state) != _kinds(first) for state in states.values()):
        return []
    moving = {
        place: keys
        for place in range(len(first))
        if (keys := _differing([state[place] for state in states.values()]))
    }
    layouts = {name: _flat(picture.layout) for name, picture in pictures.items()}
    rest = _differing(list(layouts.values()))
    if not (moving or rest):
        return []
    return [
        {
            "name": name,
            "traces": list(moving),
            "data": [
                {key: state[place].get(key) for key in keys} for place, keys in moving.items()
            ],
            **({"layout": {key: layouts[name].get(key) for key in rest}} if rest else {}),
        }
        for name, state in states.items()
    ]


def _flat(trace: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Attributes of a trace by their dotted names."""
    flat: dict[str, Any] = {}
    for key, value in trace.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _kinds(state: list[dict[str, Any]]) -> list[tuple[Any, Any]]:
    return [(trace.get("type"), trace.get("name")) for trace in state]


def _differing(states: Sequence[Mapping[str, Any]]) -> list[str]:
    """Attributes in which any state of one trace, or of the layout, differs from the first."""
    if not states:
        return []
    first, *others = states
    keys = dict.fromkeys(key for one in states for key in one)
    return [key for key in keys if any(other.get(key) != first.get(key) for other in others)]
