"""What to publish, from which study, and for how much: the choices of the release desk."""

from fractions import Fraction

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.data.reading.prediction_scores import ScoreScale
from dpcore.desk import Request
from dpcore.privacy import Neighbors, shown
from dpcore.publications.publication import grouping
from dpcore.registry import Method, Parameter
from dpcore.schema import Schema
from pages.release_desk import choices
from pages.release_desk.choices import WHAT, method_name, prefix
from pages.session import state, study_fields
from pages.session.study import most_kept, selectable
from pages.session.study_fields import EPSILON
from pages.session.text import OPTIONS, plain
from pages.widgets import budget_meter, forms, model_words, score_pages
from pages.widgets.private_data import Private

LENT = "selection lent to a release of features"


def settle(opened: Private) -> None:
    """Replace what a link asked for and cannot be released, and say so."""
    for name, value in choices.settled(state.chosen()).items():
        st.warning(plain(f"“{name}” was not what can be released here; it is “{value}” now."))
        state.set_choice(name, value)
    if state.chosen()[WHAT] not in opened.kinds:
        lacks = OPTIONS["what data lack"]
        st.warning(plain(lacks.get(state.chosen()[WHAT], lacks["any"])))
        state.set_choice(WHAT, "roc")
    if isinstance(opened.records, Predictions):
        return
    about_them, now = state.chosen()[WHAT] == "features", _selection()
    # A release of features needs a method; what is not about them gives back one left as it was.
    if is_lent := about_them and now["select"] == "none":
        spending = _spending(choices.stage_methods(state.chosen(), "select"))
        state.set_choice("select", next(iter(spending)))
        budget_meter.give_selection_a_share(True)
    elif not about_them and st.session_state.pop(LENT, None) == now:
        state.set_choice("select", "none")
        budget_meter.give_selection_a_share(False)
    if opened.schema is not None:
        _settle_number(opened.schema)
    if is_lent:
        st.session_state[LENT] = _selection()


def _selection() -> dict[str, str]:
    """What is chosen of the selection, and the epsilons that it moves."""
    own = ("select", "epsilon")
    return {name: text for name, text in state.chosen().items() if name.startswith(own)}


def _settle_number(schema: Schema) -> None:
    """Ask for no more features than there can be: how many the schema has is public."""
    told, most = study_fields.parameters(state.chosen(), "select"), selectable(schema)
    limit = most_kept(most, asked=study_fields.TOP_K in state.chosen())
    if int(told.get("top_k", 0)) > limit > 0:
        state.set_choice(study_fields.TOP_K, str(limit))


def _spending(methods: dict[str, Method]) -> dict[str, Method]:
    return {name: method for name, method in methods.items() if getattr(method, "spends", True)}


def publish(opened: Private) -> None:
    """The kind, which stands beside the act where a window is too narrow for two columns too."""
    forms.listed(WHAT, {name: kind.title for name, kind in opened.kinds.items()})


def choose(opened: Private) -> None:
    """Study and method of a kind."""
    chosen = state.chosen()
    kind = opened.kinds[chosen[WHAT]]
    st.caption(kind.summary)
    if chosen[WHAT] == "groups" and (columns := grouping(opened.schema)):
        words = {name: name for name in columns}
        if chosen[choices.GROUP] not in words:
            state.set_choice(choices.GROUP, columns[0])
        forms.listed(choices.GROUP, words)
    if opened.schema is not None:
        _study(chosen[WHAT], opened.schema)
    if kind.methods is not None:
        usable = choices.usable(kind.methods(), chosen["neighbors"])
        name = method_name(kind.name)
        if caution := OPTIONS["caution about a method"].get(chosen[name]):
            st.warning(caution, icon=":material/warning:")
        with forms.method_settings(name, usable, chosen[name]):
            forms.parameters_of(usable[chosen[name]].parameters, prefix(kind.name))
            for option in kind.options:
                _option(option, prefix(kind.name), opened.source.score_scale)
    forms.neighbors(list(Neighbors))


def _option(option: Parameter, before: str, scale: ScoreScale) -> None:
    """An option of a kind of release; a threshold is asked for in the units of the scores."""
    if option.name != "threshold" or scale.name == "probability":
        forms.parameters_of([option], before)
        return
    score_pages.threshold(option.label, before + option.name, scale, option.help)


def _study(what: str, schema: Schema) -> None:
    """Selection and model, by methods that are proven."""
    chosen = state.chosen()
    told = {"icon": ":material/model_training:", "expanded": what in ("features", "model")}
    with st.expander("Features and model", **told):
        selectors = choices.stage_methods(chosen, "select")
        if what == "features":
            selectors = _spending(selectors)
        take = budget_meter.take_selector
        forms.method_picker("select", selectors, chosen["select"], on_change=take)
        if chosen["select"] in _spending(selectors):
            forms.rule("select", forms.RULES, most={"top_k": selectable(schema)})
            forms.score()
            forms.parameters("select", without=(*forms.RULES, "score"))
        _test_fraction()
        if what == "features":
            return
        forms.segments("model", model_words.IN_WORDS, help_text="Which classifier is trained.")
        trainers = choices.stage_methods(chosen, "training")
        now = state.config().model.method
        forms.method_picker("training", trainers, now if now in trainers else next(iter(trainers)))
        forms.parameters("training")


def _test_fraction() -> None:
    """How the records are divided; public, and part of what makes a release the same."""
    shares = [f"{percent / 100:g}" for percent in range(10, 95, 5)]
    forms.stops("test", shares, format_func=lambda share: f"{100 * float(share):g} %")


def losses(request: Request) -> None:
    """One slider for each phase that is charged."""
    with forms.moves():
        for phase in request.phases:
            forms.epsilon_slider(EPSILON[phase], label=OPTIONS["epsilon of a phase"][phase])


def take_total(request: Request, total: object) -> None:
    """Scale every phase so that the request costs this total."""
    scaled = request.with_total(str(total)).study.epsilon
    for phase in request.phases:
        value = getattr(scaled, phase)
        decimal = shown(value)
        state.set_choice(EPSILON[phase], decimal if Fraction(decimal) == value else value)
