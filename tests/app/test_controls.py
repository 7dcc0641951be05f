"""Whatever a control can show, the link that it writes is taken again, with the same value.

A page is run once to see its controls and their ranges. Every end, every word and many values
between are then written to the address and read back, without running the page for each; at both
ends of all controls at once the page is opened again by the link.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.audit import choices
from pages.calibration import choices as calibration_fields
from pages.compare import choices as compare_fields
from pages.ecdf import choices as ecdf_fields
from pages.features import choices as features_fields
from pages.federated_ecdf import choices as federated_fields
from pages.groups import choices as groups_fields
from pages.model import choices as model_fields
from pages.reusable_holdout import choices as holdout_fields
from pages.roc import choices as roc_fields
from pages.session import page_fields, state, study_fields
from pages.sparse_vector_lab import choices as sparse_vector_lab_fields
from pages.threshold import choices as threshold_fields
from tests.app.opening import assert_calm, open_page, sentences

KINDS = (
    "slider", "number_input", "select_slider", "selectbox", "radio", "segmented_control",
    "multiselect", "toggle",
)  # fmt: skip
BETWEEN = 30
READERS = (
    choices, calibration_fields, ecdf_fields, features_fields, federated_fields,
    groups_fields, compare_fields, holdout_fields, model_fields, roc_fields,
    sparse_vector_lab_fields, threshold_fields,
    SimpleNamespace(read=holdout_fields.read_counts, DEFAULTS=holdout_fields.COUNTS_DEFAULTS),
)  # fmt: skip
# Pages with the views that have controls of their own.
SELECTING = {"select": "noisy-scores", "epsilon.selection": "1"}
VIEWS: dict[str, tuple[dict[str, str], ...]] = {
    "roc": (
        *({"method": name} for name in ("quantile-bins", "recursive-medians", "fixed-space")),
        {"roc_view": "methods"}, {"roc_view": "panels"}, {"roc_view": "redraws"},
    ),
    "ecdf": ({},),
    "calibration": ({},),
    "threshold": ({},),
    "model": ({}, {"model": "logistic"}, {"model_view": "accuracy", "model_draws": "1"}),
    "features": (SELECTING, {**SELECTING, "features_view": "thresholds", "features_runs": "1"}),
    "federated_ecdf": ({},),
    # Small: what is written is the point, and not how long it takes.
    "reusable_holdout": (
        {"reusable_holdout_train_rows": "100", "reusable_holdout_variables": "30"},
    ),
    "audit": ({"audit_show": "own", "audit_trials": "100"},),
    "sparse_vector_lab": (
        {"sparse_vector_lab_retraverse": "yes"},
        {"sparse_vector_lab_view": "algorithms"},
        {"sparse_vector_lab_view": "errors", "sparse_vector_lab_runs": "1"},
    ),
}  # fmt: skip
# What takes long at its upper end; written and read back all the same.
LONG = ("draws", "runs", "trials", "largest", "number_bins", "max_rows", "train_rows", "variables")
CASES = [
    pytest.param(page, view, id=f"{page} {' '.join(view.values())}")
    for page, views in VIEWS.items()
    for view in views
]


class Controls(dict[str, list[str]]):
    """What every control of a page can write, by the choice that it shows, both ends first."""

    kinds: ClassVar[tuple[str, ...]] = KINDS

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Look at every control that is drawn from now on."""
        for kind in KINDS:
            monkeypatch.setattr(streamlit, kind, self._seen(kind, getattr(streamlit, kind)))

    def _seen(self, kind: str, draw: Callable[..., Any]) -> Callable[..., Any]:
        def drawn(*given: Any, **told: Any) -> Any:
            name = str(told.get("key", "")).removeprefix(state.control(""))
            if name in study_fields.DEFAULTS or name in streamlit.session_state["chosen"]:
                self[name] = list(dict.fromkeys(_texts(kind, given, told)))
            return draw(*given, **told)

        return drawn


def _texts(kind: str, given: tuple[Any, ...], told: Mapping[str, Any]) -> Iterator[str]:
    """As `state.choice_from_widget` and its like write them."""
    if kind == "toggle":
        yield from ("no", "yes")
    elif kind in ("slider", "number_input"):
        low = told.get("min_value", 0)
        step = told.get("step") or (1 if isinstance(low, int) else 0.01)
        high = told.get("max_value")
        if high is None:
            high = low + 100_000 * step
        yield from (str(low), str(high))
        draws = random.Random(len(told))
        for _ in range(BETWEEN):
            # In floating point, as browsers count steps.
            yield str(low + draws.randint(0, int((high - low) / step)) * step)
    else:
        options = told["options"] if "options" in told else given[1]
        ends = [options[0], options[-1], *options] if options else []
        if kind == "multiselect":
            most = told["max_selections"]
            yield ",".join(options[:most])
            yield ",".join(options[-min(most, len(options)) :])
        else:
            yield from map(str, ends)


def refusals(chosen: Mapping[str, str], page: str) -> list[str]:
    """What is said when the address of these choices is opened, and what it does not bring back."""
    address = study_fields.address(chosen, page)
    known, unknown = study_fields.in_order(address)
    taken = {**study_fields.DEFAULTS, **{name: address[name] for name in known}}
    study_fields.workflow(taken)
    found = [f"unknown: {name}" for name in unknown]
    for fields in READERS:
        asked = {name: taken[name] for name in fields.DEFAULTS}
        settled = {**taken, **fields.DEFAULTS}
        found += [why for _, why in page_fields.refused(fields.read, settled, asked)]
    return found + [
        f"{name}={value} became {taken.get(name)}"
        for name, value in chosen.items()
        if not _same(value, taken.get(name))
    ]


def _same(one: str, other: str | None) -> bool:
    """Whether two texts mean the same; an empty one is a default that an address may spell out."""
    try:
        return one in ("", other) or float(one) == float(other or "")
    except ValueError:
        return False


@pytest.fixture
def controls(monkeypatch: pytest.MonkeyPatch) -> Controls:
    found = Controls()
    found.watch(monkeypatch)
    return found


@pytest.mark.few(4)
@pytest.mark.parametrize("page, view", CASES)
def test_no_page_refuses_a_link_that_it_wrote(
    controls: Controls, page: str, view: dict[str, str]
) -> None:
    app = open_page(page, **view)
    assert_calm(app)
    now = dict(app.session_state["chosen"])
    written = {name: list(texts) for name, texts in controls.items()}
    assert len(written) >= 3
    found = {
        f"{name}={text}": said
        for name, texts in written.items()
        for text in texts
        if (said := refusals({**now, name: text}, page))
    }
    assert found == {}
    for end in (0, 1):
        numbers = {
            name: texts[end]
            for name, texts in written.items()
            if _are_numbers(texts) and name not in view and not name.endswith(LONG)
        }
        told = {**view, **numbers}
        again = open_page(page, **told)
        assert list(again.exception) == []
        assert [said for said in sentences(again) if "The link" in said] == []
        chosen = again.session_state["chosen"]
        assert {name: text for name, text in told.items() if not _same(text, chosen[name])} == {}


def _are_numbers(texts: list[str]) -> bool:
    try:
        return len({float(text) for text in texts}) > 1
    except ValueError:
        return False


def test_old_words_of_a_list_are_no_choice() -> None:
    """What a browser sends that has yet to hear of new words."""

    def script() -> None:
        import streamlit as st

        from pages.session import state

        before = dict(state.chosen())
        for name, old in (("neighbors", "one record more"), ("roc_methods", ["em", "Old, +5D"])):
            st.session_state[state.control(name)] = old
        state.choice_from_widget("neighbors", ("add-remove", "replace"))
        state.list_from_widget("roc_methods", ("em", "best"))
        st.session_state["same"] = dict(state.chosen()) == before
        st.session_state["forgotten"] = not (
            state.has_widget("neighbors") or state.has_widget("roc_methods")
        )

    app = AppTest.from_function(script).run()
    assert list(app.exception) == []
    assert app.session_state["same"]
    assert app.session_state["forgotten"]


def test_the_words_of_the_methods_do_not_follow_the_boost() -> None:
    """They went into the link, where Raise the threshold by was moved to an end and back."""
    words = [
        open_page("sparse_vector_lab", sparse_vector_lab_view="errors", sparse_vector_lab_runs="1",
                  sparse_vector_lab_boost=boost)
        .multiselect(key=state.control("sparse_vector_lab_methods")).options
        for boost in ("0", "5")
    ]  # fmt: skip
    assert words[0] == words[1]
