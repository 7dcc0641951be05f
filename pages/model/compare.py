"""Several methods over epsilon, and over the number of training records."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np
import streamlit as st

from dpcore.curves import doubled, refined
from dpcore.curves.model_curves import AccuracyPlan, RuntimePlan, accuracy_curves, runtimes
from dpcore.curves.model_curves.comparison import AccuracyCurves, Runtimes, growth
from dpcore.curves.model_curves.trainers import MEASURES, EncodedSplit, Measures, Trainer, trainer
from dpcore.data.reading.problems import count_of
from dpcore.figures import Picture
from dpcore.figures.roc_panels import MOST_METHODS
from dpcore.figures.selection import Line, lines_picture
from dpcore.privacy import shown
from dpcore.study import Workflow, WorkflowResult
from dpcore.study.baselines import REFERENCE, REFERENCE_IN_FULL
from dpcore.study.python import Expression, Script
from pages.model.choices import MOST_DRAWS, ModelChoice
from pages.session import state, true_scores
from pages.session.text import said
from pages.widgets import badges, cards, forms, model_words, python_code
from pages.widgets.long_task import Growth


def selected(result: WorkflowResult) -> EncodedSplit:
    """The records with the features that the private model uses."""
    return EncodedSplit.of(result, true_scores.digest(result.config))


def trainers(methods: Sequence[str], result: WorkflowResult) -> tuple[Trainer, ...]:
    """The methods; the study's own with the parameters that the visitor chose."""
    model = result.config.model
    own = Trainer(model.kind, model.method, tuple(sorted(model.parameters.items())))
    return tuple(own if name == model.method else trainer(name) for name in methods)


NAME, MAJORITY = "model_methods", "always the most frequent class"

# A measure this near to another is called close.
CLOSE = 0.02

# Of so many sizes at the end the growth is told.
LATE = 3


def settings(choice: ModelChoice) -> None:
    """Choose the methods, and what is measured of them."""
    measured = choice.view == "accuracy"
    words = [forms.word("model_measure"), count_of(choice.draws, "draw")] if measured else []
    with forms.settings(f"{len(choice.methods)} methods", *words, key="compared"):
        offered = badges.names_with_verdicts(model_words.every_method())
        if not forms.several(NAME, offered, choice.methods, most=MOST_METHODS):
            st.caption("Pick a method: until then the last ones stay.")
        if measured:
            forms.segments("model_measure")
            forms.slider("model_draws", 1, MOST_DRAWS)


class Accuracy(Growth[AccuracyPlan, AccuracyCurves]):
    """Method after method at both ends, then one draw at ever more epsilons, then more draws."""

    name = "model accuracy"

    def __init__(self, choice: ModelChoice, result: WorkflowResult) -> None:
        self.choice, self.config, self.truth = choice, result.config, result.truth
        self.records = selected(result)
        self.whole = whole = AccuracyPlan(
            trainers=trainers(choice.methods, result),
            draws=choice.draws,
            seed=result.config.noise.seed or 0,
            neighbors=result.config.neighbors,
        )
        ends, *more = refined(whole.epsilons)
        few, numbers = replace(whole, epsilons=ends, draws=1), range(1, len(whole.trainers) + 1)
        self.plans = [
            *(replace(few, trainers=whole.trainers[:many]) for many in numbers),
            *(replace(whole, epsilons=some, draws=1) for some in more),
            *(replace(whole, draws=draws) for draws in doubled(choice.draws)[1:]),
        ]
        # The measure moves the drawing only: what is under way goes on.
        self.fits = self.records.digest, str(whole)

    def study(self, plan: AccuracyPlan, **told: Any) -> AccuracyCurves:
        reference = Measures.of(self.truth.models[2])
        return accuracy_curves(self.records, plan, reference=reference, **told)

    def code(self) -> Script:
        """The lines that train every method at every epsilon, as often."""
        script, plan = records_code(self.config), self.whole
        about = {"trainers": [in_python(script, one) for one in plan.trainers], "seed": plan.seed}
        about |= {"draws": plan.draws, "neighbors": plan.neighbors}
        told = {"plan": script.call(AccuracyPlan, **about), "measure": self.choice.measure}
        return python_code.written("model accuracy", script, **told)

    def headline(self, plan: AccuracyPlan, found: AccuracyCurves) -> str:
        """From where on a private method comes close to what the reference reaches."""
        name = self.choice.measure
        best = getattr(found.reference, name)
        without = f"the {MEASURES[name]} of {REFERENCE}, {best:.3f}"
        if getattr(found.majority, name) >= best - CLOSE:
            return said("the most frequent class").format(CLOSE, without)
        proven = [one for one in plan.trainers if one.declared.guarantee.holds]
        for place, epsilon in enumerate(plan.epsilons):
            for one in proven:
                later = [found.mean(one.method, e, name) for e in plan.epsilons[place:]]
                if min(later) >= best - CLOSE:
                    told = shown(epsilon), one.declared.title, CLOSE, without
                    return said("close from there on").format(*told)
        return f"None of these private methods stays within {CLOSE} of {without}."

    def lines(self, plan: AccuracyPlan, found: AccuracyCurves) -> list[Line]:
        """A line for each method, noisy and with the noise off, between reference and majority."""
        at, measure = np.array(plan.epsilons, dtype=float), attrgetter(self.choice.measure)
        levels = (REFERENCE, "true", found.reference), (MAJORITY, "reference", found.majority)
        lines = [Line(name, at, np.full(at.size, measure(one)), role) for name, role, one in levels]
        for one in plan.trainers:
            cells = [(one.method, epsilon) for epsilon in plan.epsilons]
            drawn = [[measure(draw) for draw in found.private[cell]] for cell in cells]
            off = [measure(found.noise_free[cell]) for cell in cells]
            told = {"band": (np.min(drawn, axis=1), np.max(drawn, axis=1)), "noise_free": off}
            name = badges.name_with_verdict(one.declared)
            lines.append(Line(name, at, np.mean(drawn, axis=1), **told))
        return lines

    def picture(self, plan: AccuracyPlan, found: AccuracyCurves) -> Picture:
        """All lines over epsilon."""
        told = {"name": "model-accuracy", "x_title": "epsilon of the training", "log_x": True}
        told |= {"y_title": f"{MEASURES[self.choice.measure]} on the test records"}
        at = float(self.config.epsilon.training)
        return lines_picture(self.lines(plan, found), theme=state.theme(), marker=at, **told)

    def table(self, plan: AccuracyPlan, found: AccuracyCurves) -> str:
        """The figure's numbers."""
        reference, majority, *methods = self.lines(plan, found)
        rows = []
        for one in methods:
            off = (f"{value:.3f}" for value in one.noise_free)
            rows += [(one.name, *one.cells), (model_words.noise_off(one.name), *off)]
        listed = f"{REFERENCE_IN_FULL} {reference.y[0]:.3f}, {MAJORITY} {majority.y[0]:.3f}"
        header = MEASURES[self.choice.measure], *(f"ε {shown(one)}" for one in plan.epsilons)
        caption = f"Mean over {count_of(plan.draws, 'draw')} of the noise; to compare: {listed}"
        return cards.table(header, rows, caption=caption)


def in_python(script: Script, one: Trainer) -> object:
    """A trainer as the call that makes it."""
    told = [Expression(one.parameters)] if one.parameters else []
    return script.call(Trainer, one.kind, one.method, *told)


def records_code(study: Workflow) -> Script:
    """The lines that choose the features, and encode the records."""
    return python_code.written("encoded records", python_code.of_study(study))


class Running(Growth[RuntimePlan, Runtimes]):
    """Method after method on few records, then ever more records."""

    name = "model runtime"

    def __init__(self, choice: ModelChoice, result: WorkflowResult) -> None:
        self.config, self.records = result.config, selected(result)
        self.whole = whole = RuntimePlan(
            trainers=trainers(choice.methods, result),
            epsilon=result.config.epsilon.training,
            neighbors=result.config.neighbors,
        )
        methods, sizes = whole.trainers, whole.sizes
        few = replace(whole, sizes=sizes[:LATE])
        self.plans = [
            *(replace(few, trainers=methods[:many]) for many in range(1, len(methods))),
            *(replace(whole, sizes=sizes[:many]) for many in range(LATE, len(sizes) + 1)),
        ]
        self.fits = self.records.digest, str(whole)

    def study(self, plan: RuntimePlan, **told: Any) -> Runtimes:
        return runtimes(self.records, plan, **told)

    def code(self) -> Script:
        """The lines that time every method, on whatever machine they run."""
        script, plan = records_code(self.config), self.whole
        told = {"trainers": [in_python(script, one) for one in plan.trainers]}
        whole = script.call(RuntimePlan, **told, epsilon=plan.epsilon, neighbors=plan.neighbors)
        return python_code.written("model runtime", script, plan=whole)

    def headline(self, plan: RuntimePlan, found: Runtimes) -> str:
        """The slowest method at the largest size, and how it grows."""
        largest = plan.sizes[-1]
        slowest = max(plan.trainers, key=lambda one: found.private[one.method, largest])
        # With few records the time goes to other things than the records.
        seconds = [found.private[slowest.method, size] for size in plan.sizes[-LATE:]]
        told = seconds[-1], plan.sizes[-LATE], _power(plan, seconds)
        return said("the slowest method").format(largest, slowest.declared.title, *told)

    def lines(self, plan: RuntimePlan, found: Runtimes) -> list[Line]:
        """A line for each model without privacy, and for each method."""
        at = np.array(plan.sizes)
        kinds = dict.fromkeys(kind for kind, _ in found.peers)
        peers = [
            Line(model_words.peer(kind), at, [found.peers[kind, n] for n in plan.sizes], role)
            for kind, role in zip(kinds, ("true", "reference"), strict=False)
        ]
        methods = [(badges.name_with_verdict(one.declared), one.method) for one in plan.trainers]
        return peers + [
            Line(name, at, [found.private[method, n] for n in plan.sizes])
            for name, method in methods
        ]

    def picture(self, plan: RuntimePlan, found: Runtimes) -> Picture:
        """All lines over the number of records."""
        told = {"name": "model-runtime", "x_title": "training records"}
        told |= {"y_title": "seconds to train", "theme": state.theme()}
        return lines_picture(self.lines(plan, found), log_x=True, log_y=True, **told)

    def table(self, plan: RuntimePlan, found: Runtimes) -> str:
        """Seconds, and the exponent of the growth."""
        rows = [
            (one.name, *(f"{value:.4f}" for value in one.y), _power(plan, list(one.y)[-LATE:]))
            for one in self.lines(plan, found)
        ]
        caption = (
            "By number of training records, which come up again where there are fewer; the power "
            f"from {plan.sizes[-LATE]:,} on"
        )
        header = "seconds to train", *(f"{size:,}" for size in plan.sizes), "power of n"
        return cards.table(header, rows, caption=caption)


def _power(plan: RuntimePlan, seconds: Sequence[float]) -> str:
    """With which power of the number of records the last times grow."""
    return f"{growth(plan.sizes[-LATE:], seconds):.2f}".replace("-", "−")


GROWING = {"accuracy": Accuracy, "runtime": Running}
