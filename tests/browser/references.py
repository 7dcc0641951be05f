"""Small pictures that the project keeps of every page, and how a new one is compared with them.

A reference has half the size and few colours: letters are a few grey dots in it, so that another
version of a browser passes, and all of them together stay small.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

FOLDER = Path(__file__).parent / "references"
COLOURS = 64
# A pixel has changed if any of its colours has, by more than few colours and smoothing explain.
VISIBLE = 64
# A word more is 0.1 % of a page, a moved curve 1 %; a heading, a row or a figure moves far more.
TOLERATED_SHARE = 0.01


def reduced(png: bytes) -> Image.Image:
    """A picture of a page as the project would keep it."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    half = picture.resize((picture.width // 2, picture.height // 2), Image.Resampling.BOX)
    return _few_colours(half, COLOURS)


def _few_colours(picture: Image.Image, colours: int) -> Image.Image:
    # The usual way spends the palette on greys of letters; curves would lose their colour.
    coverage = Image.Quantize.MAXCOVERAGE
    return picture.quantize(colours, method=coverage, dither=Image.Dither.NONE)


def path_of(name: str) -> Path:
    """Where the reference of that name is kept."""
    return FOLDER / f"{name}.png"


def keep(name: str, png: bytes) -> None:
    """Make a picture the reference."""
    FOLDER.mkdir(exist_ok=True)
    reduced(png).save(path_of(name), optimize=True)


def changed(name: str, png: bytes) -> float:
    """Share of the page that differs from its reference; 1 if there is none."""
    if not path_of(name).is_file():
        return 1.0
    return share_apart(reduced(png), Image.open(path_of(name)))


def share_apart(one: Image.Image, other: Image.Image) -> float:
    """Share of the pixels of two pictures that differ; 1 if their widths do."""
    if one.width != other.width:
        return 1.0
    height = max(one.height, other.height)
    first, second = (
        _filled(np.asarray(picture.convert("RGB"), dtype=np.int64), height)
        for picture in (one, other)
    )
    return float((np.abs(first - second) > VISIBLE).any(axis=2).mean())


def _filled(pixels: np.ndarray, height: int) -> np.ndarray:
    """As high as the other: what the shorter page lacks is neither light nor dark."""
    lacking = ((0, height - pixels.shape[0]), (0, 0), (0, 0))
    return np.pad(pixels, lacking, constant_values=128)


def contact_sheet(pictures: list[Path], path: Path, *, columns: int = 5) -> None:
    """All these pictures on one sheet, as many rows as it takes."""
    width, height, gap = 256, 200, 12
    rows = -(-len(pictures) // columns)
    size = (columns * (width + gap) + gap, rows * (height + gap) + gap)
    sheet = Image.new("RGB", size, "#CBD5DF")
    for place, picture in enumerate(pictures):
        page = Image.open(picture).convert("RGB")
        scale = width / page.width
        thumb = page.resize((width, round(page.height * scale)), Image.Resampling.LANCZOS)
        row, column = divmod(place, columns)
        corner = (gap + column * (width + gap), gap + row * (height + gap))
        sheet.paste("#FFFFFF", (*corner, corner[0] + width, corner[1] + height))
        sheet.paste(thumb.crop((0, 0, width, min(height, thumb.height))), corner)
    sheet.save(path, optimize=True)
