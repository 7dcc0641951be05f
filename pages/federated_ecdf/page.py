"""A distribution function over parties that keep their records: who sees what, at what price."""

import streamlit as st

from dpcore.federated.trials import REDRAWS
from dpcore.federated.trust_models import trust_models
from dpcore.figures import Picture
from dpcore.privacy import charges_as_json, shown
from dpcore.study import Workflow, WorkflowResult
from pages.federated_ecdf import choices, view
from pages.federated_ecdf import study as federated_study
from pages.federated_ecdf.choices import PREFIX, FederatedChoice
from pages.federated_ecdf.study import FederatedResult
from pages.session import state, study
from pages.shell import page_shell
from pages.widgets import cards, forms, fragments, pin, plot, python_code, score_pages


def controls(choice: FederatedChoice) -> None:
    """What is chosen now and then."""
    told = f"{choice.points:,} points", f"{choice.evaluations:,} evaluations"
    with forms.method_settings(f"{PREFIX}trust", trust_models(), choice.trust.name, *told):
        most, threshold = choices.MOST_PARTIES - 1, f"The threshold is {choice.threshold}."
        forms.stops(f"{PREFIX}points")
        if choice.trust.name == "secure-aggregation":
            words = f"They fall silent before their counts are in. {threshold}"
            forms.slider(f"{PREFIX}lost", 0, most, help_text=words)
            forms.slider(f"{PREFIX}colluders", 0, most)
        forms.stops(f"{PREFIX}evaluations")
    score_pages.redraw()


def sliders() -> None:
    """What is dragged while looking at the figure."""
    forms.segments(f"{PREFIX}curve")
    with forms.moves():
        forms.epsilon_slider(f"{PREFIX}epsilon")
        if choices.read(state.chosen()).curve != choices.ROC:
            forms.slider(f"{PREFIX}q", 0.01, 0.99, step=0.01)
        forms.slider(f"{PREFIX}parties", choices.FEWEST_PARTIES, choices.MOST_PARTIES)


def downloads(result: FederatedResult) -> None:
    """Files of what is shown."""

    def document() -> dict[str, object]:
        return {
            "trust": result.choice.trust.name,
            "epsilon": shown(result.choice.epsilon),
            "grid": result.grid.tolist(),
            "cdf": None if result.curve is None else result.curve.tolist(),
            **({} if result.roc is None else result.roc.as_json()),
            "truth": result.truth.tolist(),
            "traffic": {name: vars(cost) for name, cost in result.costs.items()},
            "charges": charges_as_json(result.charges),
        }

    stem = "federated-ecdf-simulation"
    table = score_pages.csv_file(stem, *view.table(result))
    score_pages.offer([table, score_pages.json_file(stem, document)])


def details(result: FederatedResult, config: Workflow) -> None:
    """Other draws of the noise, traffic, and what was seen."""
    if not result.refused:
        st.markdown(f"**How far off, over {REDRAWS} draws of the noise**")
        plot.show(view.redraws(result, state.theme()), key="federated redraws")
        python_code.show(lambda: view.redraws_code(result, config), config, key="python redraws")
    left, right = cards.pair("what was sent", gap="large")
    with left:
        st.markdown("**Who sends how much**")
        plot.show(view.traffic(result, state.theme()), key="federated traffic")
        python_code.show(lambda: view.traffic_code(result), key="python traffic")
    with right:
        st.markdown("**What the curious saw**")
        if result.seen is None:
            st.markdown("Nothing was opened: masked words, and no way to take the masks off.")
        else:
            plot.show(view.seen(result, state.theme()), key="federated view")
            python_code.show(lambda: view.seen_code(result, config), config, key="python seen")


def published(choice: FederatedChoice, whole: WorkflowResult) -> FederatedResult:
    """What the federation publishes of the test scores."""
    scores = whole.truth.model.scores
    return score_pages.released(federated_study.run, whole)(choice, scores)


def drawn() -> Picture:
    """The figure of the present choices, for a pin."""
    return view.picture(published(choices.read(state.chosen()), study.run()), state.theme())


@fragments.fragment
def federation() -> None:
    """Figures and controls; nothing else reruns while they move."""
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    figure, side = pin.frame(drawn)
    with figure:
        sliders()
        # Read again: what is published may have changed above.
        choice = choices.read(state.chosen())
        whole = study.run()
        result = published(choice, whole)
        cards.headline(view.headline(result))
        pin.show(view.picture(result, state.theme()), key="federated")
        st.html(cards.numbers(view.figures(result)))
        if choice.curve == choices.ROC:
            plot.show(view.precision_picture(result, state.theme()), key="federated precision")
        if not result.refused:
            python_code.show(lambda: view.code(result, whole.config), whole.config)
    with side:
        controls(choice)
        downloads(result)
    details(result, whole.config)
    st.html(view.tables_html(result))
    remark = "All evaluations together cost this once: the noise of an interval never changes."
    score_pages.cost(whole, result.charges, remark)
    cards.what_is_this(*cards.words_of("federated_ecdf"), choice.trust, whole.config.neighbors)


page_shell.run(federation)
