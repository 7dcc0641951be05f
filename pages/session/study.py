"""Running the chosen study: only what a change touches runs again."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.data.reading.roles.names import find_columns
from dpcore.errors import IntakeError, SchemaError
from dpcore.privacy import Charge, Ledger, Neighbors
from dpcore.schema import Binary, Categorical, Column, Numeric, Schema, Text
from dpcore.study import DataSource, Selection, StageCache, Workflow, WorkflowResult, run_workflow
from pages.session import memory, mode, open_data, state, study_fields
from pages.session.text import table

Outputs = WeakValueDictionary[tuple[str, str], Any]


class PublicStages(StageCache):
    """The outputs that one session holds; what another one holds already is taken from there.

    A key names the records, with all else that an output depends on, so it does not matter who has
    computed it. What no session holds any longer is forgotten.

    Parameters
    ----------
    shared
        The outputs that any session holds.
    """

    def __init__(self, shared: Outputs) -> None:
        super().__init__()
        self._shared = shared

    def __contains__(self, place: object) -> bool:
        # Whether it can be taken, which takes it: a moment later no session may hold it.
        return Mapping.__contains__(self, place)

    def __missing__(self, place: tuple[str, str]) -> Any:
        output = self._shared[place]
        # From now on this session holds it too.
        super().__setitem__(place, output)
        return output

    def __setitem__(self, place: tuple[str, str], output: Any) -> None:
        super().__setitem__(place, output)
        self._shared[place] = output


def of_a_session(public: bool) -> StageCache:
    """A new cache: records of the visitor's own stay in the session, whoever else has the same."""
    return PublicStages(_shared()) if public else StageCache()


@st.cache_resource(show_spinner=False)
def _shared() -> Outputs:
    return WeakValueDictionary()


# What is done in each stage of a study, for the bar of progress.
STAGES: dict[str, str] = table(Path(__file__).with_name("stages.toml"))

# Records times columns from which a first run may take longer than half a second.
SLOW = 100_000

PATIENCE = 0.3

UPSTREAM = "upstream choices"


def config() -> Workflow:
    """The study, with the data that are open, and nothing asked of them that they do not have."""
    opened = open_data.current()
    return _fitted(tuple(state.chosen().items()), _source(opened), indicators())


def _source(opened: open_data.Opened) -> DataSource | None:
    """Where a study file finds the data, and how it reads them; None if a link leads to them."""
    read = opened.records
    if isinstance(read, Predictions):
        negative, positive = read.classes
        return DataSource(
            predictions=opened.title,
            scale=read.scale.name,
            bounds=read.scale.bounds,
            positive=positive,
            negative=negative if negative in (read.choices or read.classes) else None,
            **_unnamed(read),
            **_groups(read),
            **_classes(read),
            **DataSource.layout_of(read.dialect),
        )
    if not opened.edited:
        return None
    schema, sample = schema_file(opened), _name_of_sample(opened)
    if sample:
        return DataSource(sample=sample, schema=schema)
    return DataSource(file=opened.title, schema=schema, **DataSource.layout_of(opened.dialect))


def schema_file(opened: open_data.Opened) -> str:
    """What the Data page saves a schema as, and a study file calls it."""
    if _name_of_sample(opened):
        return "schema.toml"
    return f"{opened.title.rpartition('.')[0] or opened.title}.toml"


def _name_of_sample(opened: open_data.Opened) -> str:
    """Empty where no sample is open."""
    kind, _, name = opened.records.digest.partition(":")
    return name if kind == "sample" else ""


def _unnamed(read: Predictions) -> dict[str, str]:
    """The columns that a study file must name, because their names alone do not tell them."""
    label, score = read.columns
    try:
        found = find_columns(read.names or read.columns)
    except IntakeError:
        return {"label": label, "score": score}
    return {} if (found.label, found.score) == (label, score) else {"label": label, "score": score}


def _groups(read: Predictions) -> dict[str, Any]:
    """The column that tells groups apart, if the visitor named one, and the groups in it."""
    levels = open_data.groups_of(read)
    return {"group": read.roles.group, "levels": levels} if levels and read.roles else {}


def _classes(read: Predictions) -> dict[str, Any]:
    """More than two classes, each with the column of its score."""
    every = read.by_class
    return {"classes": every.classes, "class_scores": every.columns} if every else {}


@memory.briefly
def _fitted(choices: tuple[tuple[str, str], ...], data: DataSource | None, most: int) -> Workflow:
    study = study_fields.workflow(dict(choices))
    if data is None or data.predictions is None:
        asked = study_fields.TOP_K in dict(choices)
        study = replace(study, selection=_possible(study.selection, most, asked=asked))
    return study if data is None else replace(study, data=data)


def _possible(selection: Selection, most: int, *, asked: bool) -> Selection:
    """The selection, of no more features than can be kept."""
    told, limit = selection.parameters, most_kept(most, asked=asked)
    if most == 0:
        return Selection()
    if int(told.get("top_k", 0)) > limit:
        return replace(selection, parameters={**told, "top_k": limit})
    return selection


def most_kept(most: int, *, asked: bool) -> int:
    """All features if somebody asked for so many, else half: to keep all chooses nothing."""
    return most if asked or most < 2 else most // 2


def indicators() -> int:
    """Number of features to choose from; numbers count by their bins, if they are cut."""
    opened = open_data.current().records
    return 0 if isinstance(opened, Predictions) else selectable(opened.schema)


def selectable(schema: Schema) -> int:
    """Number of features that a schema gives to choose from."""
    bins = study_fields.bins(state.chosen()) or 0
    return sum(_width(column, bins) for column in schema.features)


def numbers() -> int:
    """Number of numeric columns."""
    opened = open_data.current().records
    columns = () if isinstance(opened, Predictions) else opened.schema.features
    return sum(isinstance(column, Numeric) for column in columns)


def _width(column: Column, bins: int) -> int:
    match column:
        case Categorical():
            return len(column.levels)
        case Text():
            return column.width
        case Binary():
            return 1
        case Numeric():
            return bins
        case _:
            return 0


def run(*, beside: bool = True) -> WorkflowResult:
    """The result of the chosen study, with a progress bar if it takes a while.

    Without what it is compared with `beside` it is there much sooner.
    """
    opened = open_data.current()
    records, table = opened.records, not isinstance(opened.records, Predictions)
    if table and not records.schema.features:
        remedy = "give one column or more a type other than label and ignore, on the Data page"
        raise SchemaError("the schema has no features", remedy=remedy)
    is_large = (records.frame.size if table else records.y_score.size) > SLOW
    upstream = study_fields.upstream(state.chosen()), opened.key
    known = st.session_state.get(UPSTREAM)
    place = None if known in ((upstream, True), (upstream, beside)) else st.empty()
    began = monotonic()

    def report(stage: str, share: float) -> None:
        if place is not None and (is_large or monotonic() - began > PATIENCE):
            place.progress(share, text=STAGES.get(stage, stage))

    result = run_workflow(config(), data=records, cache=stages(), progress=report, beside=beside)
    if place is not None:
        st.session_state[UPSTREAM] = upstream, beside
        place.empty()
    return result


def is_public() -> bool:
    """Whether all that is drawn is of a sample as every visitor finds it, with simulated noise."""
    return not (mode.is_private() or open_data.current().edited)


def stages() -> StageCache:
    """What this session has computed of the open records."""
    return state.cached("stages", of_a_session, is_public())


def charged(charges: Iterable[Charge], neighbors: Neighbors) -> Ledger:
    """A ledger that knows what a study charges."""
    ledger = Ledger(neighbors=neighbors)
    for charge in charges:
        ledger.spend(charge)
    return ledger
