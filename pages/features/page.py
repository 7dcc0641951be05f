"""Feature selection: what the noisy scores say, what is chosen, and how close that is to true."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpcore.data.reading import samples
from dpcore.data.reading.problems import count_of
from dpcore.publications.publication import csv_text
from dpcore.selection import selectors
from dpcore.selection.problem import Selector
from dpcore.selection.scores import SCORES
from dpcore.study import Workflow, WorkflowResult
from pages.features import choices, scores, thresholds
from pages.features.accuracy import Accuracy, width
from pages.features.choices import FeaturesChoice
from pages.features.free import Free
from pages.features.scores import Table
from pages.features.thresholds import Thresholds
from pages.session import state, study, study_fields, true_scores
from pages.shell import page_shell, wrong_mode
from pages.widgets import budget_meter, cards, forms, pin, score_pages

BINS = (0, 2, 4, 8, 16)
TRIED, WITH_LEVELS = 4, "bank-calls"
# No selection, and the three that suit most: by how many stand out, or with scores to be seen.
USUAL = "noisy-scores"
FIRST = ("none", "best", "permute-and-flip", USUAL)
# The views that choose by every threshold, and every number: no rule of the study moves them.
OWN_RULE = ("thresholds", "free")
# By what the views over several runs are measured.
MEASURED = {"thresholds": "features_measure"} | dict.fromkeys(("budget", "rows"), "features_metric")
# The views whose figure takes a while.
GROWING = {"thresholds": Thresholds, "free": Free, "budget": Accuracy, "rows": Accuracy}


def controls(choice: FeaturesChoice, moves: DeltaGenerator | None) -> None:
    """What is chosen now and then; how much is kept is dragged with what else moves the figure."""
    methods = selectors()
    most = study.indicators()
    if most == 0:
        st.info(
            "These records hold numbers only. They are always kept, unless you cut them into bins: "
            "then their bins are chosen, as levels and words are."
        )
        methods = {"none": methods["none"]}
    config = study.config()
    now = config.selection.method
    known = offered(methods, now, researchers=choice.researchers)
    spends, compares = methods[now].spends, choice.view == "thresholds"
    if is_empty(choice, config):
        # There is no figure that its own choices would move.
        choice = replace(choice, view="scores")
    if not compares:
        choose_method(known, now, researchers=most > 0)
    if spends and choice.view not in OWN_RULE:
        told = {"most": {"top_k": most}, "usual": config.selection.parameters}
        forms.rule("select", forms.RULES, **told, place=moves)
    words = settings_words(choice, config, spends=spends)
    if not words:
        return
    with forms.settings(*words):
        measures(choice)
        if compares:
            # What is compared is chosen above the figure; this brings its score and row bound.
            choose_method(known, now, researchers=most > 0)
        if study.numbers():
            forms.stops("number_bins", BINS, format_func=bins_words)
        if spends:
            declared = {one.name for one in study_fields.declared(state.chosen(), "select")}
            own = declared - {"cutoff"} if compares else {*forms.RULES, "score"}
            forms.parameters("select", without=own)
            # One view shows every row bound at once.
            thresholds.controls(config, width(config), slides=choice.view != "rows")


def choose_method(known: Mapping[str, Selector], now: str, *, researchers: bool) -> None:
    """By which method features are chosen."""
    forms.method_picker("select", known, now, on_change=budget_meter.take_selector)
    if researchers:
        forms.toggle("features_researchers")


def settings_words(choice: FeaturesChoice, config: Workflow, *, spends: bool) -> list[str]:
    """What is set in the fold: none if there is nothing to set."""
    words = []
    if choice.view in MEASURED:
        words.append(forms.word(MEASURED[choice.view]))
    if spends:
        words.append(SCORES()[true_scores.score(config)].title.lower())
    if study.numbers():
        words.append(bins_words(state.chosen()["number_bins"]))
    if choice.view != "scores":
        words.append(count_of(choice.runs, "run"))
    return words


def bins_words(bins: str) -> str:
    """What is done to numbers."""
    return "no bins" if bins == "0" else f"{bins} bins"


def measures(choice: FeaturesChoice) -> None:
    """What a figure over several runs measures, and how often every point of it is computed."""
    if choice.view in MEASURED:
        forms.segments(MEASURED[choice.view])
    if choice.view != "scores":
        forms.slider("features_runs", 1, choices.MOST_RUNS)


def offered(methods: Mapping[str, Selector], now: str, *, researchers: bool) -> dict[str, Selector]:
    """Three methods first; the others for those who ask for them, or have one, the broken last."""
    first = [name for name in FIRST if name in methods]
    others = [name for name in methods if name not in first]
    if not researchers:
        others = [name for name in others if name == now]
    others.sort(key=lambda name: not methods[name].guarantee.holds)
    return {name: methods[name] for name in (*first, *others)}


def choose_from(name: str, value: object) -> None:
    """Something to choose from where there are numbers only, and a method that chooses."""
    state.set_choice(name, value)
    state.set_choice("select", USUAL)
    budget_meter.give_selection_a_share(True)


def ways_to_choose() -> None:
    """Two ways to see a selection where there are numbers only."""
    with st.container(horizontal=True):
        label, words = f"Cut each into {TRIED} bins", "The model then sees bins, not numbers."
        cut = "number_bins", TRIED
        forms.button(label, "content_cut", choose_from, *cut, help_text=words)
        label = f"Open {samples()[WITH_LEVELS].title}, which has levels"
        forms.button(label, "folder_open", choose_from, "data", WITH_LEVELS)


def is_empty(choice: FeaturesChoice, config: Workflow) -> bool:
    """Whether the view is about a selection, and nothing is selected."""
    return GROWING.get(choice.view) is Accuracy and not config.selects


def switches(choice: FeaturesChoice, config: Workflow) -> None:
    """What a view can be told, above its figure."""
    if choice.view == "thresholds":
        thresholds.picker(choice, true_scores.score(config))
    if choice.view == "budget" and config.selects:
        with st.container(key="across"):
            forms.segments("features_across")


def figures(choice: FeaturesChoice, result: WorkflowResult) -> Table | None:
    """The chosen view, and its table."""
    if study.indicators() == 0:
        scores.show(result)
        return ways_to_choose()
    if choice.view == "scores":
        return scores.show(result)
    found = pin.grow(lambda: GROWING[choice.view](choice, result))
    if is_empty(choice, result.config):
        label = f"Select by {selectors()[USUAL].title.lower()}"
        forms.button(label, "filter_alt", choose_from, "select", USUAL)
    return found[0].rows(*found[1:]) if found else None


def drawn() -> pin.Drawn:
    """The figure of the present choices, for a pin."""
    choice, result = choices.read(state.chosen()), study.run()
    if choice.view == "scores" or study.indicators() == 0:
        return scores.picture(scores.Seen.of(result))
    return pin.growing(GROWING[choice.view](choice, result))


def downloads(choice: FeaturesChoice, result: WorkflowResult, table: Table | None) -> None:
    """The table of the view, and the whole result."""
    files = [("JSON", "result-simulation.json", result.to_json)]
    if table is not None:
        name = f"features-{choice.view}-simulation.csv"
        files.insert(0, ("CSV", name, lambda: csv_text(*table)))
    score_pages.offer(files)


def body() -> None:
    if wrong_mode.are_predictions("Predictions have no features", "choose features"):
        return
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    if study.indicators():
        forms.segments("features_view")
    else:
        # Every view is about what is chosen from.
        choice = replace(choice, view="scores")
    figure, side = pin.frame(drawn)
    moves, config = None, study.config()
    if selectors()[config.selection.method].spends:
        with figure, (moves := forms.moves()):
            # One view shows every share at once.
            if (choice.view, choice.across) != ("budget", "share"):
                budget_meter.shares(config, "selection")
    with side:
        controls(choice, moves)
    with figure:
        result = study.run()
        switches(choice, result.config)
        table = figures(choice, result)
    with side:
        downloads(choice, result, table)
    method = selectors()[result.config.selection.method]
    words, formula = cards.words_of("features", choice.view)
    if choice.view == "scores" and method.name == "noisy-scores":
        # What is released is then the scores themselves.
        _, formula = cards.words_of("features", "rows")
    cards.what_is_this(words, formula, method, result.config.neighbors)


page_shell.run(body)
