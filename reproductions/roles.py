"""How a method of a reproduction is drawn by its role: one colour and one kind of dashes each."""

from __future__ import annotations

from dpcore.figures.theme import Theme
from reproductions.rows import Role

# Without colour, too, a method's role is told by its dashes.
ROLE_DASHES: dict[Role, str] = {
    "paper": "dot",
    "published": "dash",
    "broken": "dashdot",
    "ours": "solid",
    "exact": "solid",
}
# Curves have no markers: the second and third of one role differ from the first by these.
_FURTHER: dict[Role, tuple[str, ...]] = {
    "published": ("12px,3px", "2px,2px"),
    "ours": ("14px,2px",),
}


def role_dash(role: Role, rank: int) -> str:
    """Dashes, in Plotly's words, of the curve of that rank among those of its role.

    Examples
    --------
    >>> role_dash("published", 0), role_dash("published", 1), role_dash("exact", 1)
    ('dash', '12px,3px', 'solid')
    """
    choices = (ROLE_DASHES[role], *_FURTHER.get(role, ()))
    return choices[rank % len(choices)]


def role_colour(role: Role, theme: Theme) -> str:
    """The colour of a role.

    Parameters
    ----------
    role
        A key of `reproductions.ROLES`.

    Examples
    --------
    >>> from dpcore.figures.theme import LIGHT
    >>> role_colour("exact", LIGHT) == LIGHT.true
    True
    """
    return {
        "paper": theme.muted,
        "published": theme.private,
        "broken": theme.negative,
        "ours": theme.positive,
        "exact": theme.true,
    }[role]
