"""What the numbers of a score mean: probabilities, percentages, log-odds, or an order alone."""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype
from scipy.special import expit

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.data.reading.dialect import sniff_decimal
from dpcore.data.reading.survey import CODES
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.schema.cells import Decimal, numbers, shown
from dpcore.schema.signs import without_signs

# What scores are written as: the one list, whichever reader, command or page asks.
ScaleName: TypeAlias = Literal["probability", "percent", "log-odds", "any"]
SCALES: tuple[ScaleName, ...] = get_args(ScaleName)
SCALE_WORDS = {"probability": "probabilities", "percent": "percentages", "log-odds": "log-odds"}
SCALE_WORDS |= {"any": "numbers of which only the order counts"}
# No model is that sure: beyond, numbers are points of some scale of their own.
_MOST_LOG_ODDS = 40.0
# So far beyond 0 and 1 may so few chances lie.
_BEYOND, _NEARLY_ALL = 0.5, 0.9
# Numbers up to this may be points or stars; percentages reach further.
_FEW_PERCENT = 10.0
# Whole numbers up to that are points, unless their name speaks of a chance; or it speaks of points.
_MOST_POINTS = 40.0
# What a name tells of the scale.
_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_NAMES = {what: re.compile("|".join(words), re.IGNORECASE) for what, words in _TOLD.items()}
# A number with its name in front, or as a library prints one: p=0.83, tensor(0.83).
_NAMED = r"[A-Za-z_][\w.]*\s*[=:(]\s*([+-]?[\d.,]*\d(?:[eE][+-]?\d+)?\.?)(?:,\s*\w+=.*)?\)?"


@dataclass(frozen=True)
class ScoreScale:
    """How a written score becomes a number between 0 and 1, where the public cells lie.

    Parameters
    ----------
    name : {"probability", "percent", "log-odds", "any"}, default "probability"
        Of "any" only the order counts.
    bounds
        Public ends of the scale "any", and given with it alone: a score beyond is moved to its end.

    Raises
    ------
    InvalidArgument
        If bounds are given with another scale, or left out with this one, or do not rise.

    Privacy
        A fixed map of each score by itself, so whatever is private of the mapped scores is as
        private of the written ones. Bounds must be public, as those of a feature must.

    Examples
    --------
    >>> ScoreScale("any", (300, 850)).unit(np.array([300.0, 575.0, 900.0])).tolist()
    [0.0, 0.5, 1.0]
    >>> ScoreScale("percent").unit(np.array([50.0, 101.0])).tolist()
    [0.5, nan]
    """

    name: ScaleName = "probability"
    bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        _check.one_of(SCALES, scale=self.name)
        if (self.bounds is None) is (self.name == "any"):
            raise InvalidArgument("bounds", self.bounds, 'given with scale="any", and only then')
        if self.bounds is not None:
            object.__setattr__(self, "bounds", _rising(self.bounds))

    @classmethod
    def of(cls, scale: ScoreScale | str, bounds: object = None) -> ScoreScale:
        """A scale from its name and its bounds.

        Examples
        --------
        >>> ScoreScale.of("any", (0, 10)).bounds
        (0.0, 10.0)
        """
        if isinstance(scale, ScoreScale):
            if bounds is None:
                return scale
            scale = scale.name
        return cls(scale, bounds)  # type: ignore[arg-type]

    @property
    def words(self) -> str:
        """What the scores are, for a sentence."""
        if self.bounds is None:
            return SCALE_WORDS[self.name]
        low, high = self.bounds
        return f"any numbers from {low:g} to {high:g}, of which only the order counts"

    def unit(self, scores: FloatArray) -> FloatArray:
        """Scores between 0 and 1 in the same order; NaN where a number cannot be one.

        In double precision always: one odd cell gives a column of 32-bit scores another type, and
        no other score may then be rounded to another number.

        Examples
        --------
        >>> ScoreScale("log-odds").unit(np.array([0.0, np.inf])).tolist()
        [0.5, 1.0]
        """
        scores = np.asarray(scores, dtype=np.float64)
        if self.name == "log-odds":
            return np.asarray(expit(scores), dtype=np.float64)
        if self.bounds is not None:
            low, high = self.bounds
            # Halved first, so that no difference of two finite bounds overflows.
            inside = np.clip(scores, low, high)
            return np.asarray((inside / 2 - low / 2) / (high / 2 - low / 2), dtype=np.float64)
        shares = scores / 100.0 if self.name == "percent" else scores
        return np.where((shares >= 0.0) & (shares <= 1.0), shares, np.nan)

    def written(self, unit: FloatArray) -> FloatArray:
        """The numbers on this scale that `unit` maps to those given; infinity stays.

        Examples
        --------
        >>> ScoreScale("any", (300, 850)).written(np.array([0.0, 0.5, np.inf])).tolist()
        [300.0, 575.0, inf]
        """
        if self.bounds is not None:
            low, high = self.bounds
            return np.asarray(low + unit * (high - low), dtype=np.float64)
        if self.name == "log-odds":
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.where(np.isinf(unit), unit, np.log(unit) - np.log1p(-unit))
        return np.asarray(unit * 100.0 if self.name == "percent" else unit, dtype=np.float64)

    def threshold(self, written: float) -> float:
        """A score, such as somebody asks for as a threshold, between 0 and 1.

        Raises
        ------
        InvalidArgument
            If no score can be that number.

        Examples
        --------
        >>> ScoreScale("any", (300, 850)).threshold(575), ScoreScale("percent").threshold(20)
        (0.5, 0.2)
        """
        low, high = self.ends
        if not low <= written <= high:
            raise InvalidArgument("threshold", written, f"a score, from {low:g} to {high:g}")
        return float(self.unit(np.array([written], dtype=np.float64))[0])

    @property
    def ends(self) -> tuple[float, float]:
        """Its lowest and its highest number."""
        low, high = self.written(np.array([0.0, 1.0])).tolist()
        return low, high

    def require(self, scores: FloatArray, name: str = "y_score") -> None:
        """Name the first number that cannot be a score; for simulations only."""
        bad = np.isnan(self.unit(scores))
        if bad.any():
            row = int(np.argmax(bad))
            ends = {"probability": " in [0, 1]", "percent": " in [0, 100]"}.get(self.name, "")
            if self.name == "probability" and (likely := likely_scale(scores)) != self.name:
                ends += f", or scale={likely!r} if they are {SCALE_WORDS[likely]}"
            raise InvalidArgument(f"{name}[{row}]", float(scores[row]), f"a number{ends}")


PROBABILITY = ScoreScale()
_UNBOUNDED = {name: ScoreScale(name) for name in SCALES if name != "any"}


def _rising(bounds: object) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in bounds)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise InvalidArgument("bounds", bounds, "two numbers, the lower one first") from None
    # Halved as scores are, which leaves nothing between the two smallest numbers.
    if not (math.isfinite(low) and math.isfinite(high) and low / 2 < high / 2):
        raise InvalidArgument("bounds", bounds, "two numbers, the lower one first")
    return low, high


class ScoreRefused(IntakeError):
    """A score is not what the scores are said to be; `scale` is what they may be instead."""

    def __init__(self, problem: str, scale: ScaleName | None, *, row: int, column: str) -> None:
        self.scale = scale
        advice = f', or say scale="{scale}" if the scores are {SCALE_WORDS[scale]}' if scale else ""
        super().__init__(problem, row=row, column=column, remedy=f"correct it{advice}")


def guessed_numbers(cells: pd.Series, delimiter: str = ",") -> tuple[FloatArray, bool]:
    """The numbers of a column of scores, and whether any carries a percent sign.

    Parameters
    ----------
    cells : Series of shape (n,)
    delimiter
        What separates the cells of the file; it helps to tell a decimal comma.

    Returns
    -------
    (FloatArray of shape (n,), bool)
        NaN where a cell is missing or no number.

    Examples
    --------
    >>> guessed_numbers(pd.Series(["2.5%", "90 %"]))
    (array([ 2.5, 90. ]), True)
    """
    if is_numeric_dtype(cells):
        return numbers(cells), False
    signed = bool(cells.dropna().astype("str").str.strip().str.endswith("%").any())
    # As objects, of which each distinct text is read once: most such columns hold a few classes.
    plain = _bare(cells, percent=True)
    marked = [text for text in plain.dropna().astype("str") if "," in text or "." in text]
    return numbers(plain, sniff_decimal([marked], delimiter) if marked else "."), signed


def require_scores(cells: pd.Series, scores: FloatArray, signed: bool, scale: ScoreScale) -> None:
    """Refuse the first cell of a column that is no score on a stated scale.

    Raises
    ------
    ScoreRefused
        If a score is out of range, or carries a percent sign that was not announced.
    IntakeError
        If a score is no number.
    """
    name = str(cells.name)
    if np.isnan(scores).any():
        row = int(np.argmax(np.isnan(scores)))
        what = f"the score {shown(cells.iloc[row])} of this data row is no number"
        remedy = "correct it, or choose another column as the score"
        raise IntakeError(what, row=int(cells.index[row]) + 1, column=name, remedy=remedy)
    refused = np.isnan(scale.unit(scores))
    if signed and scale.name != "percent":
        refused = np.array([isinstance(c, str) and c.strip().endswith("%") for c in cells])
    if refused.any():
        row = int(np.argmax(refused))
        likely = likely_scale(scores, name, signed=signed)
        raise ScoreRefused(
            f"the score {shown(cells.iloc[row])} of this data row is not "
            f"{'between 0 and 100' if scale.name == 'percent' else 'between 0 and 1'}",
            None if likely == scale.name else likely,
            row=int(cells.index[row]) + 1,
            column=name,
        )


def written_numbers(cells: pd.Series, decimal: Decimal, scale: ScoreScale) -> FloatArray:
    """Read every cell by itself as the number that is written; NaN where it is none.

    Examples
    --------
    >>> written_numbers(pd.Series(["0,5", "1,5", "high"]), ",", PROBABILITY).tolist()
    [0.5, 1.5, nan]
    >>> written_numbers(pd.Series(["p=0.83", "tensor(1.)", "x = high"]), ".", PROBABILITY).tolist()
    [0.83, 1.0, nan]
    """
    found = numbers(cells, decimal)
    odd = np.isnan(found)
    if odd.any() and not is_numeric_dtype(cells):
        percent, debts = scale.name == "percent", scale.name in ("log-odds", "any")
        found[odd] = numbers(_bare(cells[odd], percent=percent, debts=debts), decimal)
    return found


def declared_scores(cells: pd.Series, decimal: Decimal, scale: ScoreScale) -> FloatArray:
    """Read every cell by itself as a score between 0 and 1; NaN where it is none."""
    return scale.unit(written_numbers(cells, decimal, scale))


def _bare(cells: pd.Series, *, percent: bool, debts: bool = False) -> pd.Series:
    """The numbers alone of texts that name them, or have signs; anything else as it is.

    A percent sign is one of them only where scores are percentages, and brackets for a minus where
    they may be negative: so a column of numbers is read where all is found out.
    """

    def bare(cell: object) -> object:
        text = cell.strip() if isinstance(cell, str) else ""
        text = text.removesuffix("%").rstrip() if percent else text
        if named := re.fullmatch(_NAMED, text):
            return named[1]
        # Brackets may be those of a tuple; a debt holds one number, and is no chance.
        tuples = text.startswith("(") and not (debts and re.fullmatch(r"\([\d.]+\)", text))
        signed = not tuples and "%" not in text and re.search(r"\d", text)
        return without_signs(text) if signed else cell

    return pd.Series([*map(bare, cells)], index=cells.index, dtype=object)


def likely_scale(scores: FloatArray, name: str = "", *, signed: bool = False) -> ScaleName:
    """What scores look like; a guess, from their values, their signs and their name.

    Examples
    --------
    >>> [likely_scale(np.array(pair)) for pair in ([0.2, 1.0], [2.8, 97.0], [-3.0, 4.0])]
    ['probability', 'percent', 'log-odds']
    >>> likely_scale(np.array([310.0, 600.0])), likely_scale(np.array([*[0.5] * 9, 1.01]))
    ('any', 'any')
    """
    finite = scores[np.isfinite(scores)]
    if signed or not finite.size:
        return "percent" if signed else "probability"
    low, high = float(finite.min()), float(finite.max())
    odds = _NAMES["odds"].search(name) is not None
    if low >= 0.0 and high <= 1.0 and not odds:
        return "percent" if _NAMES["percent"].search(name) and high > 0.0 else "probability"
    few = high <= _MOST_POINTS or _NAMES["points"].search(name)
    points = few and not _NAMES["chance"].search(name) and bool((finite % 1.0 == 0.0).all())
    if low >= 0.0 and high <= 100.0 and (high > _FEW_PERCENT or _NAMES["percent"].search(name)):
        return "any" if points or odds else "percent"
    # Beside chances a code for "missing" is none of them: who reads them leaves it out.
    coded = ((finite < 0.0) | (finite >= 99.0)) & np.isin(finite, [*CODES])
    chances = finite[~coded]
    if coded.any() and np.unique(chances).size > 2 and chances.min() >= 0.0:
        return likely_scale(chances, name)
    within, named = max(-low, high) <= _MOST_LOG_ODDS, _NAMES["log_odds"].search(name) is not None
    crosses = low < 0.0 < high and not (_NAMES["similar"].search(name) or _pass_chances(finite))
    return "log-odds" if within and (named or crosses) else "any"


def falls(name: str) -> bool:
    """Whether a column is called like a number that is low where the event is likely.

    Examples
    --------
    >>> falls("FICO"), falls("cosine distance"), falls("distance_score")
    (True, True, False)
    """
    return _NAMES["falling"].search(name) is not None


def _pass_chances(finite: FloatArray) -> bool:
    """Whether scores are chances of which a few lie a little beyond 0 or 1.

    Sums of floats leave them so, and linear models; as log-odds all would be near one half.
    """
    near = (finite >= -_BEYOND) & (finite <= 1.0 + _BEYOND)
    inside = (finite >= 0.0) & (finite <= 1.0)
    return bool(near.all() and not inside.all() and inside.mean() >= _NEARLY_ALL)


def scale_of(
    stated: ScoreScale | ScaleName | None,
    bounds: tuple[float, float] | None,
    scores: FloatArray,
    name: str,
    *,
    signed: bool,
) -> ScoreScale:
    """What the scores of a column are: as stated, or guessed; of "any" their bounds too."""
    if isinstance(stated, ScoreScale):
        return stated
    scale = stated or likely_scale(scores, name, signed=signed)
    if scale != "any":
        return _UNBOUNDED[scale]
    return ScoreScale("any", suggested_bounds(scores) if bounds is None else bounds)


def suggested_bounds(scores: FloatArray) -> tuple[float, float]:
    """Round numbers around all scores: taken from the data, so for a simulation only.

    Examples
    --------
    >>> suggested_bounds(np.array([312.0, 847.0])), suggested_bounds(np.array([7.0]))
    ((300.0, 850.0), (3.5, 10.5))
    """
    finite = scores[np.isfinite(scores)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if _pass_chances(finite):
        return 0.0, 1.0
    if low == high:
        return low - max(1.0, abs(low) / 2), high + max(1.0, abs(high) / 2)
    step = 10.0 ** math.floor(math.log10(high / 2 - low / 2)) / 2.0
    ends = math.floor(low / step) * step, math.ceil(high / step) * step
    # Beyond what doubles tell apart, the ends themselves.
    return ends if ends[0] <= low < high <= ends[1] and math.isfinite(ends[1]) else (low, high)
