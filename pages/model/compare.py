"""Several methods over epsilon, and over the number of training records."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from dpcore._typing import FloatArray
from dpcore.curves import doubled, refined
from dpcore.curves.model_curves import MEASURES, EncodedSplit, Measures, Trainer, trainer
from dpcore.curves.model_curves.comparison import (
    AccuracyCurves,
    AccuracyPlan,
    RuntimePlan,
    Runtimes,
    accuracy_curves,
    growth,
    runtimes,
)
from dpcore.figures import Picture
from dpcore.figures.model_curves import ModelLine, accuracy_picture, runtime_picture
from dpcore.figures.roc_panels import MOST_METHODS
from dpcore.privacy import shown
from dpcore.study import Workflow, WorkflowResult
from dpcore.study.baselines import REFERENCE, REFERENCE_IN_FULL
from dpcore.study.python import Expression, Script, quoted
from pages.model import choices
from pages.model.choices import ModelChoice
from pages.session import state, true_scores
from pages.widgets import badges, cards, figure, forms, long_task, model_words, python_code


def selected(result: WorkflowResult) -> EncodedSplit:
    """The records with the features that the private model uses."""
    return EncodedSplit.of(result, true_scores.digest(result.config))


def trainers(methods: Sequence[str], result: WorkflowResult) -> tuple[Trainer, ...]:
    """The methods; the study's own with the parameters that the visitor chose."""
    model = result.config.model
    own = Trainer(model.kind, model.method, tuple(sorted(model.parameters.items())))
    return tuple(own if name == model.method else trainer(name) for name in methods)


NAME = "model_methods"

# A measure this near to another is called close.
CLOSE = 0.02

# Of so many sizes at the end the growth is told.
LATE = 3


def picker() -> None:
    """Choose the methods."""
    shown_methods = forms.several(
        NAME,
        badges.names_with_verdicts(model_words.every_method()),
        state.chosen()[NAME].split(","),
        most=MOST_METHODS,
    )
    if not shown_methods:
        st.caption("Pick a method: until then the last ones stay.")


def accuracy_controls() -> None:
    """What is measured, and how often."""
    left, right = st.columns([3, 2])
    with left:
        forms.segments(
            "model_measure", {"auc": "AUC", "accuracy": "Accuracy", "balanced": "Balanced accuracy"}
        )
    with right:
        forms.slider("model_draws", 1, choices.MOST_DRAWS)


def accuracy(choice: ModelChoice, result: WorkflowResult) -> None:
    """Headline, figure and table of a measure over epsilon."""
    whole_plan = AccuracyPlan(
        trainers=trainers(choice.methods, result),
        draws=choice.draws,
        seed=result.config.noise.seed or 0,
        neighbors=result.config.neighbors,
    )
    # Method after method at both ends, then one draw at ever more epsilons, then ever more draws.
    ends, *more = refined(whole_plan.epsilons)
    methods = whole_plan.trainers
    plans = [
        *(
            replace(whole_plan, trainers=methods[:many], epsilons=ends, draws=1)
            for many in range(1, len(methods) + 1)
        ),
        *(replace(whole_plan, epsilons=some, draws=1) for some in more),
        *(replace(whole_plan, draws=draws) for draws in doubled(choice.draws)[1:]),
    ]
    chosen, truth = selected(result), result.truth
    study = partial(accuracy_curves, chosen, reference=Measures.of(truth.models[2]))

    def draw(plan: AccuracyPlan, found: AccuracyCurves) -> None:
        cards.headline(long_task.so_far(accuracy_headline(choice, plan, found), plan, plans))
        figure.show(accuracy_figure(choice, plan, found, result), key="model accuracy")
        st.html(accuracy_table(choice, plan, found))

    # The measure moves the drawing only: what is under way goes on.
    fits = chosen.digest, str(whole_plan)
    long_task.run("model accuracy", fits, plans, study, draw)
    python_code.show(lambda: accuracy_code(choice, whole_plan, result.config), result.config)


def accuracy_code(choice: ModelChoice, plan: AccuracyPlan, study: Workflow) -> Script:
    """The lines that train every method at every epsilon, as often."""
    script, told = records_code(study), [Expression("records"), Expression("plan")]
    about = {"trainers": [in_python(script, one) for one in plan.trainers], "seed": plan.seed}
    about |= {"draws": plan.draws, "neighbors": plan.neighbors}
    script.let("plan", AccuracyPlan, **about)
    reference = f"{script.name_of(Measures)}.of(result.truth.reference)"
    script.let("curves", accuracy_curves, *told, reference=Expression(reference))
    places = "place: curves.mean(*place, " + quoted(choice.measure)
    script.line(f"print({{{places}) for place in curves.private}})")
    return script


def in_python(script: Script, one: Trainer) -> object:
    """A trainer as the call that makes it."""
    told = [Expression(one.parameters)] if one.parameters else []
    return script.call(Trainer, one.kind, one.method, *told)


def records_code(study: Workflow) -> Script:
    """The lines that choose the features, and encode the records."""
    script = python_code.of_study(study)
    script.line(f"records = {script.name_of(EncodedSplit)}.of(result)")
    return script


def accuracy_headline(choice: ModelChoice, plan: AccuracyPlan, found: AccuracyCurves) -> str:
    """From where on a private method comes close to what the reference reaches."""
    measure = MEASURES[choice.measure]
    best = getattr(found.reference, choice.measure)
    without = f"the {measure} of {REFERENCE}, {best:.3f}"
    if getattr(found.majority, choice.measure) >= best - CLOSE:
        return (
            f"Always naming the most frequent class comes within {CLOSE} of {without}: look at the "
            "AUC or the balanced accuracy to tell these models apart."
        )
    proven = [one for one in plan.trainers if one.declared.guarantee.holds]
    for place, epsilon in enumerate(plan.epsilons):
        for one in proven:
            later = [found.mean(one.method, e, choice.measure) for e in plan.epsilons[place:]]
            if min(later) >= best - CLOSE:
                return (
                    f"From epsilon {shown(epsilon)} on, “{one.declared.title}” is within {CLOSE} "
                    f"of {without}."
                )
    return f"None of these private methods stays within {CLOSE} of {without}."


def accuracy_figure(
    choice: ModelChoice, plan: AccuracyPlan, found: AccuracyCurves, result: WorkflowResult
) -> Picture:
    """A line for each method, noisy and with the noise off, between reference and majority."""
    lines = []
    for one in plan.trainers:
        drawn = [
            [getattr(draw, choice.measure) for draw in found.private[one.method, epsilon]]
            for epsilon in plan.epsilons
        ]
        values = np.array(drawn)
        lines.append(
            ModelLine(
                badges.name_with_verdict(one.declared),
                values.mean(axis=1),
                values.min(axis=1),
                values.max(axis=1),
                _noise_free(choice, plan, found, one),
            )
        )
    return accuracy_picture(
        [float(epsilon) for epsilon in plan.epsilons],
        lines,
        theme=state.theme(),
        levels=[(REFERENCE, getattr(found.reference, choice.measure))],
        floor=("always the most frequent class", getattr(found.majority, choice.measure)),
        measure=MEASURES[choice.measure],
        now=float(result.config.epsilon.training),
    )


def _noise_free(
    choice: ModelChoice, plan: AccuracyPlan, found: AccuracyCurves, one: Trainer
) -> FloatArray:
    """What the method reaches at every epsilon with the noise off."""
    cells = [found.noise_free[one.method, epsilon] for epsilon in plan.epsilons]
    return np.array([getattr(cell, choice.measure) for cell in cells])


def accuracy_table(choice: ModelChoice, plan: AccuracyPlan, found: AccuracyCurves) -> str:
    """The figure's numbers."""
    rows = []
    for one in plan.trainers:
        name = badges.name_with_verdict(one.declared)
        noisy = [found.mean(one.method, epsilon, choice.measure) for epsilon in plan.epsilons]
        off = _noise_free(choice, plan, found, one)
        rows.append((name, *(f"{value:.3f}" for value in noisy)))
        rows.append((model_words.noise_off(name), *(f"{value:.3f}" for value in off)))
    levels = [(REFERENCE_IN_FULL, found.reference)]
    levels.append(("always the most frequent class", found.majority))
    listed = ", ".join(f"{name} {getattr(one, choice.measure):.3f}" for name, one in levels)
    return cards.table(
        (MEASURES[choice.measure], *(f"ε {shown(epsilon)}" for epsilon in plan.epsilons)),
        rows,
        caption=f"Mean over {plan.draws} draws of the noise; to compare: {listed}",
    )


def runtime(choice: ModelChoice, result: WorkflowResult) -> None:
    """Headline, figure and table of the running times."""
    whole_plan = RuntimePlan(
        trainers=trainers(choice.methods, result),
        epsilon=result.config.epsilon.training,
        neighbors=result.config.neighbors,
    )
    # Method after method on few records, then ever more records.
    methods, sizes = whole_plan.trainers, whole_plan.sizes
    few = replace(whole_plan, sizes=sizes[:LATE])
    plans = [replace(few, trainers=methods[:many]) for many in range(1, len(methods))]
    plans += [replace(whole_plan, sizes=sizes[:many]) for many in range(LATE, len(sizes) + 1)]
    chosen = selected(result)

    def draw(plan: RuntimePlan, found: Runtimes) -> None:
        cards.headline(long_task.so_far(runtime_headline(plan, found), plan, plans))
        figure.show(runtime_figure(plan, found), key="model runtime")
        st.html(runtime_table(plan, found))

    fits, study = (chosen.digest, str(whole_plan)), partial(runtimes, chosen)
    long_task.run("model runtime", fits, plans, study, draw)
    python_code.show(lambda: runtime_code(whole_plan, result.config), result.config)


def runtime_code(plan: RuntimePlan, study: Workflow) -> Script:
    """The lines that time every method, on whatever machine they run."""
    script = records_code(study)
    told = {"trainers": [in_python(script, one) for one in plan.trainers]}
    script.let("plan", RuntimePlan, **told, epsilon=plan.epsilon, neighbors=plan.neighbors)
    script.let("found", runtimes, Expression("records"), Expression("plan"))
    script.line("print(found.private, found.peers)")
    return script


def _seconds(plan: RuntimePlan, found: Runtimes, method: str) -> list[float]:
    return [found.private[method, size] for size in plan.sizes]


def runtime_headline(plan: RuntimePlan, found: Runtimes) -> str:
    """The slowest method at the largest size, and how it grows."""
    largest = plan.sizes[-1]
    slowest = max(plan.trainers, key=lambda one: found.private[one.method, largest])
    seconds = _seconds(plan, found, slowest.method)
    # With few records the time goes to other things than the records.
    power = growth(plan.sizes[-LATE:], seconds[-LATE:])
    return (
        f"On {largest:,} records the slowest of these methods, “{slowest.declared.title}”, trains "
        f"in {seconds[-1]:.2g} seconds; from {plan.sizes[-LATE]:,} records on its time grows like "
        f"n to the power {_power(power)}."
    )


def _power(exponent: float) -> str:
    return f"{exponent:.2f}".replace("-", "−")


def _peer_lines(plan: RuntimePlan, found: Runtimes) -> list[ModelLine]:
    kinds = dict.fromkeys(kind for kind, _ in found.peers)
    return [
        ModelLine(model_words.peer(kind), np.array([found.peers[kind, n] for n in plan.sizes]))
        for kind in kinds
    ]


def runtime_figure(plan: RuntimePlan, found: Runtimes) -> Picture:
    """A line for each method and each model without privacy."""
    lines = [
        ModelLine(
            badges.name_with_verdict(one.declared), np.array(_seconds(plan, found, one.method))
        )
        for one in plan.trainers
    ]
    return runtime_picture(plan.sizes, lines, theme=state.theme(), without=_peer_lines(plan, found))


def runtime_table(plan: RuntimePlan, found: Runtimes) -> str:
    """Seconds, and the exponent of the growth."""
    lines = [*_peer_lines(plan, found)]
    rows = [
        (
            name,
            *(f"{value:.4f}" for value in seconds),
            _power(growth(plan.sizes[-LATE:], seconds[-LATE:])),
        )
        for name, seconds in (
            *((line.name, line.values.tolist()) for line in lines),
            *(
                (badges.name_with_verdict(one.declared), _seconds(plan, found, one.method))
                for one in plan.trainers
            ),
        )
    ]
    return cards.table(
        ("seconds to train", *(f"{size:,}" for size in plan.sizes), "power of n"),
        rows,
        caption=(
            "By number of training records, which come up again where there are fewer; the power "
            f"from {plan.sizes[-LATE]:,} on"
        ),
    )
