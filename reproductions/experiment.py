"""What one reproduction declares."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Literal, Protocol

from reproductions.paper_data import PaperData
from reproductions.rows import Row, Rows
from reproductions.verdict import Verdict


@dataclass(frozen=True)
class Paper:
    """A paper by the prefix of its experiments."""

    name: str
    citation: str


PAPERS = {
    "stoddard": Paper(
        "Stoddard et al.",
        "B. Stoddard, Y. Chen, A. Machanavajjhala, Differentially private algorithms for empirical "
        "machine learning, 2014",
    ),
    "barczewski": Paper(
        "Barczewski et al.",
        "A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative "
        "distribution functions",
    ),
    "lyu": Paper(
        "Lyu et al.",
        "M. Lyu, D. Su, N. Li, Understanding the sparse vector technique for differential privacy, "
        "PVLDB 2017",
    ),
    "zafarani": Paper(
        "Zafarani and Clifton",
        "F. Zafarani, C. Clifton, Differentially private naive Bayes classifier using smooth "
        "sensitivity, 2020",
    ),
    "zumel": Paper(
        "Zumel; Dwork et al.",
        "N. Zumel, A simpler explanation of differential privacy, 2015; C. Dwork et al., The "
        "reusable holdout, Science 349, 2015",
    ),
}


class Configuration(Protocol):
    """A frozen dataclass of public settings; each experiment has its own."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Chart:
    """How rows are drawn.

    Parameters
    ----------
    panel, x, y : str
        What the columns of a row are.
    kind : {"lines", "bars", "curves"}
        Lines through places, bars at words, or curves of two rates.
    log_x, log_y : bool
    slider : bool
        Whether the panels are stops of a slider, such as values of epsilon.
    """

    panel: str
    x: str
    y: str
    kind: Literal["lines", "bars", "curves"] = "lines"
    log_x: bool = False
    log_y: bool = False
    slider: bool = False


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One reproduction: the last thing in its file is ``EXPERIMENT = Experiment(...)``.

    Parameters
    ----------
    name : str
        What users type, beginning with a key of `PAPERS`.
    figures : str
        What of the paper it repeats, for example "Figures 2 and 3".
    title : str
    claim : str
        What the paper says, in a sentence or two.
    published, sound : str
        Which published methods run again, and what stands beside them.
    chart : Chart
    data : tuple of str
        Names of `PaperData`.
    full, quick : Configuration
        The paper's settings, or near them, and settings for a minute.
    measure : callable
        ``measure(configuration, materials)`` yields rows; between any two of them it can be
        stopped. All noise is simulated from seeds in the configuration.
    judge : callable
        Rows in, `Verdict` out: verdicts come from numbers only.
    formula : str
        What is measured, in LaTeX.
    aliases : tuple of str
        Other names, one for each figure.
    """

    name: str
    figures: str
    title: str
    claim: str
    published: str
    sound: str
    chart: Chart
    data: tuple[str, ...]
    full: Configuration
    quick: Configuration
    measure: Callable[[Any, PaperData], Iterator[Row]]
    judge: Callable[[Rows], Verdict]
    formula: str
    aliases: tuple[str, ...] = ()

    @property
    def paper(self) -> Paper:
        """Where it comes from."""
        return PAPERS[self.name.split("-")[0]]

    def configuration(self, quick: bool) -> Configuration:
        """The quick settings or the full ones."""
        return self.quick if quick else self.full

    def settings(self, quick: bool) -> str:
        """The settings as one line of words."""
        configuration = self.configuration(quick)
        return "; ".join(
            f"{field.name.replace('_', ' ')} {_shown(getattr(configuration, field.name))}"
            for field in fields(configuration)
        )

    def digest(self, quick: bool) -> str:
        """Of name and settings: equal digests ask for equal numbers."""
        document = {"name": self.name, **asdict(self.configuration(quick))}
        text = json.dumps(document, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
