"""A distribution function over parties that keep their records: who sees what, at what price."""

import json

import streamlit as st

from dpcore.federated import FederatedRoc
from dpcore.federated.trust_models import trust_models
from dpcore.privacy import charges_as_json, shown
from pages.federated_ecdf import choices, view
from pages.federated_ecdf import study as federated_study
from pages.federated_ecdf.choices import PREFIX, FederatedChoice
from pages.federated_ecdf.study import REDRAWS, FederatedResult
from pages.session import state, study
from pages.shell import page_shell
from pages.widgets import cards, forms, fragments, python_code, score_pages
from pages.widgets import figure as plot

WORDS = """
The test records of the study, at most a thousand of them, are dealt out to parties, as if each were
a hospital or a telephone. Together they publish the share of scores up to each point of a public
grid, and nobody is to see a record. Three ways to do so, which differ in whom one has to trust:

- **Trusted curator.** Everybody hands over their records. The least noise, and one who sees all.
- **Secure aggregation.** For each evaluation every party sends its counts under masks, which cancel
  in the sum. Every party adds a share of the noise, so that nobody knows the whole of it. If
  parties fall silent, the others put together what it takes to remove their masks; below the
  *threshold* (two thirds here) they cannot, and nothing is opened. Shares are sized for the honest
  parties that are sure to stay, so with everybody there the noise is larger than needed.
- **Function secret sharing.** Every party deals two keys for each record, once, and may go home.
  Each of two servers evaluates its half of the keys at any score; only the sum of both answers
  means anything. Each adds a full noise, because it knows its own. They must not collude.

The noise belongs to dyadic intervals of the grid, is drawn once and then kept secret. So all
evaluations together cost epsilon, however many there are, those of the binary search for a quantile
(Algorithm 1) too. What differs is traffic: secure aggregation asks every party every time.

**ROC and precision.** Each record is counted in its own class, so both classes together cost what
one distribution costs. The shares of negatives and of positives above each grid point are the
curve; with the noisy sizes of the classes they give the precision as well.

What the server sees of the parties should look like coin tosses whatever their records are: the
histogram of the words that came in is flat. A curator sees where every record lies.
"""
FORMULA = (
    r"\begin{gathered}\hat F(\tau_i)=\tfrac1n\Big(\sum_{x}\mathbb 1[x\le\tau_i]+"
    r"\sum_{l=0}^{L}\eta_{\lceil i/2^l\rceil,\,l}\Big),\\"
    r"y_u=x_u+\mathrm{PRG}(b_u)+\sum_{v>u}\mathrm{PRG}(k_{uv})-\sum_{v<u}\mathrm{PRG}(k_{uv})"
    r"\pmod{2^{64}}\end{gathered}"
)
PAPER = """
**Papers.** A. Barczewski, A. Mawass, J. Ramon, *Differentially private empirical cumulative
distribution functions*, Section 4 and Algorithm 1. K. Bonawitz et al., *Practical secure
aggregation* (2017). E. Boyle, N. Gilboa, Y. Ishai, *Function secret sharing* (2015).
`python -m examples.federation demo` runs the same roles as processes that talk over sockets.
"""


LABEL, SMALLER = "Epsilon of all evaluations", "Smaller is more private, and noisier."
CURVES = {choices.ECDF: "Distribution (ECDF)", choices.ROC: "ROC and precision"}


def controls(choice: FederatedChoice) -> None:
    """What is chosen now and then."""
    forms.method_picker(f"{PREFIX}trust", trust_models(), choice.trust.name)
    most = choices.MOST_PARTIES
    forms.slider("Parties", f"{PREFIX}parties", choices.FEWEST_PARTIES, most, "Owners of records.")
    with forms.settings(f"{choice.points:,} points", f"{choice.evaluations:,} evaluations"):
        settings(choice, most)
    score_pages.redraw()


def settings(choice: FederatedChoice, most: int) -> None:
    """What most visitors leave as it is."""
    words = "More points show more detail, and share the same epsilon."
    forms.stops("Grid points N", f"{PREFIX}points", choices.POINTS, words)
    if choice.trust.name == "secure-aggregation":
        words = f"They fall silent before their counts are in. The threshold is {choice.threshold}."
        forms.slider("Parties that drop out", f"{PREFIX}lost", 0, most - 1, words)
        words = "They tell the server all they know; the others' shares of noise must suffice."
        forms.slider("Parties that collude", f"{PREFIX}colluders", 0, most - 1, words)
    words = "For the count of messages and bytes."
    counts = (1, 10, 100, 1000)
    forms.stops("Evaluations, one at a time", f"{PREFIX}evaluations", counts, words)


def sliders() -> None:
    """What is dragged while looking at the figure."""
    forms.segments(
        "What the parties publish",
        f"{PREFIX}curve",
        CURVES,
        "The same roles and the same epsilon: the records of either class are counted apart.",
    )
    if choices.read(state.chosen()).curve == choices.ROC:
        with forms.moves():
            forms.epsilon_slider(LABEL, f"{PREFIX}epsilon", help_text=SMALLER)
        return
    left, right = forms.moves().columns([3, 2])
    with left:
        forms.epsilon_slider(LABEL, f"{PREFIX}epsilon", help_text=SMALLER)
    with right:
        label = "Share of records below"
        words = "Which score does this share of the records not exceed?"
        forms.slider(label, f"{PREFIX}q", 0.01, 0.99, words, step=0.01)


def roc_as_json(roc: FederatedRoc) -> dict[str, object]:
    """What was published of an ROC curve, as JSON types."""
    curves = {name: getattr(roc, name).tolist() for name in ("fpr", "tpr", "precision")}
    return curves | {
        "auc": roc.auc,
        "auc_interval": list(roc.auc_interval),
        "average_precision": roc.average_precision,
    }


def downloads(result: FederatedResult) -> None:
    """Files of what is shown."""

    def as_json() -> str:
        document = {
            "simulation": True,
            "trust": result.choice.trust.name,
            "epsilon": shown(result.choice.epsilon),
            "grid": result.grid.tolist(),
            "cdf": None if result.curve is None else result.curve.tolist(),
            **({} if result.roc is None else roc_as_json(result.roc)),
            "truth": result.truth.tolist(),
            "traffic": {name: vars(cost) for name, cost in result.costs.items()},
            "charges": charges_as_json(result.charges),
        }
        return json.dumps(document, indent=1) + "\n"

    stem = "federated-ecdf-simulation"
    score_pages.offer(
        [
            score_pages.csv_file(stem, *view.table(result)),
            ("JSON", f"{stem}.json", "application/json", as_json),
        ]
    )


def details(result: FederatedResult) -> None:
    """Other draws of the noise, traffic, and what was seen."""
    if not result.refused:
        st.markdown(f"**How far off, over {REDRAWS} draws of the noise**")
        plot.show(view.redraws(result, state.theme()), key="federated redraws")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Who sends how much**")
        plot.show(view.traffic(result, state.theme()), key="federated traffic")
    with right:
        st.markdown("**What the curious saw**")
        if result.seen is None:
            st.markdown("Nothing was opened: masked words, and no way to take the masks off.")
        else:
            plot.show(view.seen(result, state.theme()), key="federated view")


@fragments.fragment
def federation() -> None:
    """Figures and controls; nothing else reruns while they move."""
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    figure, side = st.columns([5, 2], gap="large")
    with figure:
        sliders()
        # Read again: what is published may have changed above.
        choice = choices.read(state.chosen())
        whole = study.run()
        result = federated_study.run(
            choice,
            score_pages.tested(whole).scores,
            neighbors=whole.config.neighbors,
            noise=whole.config.evaluation_noise.source(federated_study.STAGE),
            ledger=score_pages.account(whole),
            part=score_pages.test_part(whole),
        )
        cards.headline(view.headline(result))
        plot.show(view.picture(result, state.theme()), key="federated")
        st.html(cards.numbers(view.figures(result)))
        if choice.curve == choices.ROC:
            plot.show(view.precision_picture(result, state.theme()), key="federated precision")
        if not result.refused:
            python_code.show(view.code(result, whole.config), whole.config)
    with side:
        controls(choice)
        downloads(result)
    details(result)
    st.html(view.tables_html(result))
    remark = "All evaluations together cost this once: the noise of an interval never changes."
    score_pages.cost(whole, result.charges, remark)
    cards.what_is_this(WORDS + PAPER, FORMULA, choice.trust, whole.config.neighbors)


def body() -> None:
    cards.heading(
        "Federated ECDF",
        "Can parties publish a distribution or a ROC curve together while each keeps its records?",
    )
    federation()


page_shell.run(body)
