"""Small multiples over epsilon, and over one parameter of the method."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dpcore.evaluation import roc_methods
from dpcore.figures import Picture
from dpcore.figures.roc_panels import RocPanel, roc_panels_picture
from dpcore.registry import Method
from dpcore.study import WorkflowResult
from dpcore.study.python import Expression
from pages.roc import choices, variants
from pages.roc.choices import RocChoice
from pages.roc.variants import Variant
from pages.session import state
from pages.widgets import cards, figure, forms, roc_curve


@dataclass(frozen=True, eq=False)
class Cell:
    """One panel: the settings that it stands for, and what they drew."""

    epsilon: str
    setting: str
    variant: Variant


def picker(method: Method) -> None:
    """Choose whether the rows differ in a parameter too."""
    words = {"epsilon": "epsilon"} | {
        one.name: f"epsilon × {one.label or one.name}" for one in method.parameters
    }
    if state.chosen()["roc_across"] not in words:
        state.set_choice("roc_across", "epsilon")
    if len(words) > 1:
        forms.segments("roc_across", words)


def show(choice: RocChoice, result: WorkflowResult) -> None:
    """Headline, figure and table."""
    cells = cells_of(choice, result)
    cards.headline(headline(cells))
    figure.show(picture(cells, result), key="roc panels", tall=True)
    st.html(table(cells, result))
    _show_code(cells, result)


def _show_code(cells: Sequence[Cell], result: WorkflowResult) -> None:
    texts = list(dict.fromkeys(cell.epsilon for cell in cells))
    lists: dict[str, Sequence[object]] = {"epsilons": [Expression(text) for text in texts]}
    changes, among = "epsilon=replace(study.epsilon, evaluation=epsilon)", "for epsilon in epsilons"
    if cells[0].setting:
        lists["rows"] = [cell.variant.evaluation for cell in cells[:: len(texts)]]
        changes, among = f"evaluation=row, {changes}", f"for row in rows {among}"
    variants.show_code(result, changes, among, **lists)


def cells_of(choice: RocChoice, result: WorkflowResult) -> list[Cell]:
    """Every panel, row by row; all share the noise's seed, as neighbouring sliders do."""
    study = result.config
    parameter = choices.across(choice, roc_methods()[study.evaluation.method])
    if parameter is None:
        rows = [("", study)]
        epsilons = choices.EPSILONS
    else:
        rows = [
            (f"{parameter.name} {value}", variants.with_parameters(study, {parameter.name: value}))
            for value in choices.spread(parameter)
        ]
        epsilons = choices.FEW_EPSILONS
    return [
        Cell(epsilon, setting, variants.of(result, variants.at_epsilon(row, epsilon)))
        for setting, row in rows
        for epsilon in epsilons
    ]


def headline(cells: Sequence[Cell]) -> str:
    """Where the curve is nearest to the truth, and where farthest."""
    ranked = sorted(cells, key=lambda cell: cell.variant.area)
    best, worst = ranked[0], ranked[-1]
    return (
        f"“{best.variant.method.title}” is off by an area of {worst.variant.area:.3f} at "
        f"{_settings(worst)} and of {best.variant.area:.3f} at {_settings(best)}."
    )


def _settings(cell: Cell) -> str:
    return f"epsilon {cell.epsilon}" + (f" and {cell.setting}" if cell.setting else "")


def picture(cells: Sequence[Cell], result: WorkflowResult) -> Picture:
    """All panels on the same axes."""
    panels = [
        RocPanel(
            ", ".join(filter(None, (f"epsilon {cell.epsilon}", cell.setting))),
            f"AUC {cell.variant.roc.auc:.3f}{'' if cell.variant.roc.bins else ', no interval'}",
            cell.variant.roc.fpr,
            cell.variant.roc.tpr,
        )
        for cell in cells
    ]
    return roc_panels_picture(
        panels,
        columns=choices.COLUMNS,
        theme=state.theme(),
        truth=result.truth.curve,
        private_name=roc_curve.adjective(result),
    )


def table(cells: Sequence[Cell], result: WorkflowResult) -> str:
    """The figures of every panel."""
    settings = any(cell.setting for cell in cells)
    header = ("epsilon", *["setting"] * settings, "area between (L1)", "AUC", "AUC error")
    rows = [(cell.epsilon, *[cell.setting] * settings, *cell.variant.cells) for cell in cells]
    caption = f"The true AUC is {result.truth.model.auc:.3f}"
    return cards.table(header, rows, caption=caption)
