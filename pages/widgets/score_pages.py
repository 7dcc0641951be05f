"""What the pages share that look at the test scores of the ROC page in another way."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import isfinite
from mimetypes import guess_type
from types import ModuleType
from typing import Any, Generic, Self, TypeVar

import numpy as np
import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.figures import Picture, Theme
from dpcore.privacy import Charge, Loss, Part, charges_as_json, composition
from dpcore.publications import Found, publication
from dpcore.publications.publication import csv_text
from dpcore.publications.report import Table, figure_report
from dpcore.study import Workflow, WorkflowResult
from dpcore.study.config import plain as study_as_json
from dpcore.study.steps import TEST
from pages.session import open_data, page_fields, state, study
from pages.session.text import plain, said
from pages.widgets import budget_meter, cards, forms, pin, python_code, schema_table, slider_frames
from pages.widgets.fragments import fragment

Choice, Made = TypeVar("Choice"), TypeVar("Made")
# Label of the button, name of the file, whose ending says its type, and what makes it.
File = tuple[str, str, Callable[[], str | bytes]]
REDRAWN = "noise redrawn"


@dataclass(frozen=True, eq=False)
class Result(Generic[Choice]):
    """A release beside the truth, and the choices that asked for it.

    `about` is what was passed on to be released, exactly (private).
    """

    choice: Choice
    found: Found
    about: tuple[Any, ...] = ()

    @classmethod
    def of(
        cls, choice: Choice, release: Any, truth: Any, asked: Workflow, *about: Any, **told: Any
    ) -> Self:
        """What a page has released beside a study."""
        told |= {"epsilon": choice.epsilon, "noise": str(asked.evaluation_noise)}
        return cls(choice, Found(release=release, truth=truth, **told), about)

    @property
    def records(self) -> Any:
        """The exact scores that it is about (private)."""
        return self.about[0]

    @property
    def release(self) -> Any:
        """What was released."""
        return self.found.release

    @property
    def truth(self) -> Any:
        """Its exact counterpart."""
        return self.found.truth

    @property
    def charges(self) -> tuple[Charge, ...]:
        """What it cost."""
        return tuple(self.release.charges)


def choice(read: Callable[[Mapping[str, str]], Choice], defaults: Mapping[str, str]) -> Choice:
    """The checked choices of a page; what a link asks in vain becomes a sentence and a default."""
    found, refused = settled(read, defaults)
    # The box is there without a warning too: what follows would lose its place and the focus.
    with st.container():
        cards.not_followed(refused)
    return found


def settled(
    read: Callable[[Mapping[str, str]], Choice], defaults: Mapping[str, str]
) -> tuple[Choice, list[str]]:
    """The same, and the sentences, which are not shown."""
    asked = {name: state.chosen()[name] for name in defaults}
    refused = dict(page_fields.refused(read, {**state.chosen(), **defaults}, asked))
    for name in refused:
        state.set_choice(name, defaults[name])
    return read(state.chosen()), [*refused.values()]


def asked(choice: Any, study: Workflow, *names: str) -> dict[str, Any]:
    """What is asked of a function of dpcore: choices by their names, and the study's neighbours."""
    told = {name: getattr(choice, name) for name in names}
    if "method" in told:
        told["method"] = choice.method.name
    return told | {"neighbors": study.neighbors}


def class_names() -> tuple[str, str]:
    """What the negative and the positive class are called."""
    opened = open_data.current().records
    return opened.classes if isinstance(opened, Predictions) else opened.schema.label.sides


def scale() -> ScoreScale:
    """In which units the scores are written."""
    opened = open_data.current().records
    return opened.scale if isinstance(opened, Predictions) else PROBABILITY


def written(score: float) -> str:
    """A score as the file writes scores: thresholds, quantiles, and means where these go along."""
    text = f"{float(scale().written(np.array(score, dtype=np.float64))):.4g}"
    return text.replace("-", "\N{MINUS SIGN}").replace("inf", "∞")


def true_auc(result: WorkflowResult) -> tuple[str, str, str]:
    """The exact area as a figure beside others: label, value, explanation."""
    return "True AUC", f"{result.truth.model.auc:.3f}", "exact, of these records"


def threshold(label: str, name: str, scale: ScoreScale, help_text: str) -> None:
    """A choice of a score, asked for in the units of the scores and kept between 0 and 1."""
    low, high = (end if isfinite(end) else None for end in scale.ends)
    now = float(scale.written(np.array([float(state.chosen()[name])]))[0])
    tie = state.seeded(name, float(f"{now:.10g}"))
    tie |= {"on_change": _take_threshold, "args": (name, scale)}
    words = f"{help_text} The scores are {scale.words}."
    st.number_input(label, min_value=low, max_value=high, help=words, **tie)


def _take_threshold(name: str, scale: ScoreScale) -> None:
    if state.has_widget(name):
        state.chosen()[name] = repr(scale.threshold(st.session_state[state.control(name)]))


def point_out_merging(result: WorkflowResult) -> None:
    """Say what it costs that the public cells merge scores, where it costs anything."""
    if result.truth.model.merged:
        st.warning(plain(result.truth.model.merged), icon=":material/join_inner:")


def test_part(result: WorkflowResult) -> Part | None:
    """The records that the scores belong to: the test part, or all of an upload."""
    return TEST if result.config.trains else None


def upstream(result: WorkflowResult) -> tuple[object, ...]:
    """All that leads to the test scores, and the noise of what is drawn of them."""
    asked = result.config
    made = asked.split, asked.selection, asked.model, asked.noise, asked.neighbors
    spent = asked.epsilon.selection, asked.epsilon.training
    return open_data.current().key, *made, *spent, asked.evaluation_noise


def account(result: WorkflowResult) -> dict[str, Any]:
    """Where a release is charged: a ledger that knows the study's charges, and which part."""
    ledger = study.charged(result.charges, result.config.neighbors)
    return {"ledger": ledger, "part": test_part(result)}


def released(run: Callable[..., Made], whole: WorkflowResult) -> Callable[..., Made]:
    """The same release, charged beside the study: what it is about, and nothing else, is passed."""
    return lambda *about: run(*about, study=whole.config, **account(whole))


class ScorePage(Generic[Choice]):
    """A page of one figure of the test scores: what such pages share, and where they differ.

    `choices` and `view` are its modules. Of the view are asked: `result_of` a choice and a study,
    with the study that its files tell of; `headline`, `picture`, `code`, `files` and `tables`.
    """

    name: str
    # What the budget meter calls the release.
    label: str
    choices: ModuleType
    view: ModuleType
    # Whether it draws the scores of the ROC curve, as they are counted there.
    of_the_curve = True

    def above(self, choice: Choice) -> None:
        """What is picked and dragged while looking at the figure."""

    def beneath(self, result: Result[Choice], whole: WorkflowResult) -> None:
        """The numbers of the figure, and the lines that give them."""
        own = [true_auc(whole)] if self.of_the_curve else []
        st.html(cards.numbers([*self.view.figures(result), *own]))
        python_code.show(lambda: self.view.code(result, whole.config), whole.config)

    def beside(self, choice: Choice) -> None:
        """What is chosen now and then."""

    def headline(self, result: Result[Choice]) -> str:
        """The takeaway in one sentence or two."""
        return publication(self.name).headline(result.found)

    def under(self, result: Result[Choice]) -> None:
        """The tables under both."""
        st.html(self.view.tables(result))

    def remark(self, result: Result[Choice], whole: WorkflowResult) -> str:
        """What else is to be said of the cost."""
        return ""

    def charges(self, result: Result[Choice]) -> tuple[Charge, ...]:
        """What is charged beside the study."""
        return result.charges

    def metered(self, result: Result[Choice], whole: WorkflowResult) -> tuple[Charge, ...]:
        """The same as the budget meter shows it."""
        return (Charge(self.label, "", Loss(result.choice.epsilon), test_part(whole)),)

    def _drawn(self) -> Picture:
        """The figure of the present choices, for a pin."""
        result, _ = self.view.result_of(self.choices.read(state.chosen()), study.run())
        return self.view.picture(result, state.theme())

    @fragment
    def show(self) -> tuple[Charge, ...]:
        """Figure and controls; nothing else reruns while they move."""
        view, read = self.view, self.choices.read
        asked = choice(read, self.choices.DEFAULTS)
        figure, side = pin.frame(self._drawn)
        with figure:
            self.above(asked)
            # Read again: the records may have less than was chosen.
            result, whole = view.result_of(read(state.chosen()), study.run())
            cards.headline(self.headline(result))
            pin.show(view.picture(result, state.theme()), key=self.name)
            if self.of_the_curve:
                point_out_merging(whole)
            self.beneath(result, whole)
        with side:
            self.beside(result.choice)
            redraw()
            offer(view.files(result, whole))
        self.under(result)
        cost(whole, self.charges(result), self.remark(result, whole))
        method = result.choice.method
        cards.what_is_this(*cards.words_of(self.name), method, whole.config.neighbors)
        # Last, for it takes seconds where there are many records.
        with figure:
            self._follow(result, whole)
        return self.metered(result, whole)

    def _follow(self, result: Result[Choice], whole: WorkflowResult) -> None:
        """Let the figure move while its slider of epsilon is dragged."""
        theme, choice, release = state.theme(), result.choice, released(self.view.run, whole)

        def draw(epsilon: Fraction) -> Picture:
            return self.view.picture(
                release(replace(choice, epsilon=epsilon), *result.about), theme
            )

        fits = replace(choice, epsilon=Fraction(1)), *upstream(whole), theme.name
        slider = slider_frames.of_fractions(f"{self.name}_epsilon", draw, *fits)
        slider_frames.follow(self.name, slider, public=study.is_public())


def _pick_class() -> None:
    """Which class the scores are about, where there are more than two: it against the rest."""
    opened = open_data.current()
    records = opened.records
    names = records.choices if isinstance(records, Predictions) else records.schema.label.classes
    if len(names) < 3 or isinstance(opened.given, open_data.GivenFiles):
        return
    name = f"class {opened.key}"
    tie = state.seeded(name, opened.positive, [*names]) | {"on_change": _take_class}
    st.selectbox(options=names, args=(name,), **tie, **forms.told("class of several"))


def _take_class(name: str) -> None:
    chosen, records = st.session_state[state.control(name)], open_data.current().records
    if isinstance(records, Predictions):
        open_data.use_positive(chosen)
    else:
        open_data.use_schema(schema_table.with_positive(records.schema, chosen, records.frame))
    # What stands above names the class, so the whole page runs again.
    st.session_state[REDRAWN] = True


def redraw(*, one_class: bool = True) -> None:
    """New noise for what is published about the test records; the model stays.

    Above it stands which of several classes the scores are about, if it is one of them.
    """
    if one_class:
        _pick_class()
    redraws = state.chosen()["redraw"]
    label = "Redraw the noise" + (f" (redraw {redraws})" if redraws != "0" else "")
    forms.draw_again(label, _redraw, help_text=forms.WORDS["redraw"]["help"])
    # The sidebar counts the redraws, so the whole page runs again.
    if st.session_state.pop(REDRAWN, False):
        st.rerun()


def _redraw() -> None:
    state.count_on("redraw")
    st.session_state[REDRAWN] = True


def cost(result: WorkflowResult, charges: Sequence[Charge], remark: str = "") -> None:
    """What this page adds to the account of the study."""
    with cards.costs():
        words = said("two releases about the same records")
        st.markdown(f"{words} {remark}")
        every = *budget_meter.of_page(result.charges), *charges
        budget_meter.ledger_table(replace(result, charges=every))


def csv_file(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> File:
    """A table to take away, every row stamped."""
    every = [(*row, "simulation") for row in rows]
    return "CSV", f"{name}.csv", lambda: csv_text((*header, "noise"), every)


def json_file(name: str, document: Callable[[], Mapping[str, Any]]) -> File:
    """What was found, to take away with a stamp."""

    def content() -> str:
        stamped = {"simulation": True, **document()}
        return json.dumps(stamped, indent=1, ensure_ascii=False) + "\n"

    return "JSON", f"{name}.json", content


def offer(
    files: Iterable[File],
    *,
    caption: str = "Take it with you, stamped as a simulation",
    note: str = "The buttons beneath a figure save the figure alone.",
) -> None:
    """Buttons for what can be taken away; each is made when it is asked for."""
    with st.container(key="take-away"):
        st.caption(caption)
        with st.container(horizontal=True, gap="small"):
            for label, name, make in files:
                told = {"file_name": name, "mime": guess_type(name)[0], "key": f"{name} {label}"}
                made = partial(_readable, name, make)
                st.download_button(label, made, on_click="ignore", **told)
        if note:
            st.caption(note)


def _readable(name: str, make: Callable[[], str | bytes]) -> str | bytes:
    """A table in more than ASCII begins with the mark without which Excel misreads it."""
    content = make()
    if not (isinstance(content, str) and name.endswith(".csv")) or content.isascii():
        return content
    return f"\ufeff{content}"


def files_of(
    kind: str, title: str, result: Result[Any], whole: WorkflowResult,
    picture: Callable[[Any, Theme], Picture], tables: Mapping[str, Table], truth: object,
) -> list[File]:  # fmt: skip
    """What can be taken of one figure: its points, all that was released, and a report."""
    whole = replace(whole, charges=budget_meter.of_page(whole.charges))
    found, every, one = result.found, (*whole.charges, *result.charges), publication(kind)

    def document() -> dict[str, object]:
        return {
            "study": study_as_json(whole.config),
            "classes": dict(zip(("negatives", "positives"), found.classes, strict=True)),
            **one.result(replace(whole, evaluated=found.release, selection=None, model=None)),
            "truth": truth,
            "privacy": {
                "charges": charges_as_json(every),
                "composition": composition(every, whole.config.neighbors),
            },
        }

    def report() -> bytes:
        draw = partial(picture, result)
        return figure_report(title, one.headline(found), draw, tables, whole, result.charges)

    stem = f"{kind}-simulation"
    return [
        ("CSV", f"{stem}.csv", lambda: one.csv(found)),
        json_file(stem, document),
        ("HTML", f"{stem}.html", report),
    ]
