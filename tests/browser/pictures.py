"""Comparing pictures of figures."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Page

# Fonts are smoothed a little differently from run to run; a moved curve changes far more.
VISIBLE = 48
TOLERATED_SHARE = 0.002
# Where a comparison that fails leaves what it saw; never part of the project.
OUTPUT = Path(__file__).parent / "output"


def figure_of(page: Page) -> np.ndarray:
    """Pixels of the first figure, shape (height, width, 3)."""
    page.mouse.move(5, 5)
    return pixels(page.locator(".dpcore-figure").first.screenshot(animations="disabled"))


def pixels(png: bytes) -> np.ndarray:
    """A PNG as an array of bytes."""
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def share_of_changed_pixels(one: np.ndarray, other: np.ndarray) -> float:
    """Share of pixels of which any colour differs visibly; 1 if the sizes differ."""
    if one.shape != other.shape:
        return 1.0
    apart = np.abs(one.astype(np.int64) - other.astype(np.int64)).max(axis=-1)
    return float((apart > VISIBLE).mean())


def assert_same(one: np.ndarray, other: np.ndarray) -> None:
    """The two show the same, up to smoothing; a failure leaves both pictures side by side."""
    share = share_of_changed_pixels(one, other)
    if share > TOLERATED_SHARE:
        OUTPUT.mkdir(exist_ok=True)
        height = min(one.shape[0], other.shape[0])
        beside = np.concatenate([one[:height], other[:height]], axis=1)
        Image.fromarray(beside).save(OUTPUT / "different.png")
    assert share <= TOLERATED_SHARE, f"{share:.2%} of the pixels differ: see {OUTPUT}"
