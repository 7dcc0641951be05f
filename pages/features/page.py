"""Feature selection: what the noisy scores say, what is chosen, and how close that is to true."""

from collections.abc import Mapping

import streamlit as st

from dpcore.data.reading import Predictions, samples
from dpcore.publications.publication import csv_text
from dpcore.schema import FeatureSpace
from dpcore.selection import selectors
from dpcore.selection.problem import Selector
from dpcore.selection.scores import SCORES
from dpcore.study import Workflow, WorkflowResult
from pages.features import accuracy, choices, free, scores, thresholds
from pages.features.choices import FeaturesChoice
from pages.features.scores import Table
from pages.session import open_data, state, study, study_fields
from pages.shell import page_shell, wrong_mode
from pages.widgets import budget_meter, cards, forms, score_pages

VIEWS = {
    "scores": "Scores",
    "thresholds": "Thresholds",
    "budget": "Budget",
    "rows": "Row bound",
    "free": "After the release: free",
}
WORDS = {
    "scores": """
Every level of a category and every word is a feature that a record has or has not. A score says how
useful it is: the *total count* of the records that have it, the *difference count* between the
classes, the *purity index*, or the *information gain*. The method chooses by these scores, with
enough chance in it that no single record decides. Numbers are not scored, and always kept, unless
they are cut into bins.

In the histogram and in the bars, strong is chosen and pale is left out. Where a method publishes
noisy scores, both show them and a tick marks the true score, which only a simulation may show;
otherwise they show the true scores. The dashed line is what decided. The true set, by which F1 and
the others judge, is that of the scores without noise and without a row bound.
""",
    "thresholds": """
Each method is asked for the features whose score lies above a threshold, at the same epsilon. F1 is
the harmonic mean of precision (how much of the chosen is right) and recall (how much of the right
is chosen). Methods marked as not private look best because they add hardly any noise; no release
can use them. This is Figure 3 of the paper, on your records.
""",
    "budget": """
A study selects features first and then trains on them; both spend epsilon on the same records. One
line gives part of the budget to the selection, the other keeps all features and gives everything to
training. What the selection takes, the model lacks: compare the two before you pay. These are
Figures 4 and 5 (a, b) of the paper, on your records and with your model.
""",
    "rows": """
Noise is scaled to how many features one record may count for. A small bound (the row bound r)
throws data away, a large one needs more noise; in between is the best. A model that cuts its texts
as well (“Truncated counts”) is given the same bound. This is Figure 5 (c, d) of the paper.
""",
    "free": """
A naive Bayes model releases noisy counts of all features, and whatever is computed from a release
is free. If each record is bounded in L1, the noise of a count does not grow with the number of
features: selecting first only takes budget away from the counts. So release the counts once, and
keep the features that they tell apart.
""",
}
NOISY_SCORES = (
    r"\tilde q_j = q_j + \mathrm{Lap}(s/\varepsilon),\qquad s=\text{most features in one record}"
)
ANY_CHOICE = r"\Pr[\text{choice}\mid D]\le e^{\varepsilon}\,\Pr[\text{choice}\mid D']"
F1 = (
    r"\mathrm{F1}=\frac{2\,|S\cap F_\tau|}{|S|+|F_\tau|},\qquad"
    r"F_\tau=\{j: q_j>\tau\}"
)
SUM = (
    r"\varepsilon_{\text{train part}}=\varepsilon_{\text{selection}}+"
    r"\varepsilon_{\text{training}}"
)
FREE = (
    r"\text{release}(D)\ \varepsilon\text{-private}\ \Rightarrow\ "
    r"f(\text{release}(D))\ \varepsilon\text{-private, for every } f"
)
BINS = (0, 2, 4, 8, 16)
TRIED, WITH_LEVELS = 4, "bank-calls"
# No selection, and the three that suit most: by how many stand out, or with scores to be seen.
FIRST = ("none", "best", "permute-and-flip", "noisy-scores")
RULES = {"top_k": "the best k", "threshold": "above a score"}


def formula(view: str, method: Selector) -> str:
    """The formula behind a view."""
    if view == "scores":
        return NOISY_SCORES if method.name == "noisy-scores" else ANY_CHOICE
    return {"thresholds": F1, "budget": SUM, "rows": NOISY_SCORES, "free": FREE}[view]


def change_method() -> None:
    """A method that reads data needs a share of the budget; one that does not needs none."""
    state.choice_from_widget("select")
    budget_meter.give_selection_a_share(selectors()[state.chosen()["select"]].spends)


def width(config: Workflow) -> int:
    """How many features one record can have, by the schema; one bin of each number that is cut."""
    most = FeatureSpace.of(open_data.current().records.schema).max_indicators
    return most + (study.numbers() if config.selection.bins else 0)


def controls(choice: FeaturesChoice) -> None:
    methods = selectors()
    most = study.indicators()
    if study.numbers():
        cut_numbers()
    if most == 0:
        st.info(
            "These records hold numbers only. They are always kept, unless you cut them into bins: "
            "then their bins are chosen, as levels and words are."
        )
        methods = {"none": methods["none"]}
    config = study.config()
    now = config.selection.method
    forms.method_picker("select", offered(methods, now), now, on_change=change_method)
    if most:
        forms.toggle(
            "For researchers",
            "features_researchers",
            "Offers the other methods of the papers too, those that are not private last.",
        )
    with_runs = choice.view in ("budget", "rows", "thresholds", "free")
    if not methods[now].spends:
        if with_runs:
            with forms.settings(f"{choice.runs} runs"):
                runs()
        return
    forms.rule("select", RULES, most={"top_k": most}, usual=config.selection.parameters)
    score = SCORES()[str(config.selection.parameters.get("score", study_fields.SCORE))].title
    with forms.settings(score.lower(), *([f"{choice.runs} runs"] if with_runs else [])):
        if with_runs:
            runs()
        forms.parameters("select", without=(*RULES, "score"))
        thresholds.controls(methods[now], config, width(config))
    budget_meter.split(config, study.planned(config), only="selection")


def offered(methods: Mapping[str, Selector], now: str) -> dict[str, Selector]:
    """Three methods first; the others for those who ask for them, or have one, the broken last."""
    first = [name for name in FIRST if name in methods]
    others = [name for name in methods if name not in first]
    if state.chosen()["features_researchers"] != "yes":
        others = [name for name in others if name == now]
    others.sort(key=lambda name: not methods[name].guarantee.holds)
    return {name: methods[name] for name in (*first, *others)}


def cut_numbers() -> None:
    """Whether numbers stay numbers, or are cut into bins that can be chosen."""
    forms.stops(
        "Cut each number into",
        "number_bins",
        BINS,
        "Of equal width, over the bounds that the schema declares: public. A record then has one "
        "bin of each number. A release keeps numbers as they are.",
        format_func=lambda bins: "no bins" if bins == "0" else f"{bins} bins",
    )


def choose_from(name: str, value: object) -> None:
    """Something to choose from where there are numbers only, and a method that chooses."""
    state.set_choice(name, value)
    state.set_choice("select", "noisy-scores")
    budget_meter.give_selection_a_share(True)


def nothing_to_choose(result: WorkflowResult) -> Table | None:
    """What is kept, and two ways to see a selection."""
    table = scores.show(result)
    with st.container(horizontal=True):
        st.button(
            f"Cut each into {TRIED} bins",
            icon=":material/content_cut:",
            on_click=choose_from,
            args=("number_bins", TRIED),
            help="The model then sees bins, not numbers.",
        )
        st.button(
            f"Open {samples()[WITH_LEVELS].title}, which has levels",
            icon=":material/folder_open:",
            on_click=choose_from,
            args=("data", WITH_LEVELS),
        )
    return table


def runs() -> None:
    """How often every point of a figure is computed."""
    words = "Each with other noise. More runs, smoother and slower."
    forms.slider("Runs", "features_runs", 1, choices.MOST_RUNS, words)


def switches(choice: FeaturesChoice, score: str) -> None:
    """What a view can be told, above its figure."""
    if choice.view == "thresholds":
        forms.segments(
            "Measure",
            "features_measure",
            thresholds.MEASURES,
            "How the chosen set is compared with the true one.",
        )
        thresholds.picker(choice, score)
    if choice.view == "budget":
        across = {"share": "the split", "total": "the total"}
        forms.segments("Move", "features_across", across, "What moves along the figure.")
    if choice.view in ("budget", "rows"):
        forms.segments(
            "Measure",
            "features_metric",
            accuracy.METRICS,
            "On the test records, exactly, which only a simulation may show.",
        )


def figures(choice: FeaturesChoice, result: WorkflowResult) -> Table | None:
    """The chosen view, and its table."""
    if study.indicators() == 0:
        return nothing_to_choose(result)
    if choice.view == "scores":
        return scores.show(result)
    if choice.view == "thresholds":
        return thresholds.show(choice, result)
    if choice.view == "free":
        return free.show(choice, result, study.indicators())
    return accuracy.show(choice, result, width(result.config))


def downloads(choice: FeaturesChoice, result: WorkflowResult, table: Table | None) -> None:
    """The table of the view, and the whole result."""
    files = [("JSON", "result-simulation.json", "application/json", result.to_json)]
    if table is not None:
        name = f"features-{choice.view}-simulation.csv"
        files.insert(0, ("CSV", name, "text/csv", lambda: csv_text(*table)))
    score_pages.offer(files)


def body() -> None:
    cards.heading("Features", "Choose what the model may look at, without telling who has what.")
    if isinstance(open_data.current().records, Predictions):
        wrong_mode.without_features("Predictions have no features")
        return
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    forms.segments(
        "View",
        "features_view",
        VIEWS,
        "What was chosen; how good methods are; what the budget split and the row bound do; and "
        "how to select without paying.",
    )
    figure, side = st.columns([5, 3], gap="large")
    with side:
        controls(choice)
    with figure:
        result = study.run()
        told = result.config.selection.parameters
        switches(choice, str(told.get("score", study_fields.SCORE)))
        table = figures(choice, result)
    with side:
        downloads(choice, result, table)
    method = selectors()[result.config.selection.method]
    words = WORDS[choice.view]
    cards.what_is_this(words, formula(choice.view, method), method, result.config.neighbors)


page_shell.run(body)
