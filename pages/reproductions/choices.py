"""What can be chosen on the Paper reproductions page: no Streamlit in here."""

from collections.abc import Mapping
from dataclasses import dataclass

from pages.session import page_fields
from reproductions import Experiment, experiment

NAME, PANEL = "reproductions_name", "reproductions_panel"
ALL = "all"
DEFAULTS = {NAME: ALL, PANEL: "0"}
page_fields.register(DEFAULTS)


@dataclass(frozen=True)
class ReproductionChoice:
    """The experiment that is open, or None for the gallery; and which part of its figure."""

    experiment: Experiment | None
    panel: int


def read(chosen: Mapping[str, str]) -> ReproductionChoice:
    """The choices of the page; raises `InvalidArgument` or `UnknownMethod`."""
    name = chosen[NAME]
    return ReproductionChoice(
        None if name == ALL else experiment(name), page_fields.whole(chosen, PANEL, 0, 100)
    )
