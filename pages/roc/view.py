"""The study's curve drawn in other ways: by other methods, epsilons and seeds, at every stop."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial

import numpy as np
import streamlit as st

from dpcore._numbers import apart
from dpcore.evaluation import RocRelease, roc_area_between, roc_methods
from dpcore.figures import Picture
from dpcore.figures.roc import pale_trace, roc_frame
from dpcore.figures.roc_panels import RocPanel, roc_methods_picture, roc_panels_picture
from dpcore.privacy import Ledger, shown
from dpcore.publications import roc
from dpcore.registry import Method, Parameter
from dpcore.study import Evaluation, Workflow, WorkflowResult
from dpcore.study.python import Expression, Script
from dpcore.study.steps import TEST, Scored, evaluate
from pages.roc import choices
from pages.roc.choices import RocChoice
from pages.session import state, study_fields
from pages.session.text import said
from pages.widgets import badges, cards, forms, pin, python_code, roc_curve, score_pages
from pages.widgets.slider_frames import Slider, as_json, one_by_one

REDRAWS = 20
KEPT = "roc variants"
MOST_KEPT = 200


@dataclass(frozen=True, eq=False)
class Variant:
    """One private curve and how far it is from the true one."""

    evaluation: Evaluation
    roc: RocRelease
    area: float
    auc_error: float

    @property
    def method(self) -> Method:
        """How the curve was drawn."""
        return roc_methods()[self.evaluation.method]

    @property
    def cells(self) -> tuple[str, str, str]:
        """How far it is off, its area and what that is off by, as a table has them."""
        off = apart(self.roc.auc, self.roc.auc - self.auc_error)
        return f"{self.area:.4f}", roc.auc_words(self.roc), off


def variant_of(result: WorkflowResult, study: Workflow) -> Variant:
    """The curve that `study` would draw of the test scores of `result`: nothing else runs again."""
    truth = result.truth
    # Only a simulation shows test scores, and only it may draw as often as it likes.
    assert study.noise.simulated
    asked, epsilon = str(study.evaluation), study.epsilon.evaluation
    place = asked, epsilon, study.neighbors, study.evaluation_noise
    # Of other scores no curve is drawn yet.
    drawn = state.cached(KEPT, lambda _scores: {}, truth.model.scores)
    if len(drawn) > MOST_KEPT:
        drawn.clear()
    if place not in drawn:
        drawn[place] = evaluated(result, study)
    found = drawn[place]
    area = roc_area_between(found.fpr, found.tpr, *truth.curve)
    return Variant(study.evaluation, found, area, found.auc - truth.model.auc)


def evaluated(result: WorkflowResult, study: Workflow) -> RocRelease:
    """The same curve, and nobody keeps it."""
    truth = result.truth
    scored = Scored(truth.model, TEST if study.trains else None, truth.n_train, truth.curve)
    return evaluate(
        scored,
        evaluation=study.evaluation,
        epsilon=study.epsilon.evaluation,
        neighbors=study.neighbors,
        noise=study.evaluation_noise,
        ledger=Ledger(neighbors=study.neighbors),
    )


def at_epsilon(study: Workflow, epsilon: Fraction | str) -> Workflow:
    """The same study at another epsilon of the curve."""
    return replace(study, epsilon=replace(study.epsilon, evaluation=epsilon))


def with_parameters(study: Workflow, told: Mapping[str, int | float | str]) -> Workflow:
    """The same study with some parameters of its method changed."""
    changed = {**study.evaluation.parameters, **told}
    return replace(study, evaluation=replace(study.evaluation, parameters=changed))


def sliders(result: WorkflowResult, sampling: bool) -> Iterator[Slider]:
    """Every slider of the page, with the curve at each of its stops."""
    study = result.config
    evaluation, epsilon = study.evaluation, study.epsilon.evaluation
    common = *score_pages.upstream(result), evaluation.method, evaluation.confidence, sampling
    told = dict(evaluation.parameters)

    def slider(
        label: str, texts: list[str], study_at: Callable[[str], Workflow], *fits: object
    ) -> Slider:
        def frame(text: str) -> str:
            # Thirty curves for one picture: what is sent is kept, and not what it was drawn of.
            one = evaluated(result, study_at(text))
            wide = one.sampling_envelope if sampling else None
            drawn = roc_frame(one.fpr, one.tpr, name=text, band=one.envelope, wide_band=wide)
            return as_json(drawn)

        return Slider(label, texts, frame, (*common, *fits), one_by_one)

    stops = [shown(stop) for stop in forms.EPSILON_GRID]
    yield slider(roc_curve.EPSILON, stops, partial(at_epsilon, study), told)
    for parameter in roc_methods()[evaluation.method].parameters:
        name, kind = parameter.name, parameter.kind
        if kind is not str:
            others = {other: value for other, value in told.items() if other != name}
            label, texts = parameter.label or name, _texts(parameter, told[name])
            at = partial(_with_text, study, parameter)
            yield slider(label, texts, at, others, epsilon)


def _texts(parameter: Parameter, now: int | float | str) -> list[str]:
    if parameter.log:
        return [shown(stop) for stop in forms.log_options(parameter, now)]
    if parameter.kind is not int:
        return []
    return [str(stop) for stop in range(int(parameter.minimum), int(parameter.maximum) + 1)]


def _with_text(study: Workflow, parameter: Parameter, text: str) -> Workflow:
    return with_parameters(study, {parameter.name: parameter.kind(text)})


@dataclass(frozen=True, eq=False)
class View:
    """Headline, figure, table and Python of some curves beside the true one."""

    choice: RocChoice
    result: WorkflowResult
    key = "roc"

    def show(self) -> None:
        """Draw all of it."""
        cards.headline(self.headline())
        pin.show(self.picture(), key=self.key)
        st.html(self.table())
        python_code.show(self.code, self.study)

    @property
    def study(self) -> Workflow:
        """The study as it is chosen."""
        return self.result.config

    @cached_property
    def drawn(self) -> list[Variant]:
        """Every curve."""
        return [variant_of(self.result, one) for one in self.studies()]

    @cached_property
    def ranked(self) -> list[Variant]:
        """The nearest to the truth first."""
        return sorted(self.drawn, key=lambda one: one.area)

    def studies(self) -> list[Workflow]:
        """What each curve is drawn by."""
        raise NotImplementedError

    def _code(self, changes: str, among: str, **lists: Sequence[object]) -> Script:
        """The lines that draw the curve once for each of some changes."""
        script = python_code.of_study(self.study)
        for name, values in lists.items():
            script.value(name, values)
        script.each(changes, among)
        script.line("print([(one.roc.auc, one.truth.area) for one in found])")
        return script


class Methods(View):
    """Two or more methods on one figure, each in its own colour and dash."""

    def studies(self) -> list[Workflow]:
        now, chosen = self.study.evaluation, state.chosen()
        return [
            replace(self.study, evaluation=replace(now, method=name, parameters=told))
            for name in self.choice.methods
            for told in [study_fields.parameters({**chosen, "method": name}, "method")]
        ]

    def headline(self) -> str:
        """Which method is closest to the truth, and by how much."""
        best, worst = self.ranked[0], self.ranked[-1]
        factor = worst.area / best.area if best.area > 0.0 else float("inf")
        words = f"{factor:.1f} times" if factor < 1_000 else "very much"
        told = (best.method.title, best.area, worst.method.title, words)
        return said("a method is closest").format(shown(self.study.epsilon.evaluation), *told)

    def picture(self) -> Picture:
        """All over the true curve."""
        theme = state.theme()
        curves = {
            badges.name_with_verdict(one.method): (one.roc.fpr, one.roc.tpr) for one in self.drawn
        }
        truth = roc_curve.kept_true_trace(self.result, theme)
        return roc_methods_picture(curves, theme=theme, truth=truth)

    def table(self) -> str:
        """L1 area and AUC error of each method."""
        rows = [(one.method.title, one.method.guarantee.badge, *one.cells) for one in self.drawn]
        rows.append(("True curve", "exact", "0", f"{self.result.truth.model.auc:.3f}", "0"))
        header = ("method", "privacy", "area between (L1)", "AUC", "AUC error")
        caption = "One draw of each method; another redraw changes the figures"
        return cards.table(header, rows, caption=caption, wrapping=True)

    def code(self) -> Script:
        """The lines that draw them."""
        methods = [one.evaluation for one in self.drawn]
        return self._code("evaluation=method", "for method in methods", methods=methods)


class Panels(View):
    """Small multiples over epsilon, and over one parameter of the method, row by row.

    All share the noise's seed, as neighbouring sliders do.
    """

    key = "roc panels"

    @cached_property
    def settings(self) -> list[tuple[str, str]]:
        """What is set in each panel: epsilon, and a value of the parameter in words."""
        rows = [f"{self.choice.across} {value}" for value in self._values] or [""]
        return [(epsilon, row) for row in rows for epsilon in self._epsilons]

    @property
    def _values(self) -> tuple[int | float | str, ...]:
        parameter = choices.across(self.choice, roc_methods()[self.study.evaluation.method])
        return () if parameter is None else choices.spread(parameter)

    @property
    def _epsilons(self) -> tuple[str, ...]:
        return choices.FEW_EPSILONS if self._values else choices.EPSILONS

    def studies(self) -> list[Workflow]:
        told = [{self.choice.across: value} for value in self._values] or [{}]
        rows = [with_parameters(self.study, one) for one in told]
        return [at_epsilon(row, epsilon) for row in rows for epsilon in self._epsilons]

    def headline(self) -> str:
        """Where the curve is nearest to the truth, and where farthest."""
        words = {
            one: f"epsilon {epsilon}" + (f" and {setting}" if setting else "")
            for one, (epsilon, setting) in zip(self.drawn, self.settings, strict=True)
        }
        best, worst = self.ranked[0], self.ranked[-1]
        return (
            f"“{best.method.title}” is off by an area of {worst.area:.3f} at {words[worst]} and of "
            f"{best.area:.3f} at {words[best]}."
        )

    def picture(self) -> Picture:
        """All panels on the same axes."""
        panels = [
            RocPanel(
                ", ".join(filter(None, (f"epsilon {epsilon}", setting))),
                f"AUC {one.roc.auc:.3f}{'' if one.roc.bins else ', no interval'}",
                one.roc.fpr,
                one.roc.tpr,
            )
            for one, (epsilon, setting) in zip(self.drawn, self.settings, strict=True)
        ]
        return roc_panels_picture(
            panels,
            columns=choices.COLUMNS,
            theme=state.theme(),
            truth=self.result.truth.curve,
            private_name=roc_curve.adjective(self.result),
        )

    def table(self) -> str:
        """The figures of every panel."""
        told = [tuple(filter(None, setting)) for setting in self.settings]
        header = ("epsilon", "setting")[: len(told[0])]
        rows = [(*one, *drawn.cells) for one, drawn in zip(told, self.drawn, strict=True)]
        caption = f"The true AUC is {self.result.truth.model.auc:.3f}"
        header = (*header, "area between (L1)", "AUC", "AUC error")
        return cards.table(header, rows, caption=caption)

    def code(self) -> Script:
        """The lines that draw them."""
        lists: dict[str, Sequence[object]] = {
            "epsilons": [Expression(text) for text in self._epsilons]
        }
        changes = "epsilon=replace(study.epsilon, evaluation=epsilon)"
        among = "for epsilon in epsilons"
        if self._values:
            lists["rows"] = [one.evaluation for one in self.drawn[:: len(self._epsilons)]]
            changes, among = f"evaluation=row, {changes}", f"for row in rows {among}"
        return self._code(changes, among, **lists)


class Redraws(View):
    """Hypothetical outcomes: the same curve redrawn, all pale at once, and one by one."""

    key = "roc redraws"

    @property
    def _seeds(self) -> range:
        first = self.study.evaluation_noise.seed
        return range(first, first + REDRAWS)

    def studies(self) -> list[Workflow]:
        now = self.study.evaluation
        return [replace(self.study, evaluation=replace(now, seed=seed)) for seed in self._seeds]

    def headline(self) -> str:
        """How much one draw may differ from the next."""
        aucs = [one.roc.auc for one in self.drawn]
        epsilon, kind = shown(self.study.epsilon.evaluation), roc_curve.adjective(self.result)
        told = (epsilon, kind, REDRAWS, min(aucs), max(aucs), self.result.truth.model.auc)
        return said("redraws differ").format(*told)

    def picture(self) -> Picture:
        """The ROC figure over all redraws, which are pale, with a frame for each of them."""
        whole = roc_curve.picture(self.result)
        curves = [(one.roc.fpr, one.roc.tpr) for one in self.drawn]
        pale = pale_trace(curves, f"all {REDRAWS} redraws", state.theme())
        frames = []
        for place, one in enumerate(self.drawn, start=1):
            name = f"Redraw {place} of {REDRAWS}: AUC {one.roc.auc:.3f}"
            frame = roc_frame(one.roc.fpr, one.roc.tpr, name=name, band=one.roc.envelope)
            # Beneath all others stands the pale line, which never moves.
            frames.append({**frame, "traces": [trace + 1 for trace in frame["traces"]]})
        alt = f"{whole.alt} Pale lines show {REDRAWS} redraws of the noise at once."
        return replace(whole, data=[pale, *whole.data], frames=frames, alt=alt)

    def table(self) -> str:
        """Quantiles of what the redraws got wrong."""
        columns = {
            "AUC": [one.roc.auc for one in self.drawn],
            "AUC error, absolute": [abs(one.auc_error) for one in self.drawn],
            "area between (L1)": [one.area for one in self.drawn],
        }
        rows = [
            (name, *(f"{value:.4f}" for value in np.quantile(values, (0.0, 0.25, 0.5, 0.75, 1.0))))
            for name, values in columns.items()
        ]
        header = ("", "least", "lower quarter", "median", "upper quarter", "most")
        caption = f"Over {REDRAWS} redraws of the noise; a release is one of them"
        return cards.table(header, rows, caption=caption)

    def code(self) -> Script:
        """The lines that draw them."""
        seeds = f"for seed in range({self._seeds.start}, {self._seeds.stop})"
        return self._code("evaluation=replace(study.evaluation, seed=seed)", seeds)


def pick_methods(choice: RocChoice) -> None:
    """Choose the methods to compare."""
    offered = badges.names_with_verdicts(roc_methods())
    most, fewest = choices.MOST_METHODS, choices.FEWEST_METHODS
    if forms.several("roc_methods", offered, choice.methods, most=most, fewest=fewest) < fewest:
        st.caption("Pick one more method to compare with.")


def pick_rows(method: Method) -> None:
    """Choose whether the rows of the panels differ in a parameter too."""
    words = {"epsilon": "epsilon"} | {
        one.name: f"epsilon × {one.label or one.name}" for one in method.parameters
    }
    if state.chosen()["roc_across"] not in words:
        state.set_choice("roc_across", "epsilon")
    if len(words) > 1:
        forms.segments("roc_across", words)


VIEWS = {"methods": Methods, "panels": Panels, "redraws": Redraws}
