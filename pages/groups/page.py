"""Groups: is a model as good for everybody? Private against true."""

from dataclasses import replace

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.evaluation.decisions.groups import METHOD, MOST_LEVELS
from dpcore.figures import Picture
from dpcore.privacy import Charge, Loss, Neighbors
from dpcore.study import WorkflowResult
from pages.groups import choices, view
from pages.groups.choices import GroupsChoice
from pages.session import open_data, state, study
from pages.session.text import plain
from pages.shell import page_shell, wrong_mode
from pages.widgets import badges, cards, forms, fragments, pin, python_code, score_pages

LEVELS = (
    "The names of the groups are taken from the data, which is fine in a simulation. A private "
    "release needs them declared in public, for a rare name would tell on whoever has it."
)
DECLARED = "The groups are the levels that the schema declares, so a private release may name them."


def sliders(choice: GroupsChoice) -> None:
    """What is dragged while looking at the figure."""
    left, right = forms.moves().columns([3, 2])
    with left:
        forms.epsilon_slider("groups_epsilon")
    if choice.threshold is not None:
        with right:
            label, scale = "Flagged from this score on", score_pages.scale()
            if scale.name == "probability":
                forms.slider("groups_threshold", 0.0, 1.0, step=0.01)
            else:
                score_pages.threshold(label, "groups_threshold", scale, "Public.")


def controls(choice: GroupsChoice) -> None:
    """What is chosen now and then."""
    if choice.shown != choice.rate:
        state.set_choice("groups_rate", choice.shown)
    forms.listed("groups_rate", choice.rates)
    badges.verdict(METHOD)
    alarms = "with" if choice.threshold is not None else "without"
    with forms.settings(f"{alarms} a threshold", state.chosen()["neighbors"]):
        forms.toggle("groups_alarms")
        forms.neighbors(METHOD.neighbors)
    score_pages.redraw()


def picker(choice: GroupsChoice) -> GroupsChoice:
    """Choose the column of a table; returns what is chosen where it has fewer."""
    read = open_data.current().records
    if isinstance(read, Predictions):
        return choice
    names = view.group_columns(read.schema)
    place = min(choice.by, len(names))
    if state.chosen()["groups_by"] != str(place):
        state.set_choice("groups_by", place)
    words = dict(enumerate(names, start=1))
    forms.listed("groups_by", words, now=place)
    return replace(choice, by=place)


def by_column(
    choice: GroupsChoice, whole: WorkflowResult
) -> tuple[view.Grouped, WorkflowResult, str]:
    """The test records by group, the study that says so, and in words which score it is."""
    read = open_data.current().records
    if isinstance(read, Predictions):
        asked = read.parsed, read.roles.score, open_data.groups_of(read)
        records = state.cached("grouped records", view.grouped, *asked)
        return records, whole, f"The score is “{read.roles.score}”. {LEVELS}"
    names = view.group_columns(read.schema)
    name = names[min(choice.by, len(names)) - 1]
    about = read, whole.prepared, whole.tested, name
    records = state.cached("grouped records", view.of_test_records, *about)
    # Whoever takes the study away takes its groups along.
    source = replace(whole.config.data, group=name)
    told = f"The score is the chance of “{read.schema.label.positive}”, by the model that is "
    known = LEVELS if f"{name}.levels" in read.schema.taken_from_data else DECLARED
    return (
        records,
        replace(whole, config=replace(whole.config, data=source)),
        f"{told}trained here, of the test records. {known}",
    )


def drawn() -> Picture:
    """The figure of the present choices, for a pin."""
    choice = choices.read(state.chosen())
    records, whole, _ = by_column(choice, study.run())
    return view.picture(score_pages.released(view.run, whole)(choice, records), state.theme())


@fragments.fragment
def groups() -> Charge:
    """Figure and controls; nothing else reruns while they move."""
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    figure, side = pin.frame()
    with figure:
        choice = picker(choice)
        sliders(choice)
        records, whole, about = by_column(choice, study.run())
        release = score_pages.released(view.run, whole)
        result = release(choice, records)
        cards.headline(view.headline(result))
        pin.show(view.picture(result, state.theme()), key="groups", draw=drawn)
        st.caption(plain(f"{view.small(result)} {about}"))
        python_code.show(lambda: view.code(result, whole.config), whole.config)
    with side:
        controls(choice)
        score_pages.offer(view.files(result, whole))
    caption = "Rates by group, with intervals"
    st.html(cards.table(*view.table(result), caption=caption, wrapping=True))
    remark = (
        "A record is in one group only, so each group may use the whole epsilon."
        if whole.config.neighbors is Neighbors.ADD_REMOVE
        else "A replaced record may leave one group and enter another, so each group is released "
        "at half of epsilon."
    )
    score_pages.cost(whole, result.release.charges, remark)
    cards.what_is_this(*cards.words_of("groups"), METHOD, whole.config.neighbors)
    # Last, for it takes seconds where the groups are large.
    with figure:
        score_pages.follow(
            "groups_epsilon",
            "groups",
            choice,
            whole,
            lambda moved, theme: view.picture(release(moved, records), theme),
        )
    return Charge("groups", "", Loss(choice.epsilon), score_pages.test_part(whole))


def body() -> None:
    cards.heading("groups")
    read = open_data.current().records
    if isinstance(read, Predictions):
        if open_data.groups_of(read):
            groups()
            return
        remedy = (
            "Open predictions with a group column, such as sex or site, and choose it under "
            "“Group” on the Data page: one row for each record, with its label, its score and its "
            "group."
        )
    else:
        if view.group_columns(read.schema):
            groups()
            return
        remedy = (
            "A group is a column of yes or no, or of categories: declare one on the Data page, of "
            f"at most {MOST_LEVELS} levels."
        )
    wrong_mode.without_columns("These records name no groups", remedy)


page_shell.run(body)
