"""Calibration: does a score of 0.7 mean seven in ten? Private against true."""

from dpcore.data.reading import Predictions
from dpcore.evaluation import calibration_methods
from pages.calibration import choices, view
from pages.calibration.choices import CalibrationChoice
from pages.session import open_data, state
from pages.session.text import said
from pages.shell import page_shell, wrong_mode
from pages.widgets import forms, score_pages


class Calibration(score_pages.ScorePage[CalibrationChoice]):
    """The page, as one of the test scores."""

    name, label, choices, view = "calibration", "calibration", choices, view

    def above(self, choice: CalibrationChoice) -> None:
        with forms.moves():
            forms.epsilon_slider("calibration_epsilon")
            forms.slider("calibration_groups", choices.FEWEST, choices.MOST)

    def beside(self, choice: CalibrationChoice) -> None:
        methods, now = calibration_methods(), choice.method.name
        edges = f"edges by {forms.word('calibration_edges').lower()}"
        told = edges, state.chosen()["neighbors"]
        with forms.method_settings("calibration_method", methods, now, *told):
            forms.parameters_of(choice.method.parameters, choices.PREFIX)
            forms.segments("calibration_edges")
            forms.toggle("calibration_sampling")
            forms.neighbors(choice.method.neighbors)


def body() -> None:
    read = open_data.current().records
    if isinstance(read, Predictions) and read.scale.bounds is not None:
        what = "These scores are no probabilities: of any numbers only the order counts"
        remedy = said("only probabilities are calibrated")
        wrong_mode.without_columns(what, remedy, ranked=True)
    else:
        Calibration().show()


page_shell.run(body)
