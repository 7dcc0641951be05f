"""Groups: is a model as good for everybody? Private against true."""

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.evaluation.decisions.groups import METHOD, MOST_LEVELS
from dpcore.study import WorkflowResult
from pages.groups import choices, view
from pages.groups.choices import GroupsChoice
from pages.session import open_data, state
from pages.session.text import plain, said
from pages.shell import page_shell, wrong_mode
from pages.widgets import badges, forms, python_code, score_pages


class Groups(score_pages.ScorePage[GroupsChoice]):
    """The page, as one of the test scores."""

    name, label, choices, view = "groups", "groups", choices, view
    of_the_curve = False

    def above(self, choice: GroupsChoice) -> None:
        picker(choice)
        with forms.moves():
            forms.epsilon_slider("groups_epsilon")
            if choice.threshold is None:
                return
            scale = score_pages.scale()
            if scale.name == "probability":
                forms.slider("groups_threshold", 0.0, 1.0, step=0.01)
            else:
                label = forms.label_of("groups_threshold")
                score_pages.threshold(label, "groups_threshold", scale, "Public.")

    def headline(self, result: view.GroupsResult) -> str:
        return view.headline(result)

    def beneath(self, result: view.GroupsResult, whole: WorkflowResult) -> None:
        st.caption(plain(f"{view.small(result)} {result.records.words}"))
        python_code.show(lambda: view.code(result, whole.config), whole.config)

    def beside(self, choice: GroupsChoice) -> None:
        if choice.shown != choice.rate:
            state.set_choice("groups_rate", choice.shown)
        forms.listed("groups_rate", choice.rates)
        badges.verdict(METHOD)
        alarms = "with" if choice.threshold is not None else "without"
        with forms.settings(f"{alarms} a threshold", state.chosen()["neighbors"]):
            forms.toggle("groups_alarms")
            forms.neighbors(METHOD.neighbors)

    def remark(self, result: view.GroupsResult, whole: WorkflowResult) -> str:
        return said(f"groups {whole.config.neighbors.value}")


def picker(choice: GroupsChoice) -> None:
    """Choose the column of a table; the last one where it has fewer than was chosen."""
    read = open_data.current().records
    if isinstance(read, Predictions):
        return
    names = view.group_columns(read.schema)
    place = min(choice.by, len(names))
    if state.chosen()["groups_by"] != str(place):
        state.set_choice("groups_by", place)
    forms.listed("groups_by", dict(enumerate(names, start=1)), now=place)


def body() -> None:
    read = open_data.current().records
    if isinstance(read, Predictions):
        found, remedy = open_data.groups_of(read), said("groups are a column")
    else:
        found = view.group_columns(read.schema)
        remedy = said("declare a group").format(MOST_LEVELS)
    if found:
        Groups().show()
    else:
        wrong_mode.without_columns("These records name no groups", remedy)


page_shell.run(body)
