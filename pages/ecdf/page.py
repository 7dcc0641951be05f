"""The distribution of the scores, class by class: private curves over the true ones."""

from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.study import WorkflowResult
from pages.ecdf import choices, view
from pages.ecdf.choices import EcdfChoice
from pages.session import state
from pages.session.text import said
from pages.shell import page_shell
from pages.widgets import forms, score_pages


class Ecdf(score_pages.ScorePage[EcdfChoice]):
    """The page, as one of the test scores."""

    name, label, choices, view = "ecdf", "ECDF", choices, view

    def above(self, choice: EcdfChoice) -> None:
        with forms.moves():
            forms.epsilon_slider("ecdf_epsilon")
            forms.slider("ecdf_q", 0.01, 0.99, step=0.01)

    def beside(self, choice: EcdfChoice) -> None:
        methods, now = ecdf_methods(), choice.method.name
        smoothing = forms.word("ecdf_smoothing").partition(",")[0]
        told = f"{choice.points:,} points", f"smoothing {smoothing}", state.chosen()["neighbors"]
        with forms.method_settings("ecdf_method", methods, now, *told):
            forms.parameters_of(choice.method.parameters, choices.PREFIX)
            forms.stops("ecdf_points", format_func=lambda text: f"{int(text):,}")
            forms.segments("ecdf_grid")
            forms.listed("ecdf_smoothing")
            forms.toggle("ecdf_sampling")
            forms.neighbors(choice.method.neighbors)

    def remark(self, result: view.EcdfResult, whole: WorkflowResult) -> str:
        return said(f"ecdf {whole.config.neighbors.value}")


page_shell.run(Ecdf().show)
