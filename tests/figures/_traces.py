"""What a picture draws, by its name."""

from __future__ import annotations

from typing import Any

from dpcore.figures.picture import Picture


def trace(picture: Picture, name: str) -> dict[str, Any]:
    """The one trace that is called so."""
    (found,) = [one for one in picture.data if one.get("name") == name]
    return found
