"""Compare: which of two models ranks the same records better? Private against true."""

from functools import partial

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.evaluation.decisions.comparison import METHOD
from dpcore.privacy import Charge, Ledger
from dpcore.study import WorkflowResult
from dpcore.study.sections import TRAIN
from pages.compare import choices, view
from pages.compare.choices import CompareChoice
from pages.session import open_data, state
from pages.session.text import said
from pages.shell import page_shell, wrong_mode
from pages.widgets import badges, forms, plot, python_code, score_pages


class Compare(score_pages.ScorePage[CompareChoice]):
    """The page, as one of the test scores."""

    name, label, choices, view = "compare", "comparison", choices, view
    of_the_curve = False

    def above(self, choice: CompareChoice) -> None:
        read = open_data.current().records
        if isinstance(read, Predictions):
            pickers(choice, read.models)
        else:
            forms.listed("compare_other")
        with forms.moves():
            forms.epsilon_slider("compare_epsilon")

    def beneath(self, result: view.ComparisonResult, whole: WorkflowResult) -> None:
        super().beneath(result, whole)
        st.markdown(said("both true curves"))
        plot.show(view.true_curves(result.records, state.theme()), key="true curves")
        lines = partial(view.true_code, result, whole.config)
        python_code.show(lines, whole.config, key="python true curves")

    def beside(self, choice: CompareChoice) -> None:
        badges.verdict(METHOD)
        with forms.settings(state.chosen()["neighbors"]):
            forms.neighbors(METHOD.neighbors)

    def under(self, result: view.ComparisonResult) -> None:
        """It has no table."""

    def remark(self, result: view.ComparisonResult, whole: WorkflowResult) -> str:
        return "Training model B is charged to the train records." if result.records.charges else ""

    def charges(self, result: view.ComparisonResult) -> tuple[Charge, ...]:
        return (*result.records.charges, *result.charges)

    def metered(self, result: view.ComparisonResult, whole: WorkflowResult) -> tuple[Charge, ...]:
        trained = Ledger(neighbors=whole.config.neighbors).total(result.records.charges)
        training = [Charge("training of B", "", trained, TRAIN)] if result.records.charges else []
        return (*training, *super().metered(result, whole))


def pickers(choice: CompareChoice, names: tuple[str, ...]) -> None:
    """Choose two different models of a file."""
    a, b = choice.among(len(names))
    for name, now in (("compare_a", a), ("compare_b", b)):
        if state.chosen()[name] != str(now):
            state.set_choice(name, now)
    others = [place for place in range(1, len(names) + 1) if place != a]
    offered = {"compare_a": list(range(1, len(names) + 1)), "compare_b": others}
    for column, (name, options), now in zip(st.columns(2), offered.items(), (a, b), strict=True):
        with column:
            forms.listed(name, {place: names[place - 1] for place in options}, now=now)


def body() -> None:
    read = open_data.current().records
    if not isinstance(read, Predictions) or len(read.models) > 1:
        Compare().show()
    else:
        one = "There is one model here, and a comparison takes two"
        wrong_mode.without_columns(one, said("two score columns are compared"))


page_shell.run(body)
