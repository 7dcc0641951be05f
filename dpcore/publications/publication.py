"""What a kind of result declares, what is found of it, and all kinds by name."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from dpcore._typing import FloatArray, Interval, Json
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.errors import UnknownMethod
from dpcore.exported import Exported
from dpcore.figures import Picture, Theme
from dpcore.privacy import Charge, Neighbors, shown
from dpcore.registry import Method, Parameter, discover
from dpcore.schema import Binary, Categorical, Schema
from dpcore.study import DataSource, WorkflowResult

_KINDS = tomllib.loads(Path(__file__).with_name("kinds.toml").read_text(encoding="utf-8"))
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

Row: TypeAlias = Sequence[str | int | float | None]
Methods: TypeAlias = Callable[[], Mapping[str, Method]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Found:
    """A release, and what may be said beside it.

    Parameters
    ----------
    release : object
        What the kind's `evaluate` returned; None for features and models.
    epsilon : Fraction
        Of this release.
    noise : str
        "system", or "seed:7" of a simulation.
    truth : object, optional
        Its exact counterpart, as the kind's own file declares it; in a simulation only.
    proven : bool, default True
        Whether the method keeps its promise: nothing that another one draws is private.
    classes : (str, str), optional
        What the negative and the positive class are called.
    options : mapping, optional
        Of the kind.
    features, selected : tuple of str
        All encoded features, and those that were chosen.
    numbers : tuple of str
        Those of them that have no score, because they are numbers: they are kept in any case.
    scores : sequence of (float or None), optional
        Their noisy scores, if those were released.
    model : object, optional
        The trained private model.
    models : (str, str), optional
        The columns of the scores of models A and B.
    scale : ScoreScale
        In whose units thresholds are written, and scores of which only the order counts drawn.
    """

    release: Any = None
    epsilon: Fraction
    noise: str = "system"
    truth: Any = None
    proven: bool = True
    classes: tuple[str, str] = ("negatives", "positives")
    options: Mapping[str, Any] = field(default_factory=dict)
    features: tuple[str, ...] = ()
    selected: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    scores: Sequence[float | None] | None = None
    model: Any = None
    models: tuple[str, str] | None = None
    scale: ScoreScale = PROBABILITY

    @property
    def simulated(self) -> bool:
        """Whether anyone can repeat the noise."""
        return self.noise != "system"

    @property
    def adjective(self) -> str:
        """What the release may be called."""
        return "private" if self.proven else "noisy"

    @property
    def at_epsilon(self) -> str:
        """How its sentences begin."""
        return f"At {'' if self.proven else 'a claimed '}epsilon {shown(self.epsilon)}"


def charge_rows(charges: Iterable[Charge]) -> list[tuple[str, str, str, str]]:
    """A charge as every table of charges shows it: for what, how, on which records, how much."""
    return [
        (one.label, one.mechanism, str(one.part.member) if one.part else "all", one.loss.short)
        for one in charges
    ]


def csv_text(header: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    r"""Rows as CSV; a text that a spreadsheet would run as a formula is quoted.

    Examples
    --------
    >>> csv_text(("feature", "score"), [("=A1", 0.5)])
    "feature,score\n'=A1,0.5\n"
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow(
            f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
            for cell in row
        )
    return text.getvalue()


def with_true(
    header: Sequence[str],
    rows: Sequence[Row],
    true: Sequence[Row] | None,
    beside: Sequence[str] = ("true",),
) -> tuple[Row, list[Row]]:
    """A table; of a simulation with what is exact at the end of each row."""
    if true is None:
        return header, list(rows)
    every: list[Row] = [(*row, *exact) for row, exact in zip(rows, true, strict=True)]
    return (*header, *beside), every


@dataclass(frozen=True, eq=False)
class Measured:
    """One simulated release beside its truth.

    Parameters
    ----------
    value
        What the release says.
    error
        How far that is from the truth; zero or positive.
    stated
        How far the interval or band that the release states reaches from what it says: the x of
        "AUC ± x". None if it states neither.
    x, y : float arrays of the same shape, optional
        The released curve, at public places that do not change from run to run.
    lower, upper : float arrays of that shape, optional
        The band that the release states around the curve.
    """

    value: float
    error: float
    stated: float | None = None
    x: FloatArray | None = None
    y: FloatArray | None = None
    lower: FloatArray | None = None
    upper: FloatArray | None = None

    @classmethod
    def of(cls, value: float, interval: Interval, true: float, **curve: FloatArray) -> Measured:
        """A number with its interval, beside the exact one; and the curve that it is read off."""
        return cls(value, abs(value - true), half_width(value, *interval), **curve)

    @property
    def aim(self) -> float:
        """What its owner is held to: `stated`, or the error of a release that states nothing."""
        return self.error if self.stated is None else self.stated


def half_width(
    value: FloatArray | float, lower: FloatArray | float, upper: FloatArray | float
) -> float:
    """How far an interval, or a band where widest, reaches from what it is around.

    Examples
    --------
    >>> round(half_width(0.8, 0.79, 0.83), 6)
    0.03
    """
    return float(max(np.max(np.subtract(upper, value)), np.max(np.subtract(value, lower))))


@dataclass(frozen=True, kw_only=True)
class Publication:
    """One kind of release: every page, command and report shows it by this.

    Parameters
    ----------
    name, title, summary : str
    phases : tuple of str
        What it charges for, of "selection", "training" and "evaluation", if the study has it.
    unit : str
        What `Measured.error` is an error of, such as "AUC".
    quantity : str
        What `Measured.value` is, such as "the AUC".
    result : callable
        The public result of an outcome, as JSON types.
    load : callable
        The released object again, from that result.
    table : callable
        What was found as a header and rows, for CSV and tables.
    headline : callable
        What was found, in one sentence or two.
    picture : callable, optional
        What was found, drawn in a theme, or None; a model has no picture.
    measure : callable
        Compare the outcome of a simulation with its truth.
    methods : callable, optional
        The methods of its evaluation by name; None if nothing is evaluated.
    default : str
        The method that is used when a request names none.
    evaluate : callable, optional
        Release from counted scores. Takes the scores, and by keyword epsilon, method, parameters,
        options, confidence, neighbors, noise, ledger and part.
    options : tuple of Parameter
        Public choices besides those of the method.
    rests_on_scores : bool, default False
        Whether what it states of its accuracy depends much on how well the scores tell the classes
        apart: of an ROC curve the step between two scores, which are far apart if all are alike.
    released : type, optional
        What a notebook shows as this kind.
    takes : {"scores", "groups", "models", "classes"}, default "scores"
        What is counted for it, see `Performance`: the scores of a model, those of each group, those
        of two models, or those of every class.
    made_up : str
        What a preview takes for granted of these counts, and what is otherwise.
    axes : (str, str)
        What `Measured.y` is over `Measured.x`, x first, where a preview draws that.
    """

    name: str
    title: str
    summary: str
    phases: tuple[str, ...] = ("selection", "training", "evaluation")
    unit: str
    quantity: str
    result: Callable[[WorkflowResult], dict[str, Any]]
    load: Callable[[Mapping[str, Any]], Any]
    table: Callable[[Found], tuple[Row, list[Row]]]
    headline: Callable[[Found], str]
    measure: Callable[[WorkflowResult], Measured]
    picture: Callable[[Found, Theme], Picture | None] | None = None
    methods: Methods | None = None
    default: str = ""
    evaluate: Callable[..., Any] | None = None
    options: tuple[Parameter, ...] = ()
    rests_on_scores: bool = False
    released: type | None = None
    takes: str = "scores"
    made_up: str = ""
    axes: tuple[str, str] = ("", "")

    @classmethod
    def told(
        cls, name: str, table: Any, headline: Any, measure: Any, picture: Any = None, **more: Any
    ) -> Publication:
        """A kind whose public facts and options stand in ``kinds.toml``; the others are passed."""
        facts = dict(_KINDS[name])
        options = tuple(Parameter.told(*option) for option in facts.pop("options", {}).items())
        told = {key: tuple(one) if isinstance(one, list) else one for key, one in facts.items()}
        more |= {"table": table, "headline": headline, "measure": measure, "picture": picture}
        return cls(name=name, options=options, **told | more)

    def fits(self, source: DataSource) -> bool:
        """Whether the declared data hold what it takes."""
        if self.takes in ("models", "groups"):
            return (source.score_b if self.takes == "models" else source.group) is not None
        if self.takes == "classes":
            # How many classes a table has is told by its schema.
            return source.predictions is None or source.classes is not None
        return self.methods is not None or source.kind != "predictions"

    def method(self, name: str, neighbors: Neighbors) -> Method | None:
        """The evaluation method of that name; None if nothing is evaluated.

        Raises
        ------
        UnknownMethod, UnsupportedNeighbors
        """
        if self.methods is None:
            return None
        known = self.methods()
        if name not in known:
            raise UnknownMethod(f"{self.name} method", name, known)
        known[name].require(neighbors)
        return known[name]

    def csv(self, found: Found) -> str:
        """The table as CSV; of a simulation, every row says so."""
        header, rows = self.table(found)
        if not found.simulated:
            return csv_text(header, rows)
        stamp = shown(found.epsilon), f"simulation, {found.noise}"
        return csv_text((*header, "epsilon", "noise"), [(*row, *stamp) for row in rows])


def fitted_as_json(outcome: WorkflowResult) -> dict[str, Any]:
    """Features and model as JSON types; empty for predictions."""
    found: dict[str, Any] = {}
    if outcome.selection is not None:
        names = {"all": list(outcome.feature_names), "selected": list(outcome.selected_names)}
        scores = json.loads(outcome.selection.to_json())["scores"]
        found["features"] = {**names, "scores": scores}
    if outcome.model is not None:
        found["model"] = json.loads(outcome.model.to_json())
    return found


def exported(
    name: str, kind: type[Exported], release: Callable[..., Any], methods: Method | Methods
) -> Callable[..., Publication]:
    """A kind of one release, to be called with its table, headline, measure and picture.

    It says how the release is made, written with the model if there is one, and read. The options
    of the kind are arguments of the call that releases it; the method is, unless there is only one.
    """
    only = methods if isinstance(methods, Method) else None

    def result(outcome: WorkflowResult) -> dict[str, Any]:
        return {name: json.loads(outcome.evaluated.to_json()), **fitted_as_json(outcome)}

    def load(result: Mapping[str, Any]) -> Exported:
        return kind.from_json(json.dumps(result[name]))

    def evaluate(held: Any, *, method: str, parameters: Json, options: Json, **account: Any) -> Any:
        chosen = {} if only else {"method": method}
        return release(held, **account, **chosen, **options, **parameters)

    made = {"released": kind, "result": result, "load": load, "evaluate": evaluate}
    if only is None:
        return partial(Publication.told, name, methods=methods, **made)
    listed = {only.name: only}
    return partial(Publication.told, name, methods=lambda: listed, default=only.name, **made)


@lru_cache(maxsize=1)
def _kinds() -> dict[str, Publication]:
    return {one.name: one for one in discover(__package__, "PUBLICATION", Publication)}


def publications() -> dict[str, Publication]:
    """All kinds of release by name.

    Examples
    --------
    >>> sorted(publications())
    ['auc', 'calibration', 'classes', 'compare', 'ecdf', 'features', 'groups', 'model', 'roc',
    'threshold']
    """
    return dict(_kinds())


def publication(name: str) -> Publication:
    """The kind of that name, or `UnknownMethod` with the nearest spelling."""
    if name not in _kinds():
        raise UnknownMethod("publication", name, _kinds())
    return _kinds()[name]


def grouping(schema: Schema | None) -> list[str]:
    """Columns of a table whose levels are declared: it can be evaluated by each."""
    columns = () if schema is None else schema.features
    return [one.name for one in columns if isinstance(one, Binary | Categorical)]


def publications_of(source: DataSource, schema: Schema | None = None) -> dict[str, Publication]:
    """What can be published from data that are declared so, by name.

    The schema of a table says which of its columns has groups, and how many classes it has.
    """
    if columns := grouping(schema):
        source = replace(source, group=source.group or columns[0])
    found = {name: kind for name, kind in _kinds().items() if kind.fits(source)}
    if schema is not None and len(schema.label.classes) < 3:
        del found["classes"]
    return found
