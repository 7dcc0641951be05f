"""Copy as Python: each page's lines are run where the file lies, and give the page's numbers."""

from __future__ import annotations

import ast
import contextlib
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from dpcore._numbers import rate, signed
from dpcore.data.reading import read_and_suggest, samples
from dpcore.evaluation.estimates import Estimate
from dpcore.publications import Found, publication
from dpcore.publications.calibration import p_text
from dpcore.publications.decisions import flagged
from dpcore.publications.roc import of_study
from dpcore.schema import Schema
from dpcore.study import Dataset, Workflow, WorkflowResult
from pages.session import open_data
from pages.session.open_data import GivenTable, Opened
from pages.session.study_fields import UPLOAD
from pages.widgets import schema_table
from pages.widgets.python_code import TITLE
from tests.app import test_compare_page, test_data, test_left_out
from tests.app.opening import assert_calm, html, open_page

SAMPLES = Path(__file__).parents[2] / "sample_data"
BANK = "bank-model-predictions.csv"
# Long calls are broken over lines.
STEPS, LINES = 10, 34


def code(app: AppTest, place: int = 0, key: str = "python") -> str:
    """The lines that a page offers, in a fold that is closed and empty until it is opened."""

    def fold() -> Any:
        return [one for one in app.get("expander") if one.proto.label == TITLE][place]

    assert not fold().proto.expanded
    assert not fold().get("code")
    app.session_state[key] = True
    app.run()
    (found,) = fold().get("code")
    assert found.language == "python"
    return str(found.value)


def run(
    text: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *, lines: int = LINES
) -> dict[str, Any]:
    """What the lines leave behind, run in the folder that holds the file; every figure drawn."""
    steps = [one for one in ast.parse(text).body if not isinstance(one, ast.ImportFrom)]
    assert len(steps) <= STEPS
    assert len(text.splitlines()) <= lines
    assert max(map(len, text.splitlines())) <= 100
    drawn: list[go.Figure] = []
    monkeypatch.setattr(go.Figure, "show", lambda figure: drawn.append(figure))
    monkeypatch.chdir(folder)
    left: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(text, "copied.py", "exec"), left)
    assert printed.getvalue().strip()
    assert len(drawn) == text.count(".show()")
    return left | {"text": text, "printed": printed.getvalue()}


def _headline(left: dict[str, Any]) -> list[str]:
    result: WorkflowResult = left["result"]
    return [publication("roc").headline(of_study(result))]


def _ecdf(left: dict[str, Any]) -> list[str]:
    curves = left["negatives"], left["positives"]
    ends = [curve.inverse_band(0.5) for curve in curves]
    if "written" in left:
        return [
            f"for these records {low:.4g} to {high:.4g}" for low, high in map(left["written"], ends)
        ]
    written = [[f"{end:.3f}" if end >= 0.01 else f"{end:.2g}" for end in both] for both in ends]
    return [f"for these records {low} to {high}" for low, high in written]


def _calibration(left: dict[str, Any]) -> list[str]:
    release = left["release"]
    low, high = release.calibration_error_interval
    found = Found(release=release, epsilon=left["study"].epsilon.evaluation, noise="seed:7")
    said = publication("calibration").headline(found)
    return [
        said.partition("(")[2].partition(")")[0],
        f"{release.calibration_error:.4f}",
        f"for these records {low:.4f} to {high:.4f}",
        p_text(release.trend_p_value),
    ]


def _threshold(left: dict[str, Any]) -> list[str]:
    point, study = left["point"], left["study"]
    pairs = (point.alert_rate, point.intervals["alert_rate"]), (
        point.precision, point.intervals["precision"])  # fmt: skip
    epsilon = str(study.epsilon.evaluation)
    asked = re.search(r"threshold=([0-9.]+)", left["text"])
    assert asked
    said = flagged(f"At the threshold {asked[1]}", *pairs, None, epsilon)
    return [said]


def _model(left: dict[str, Any]) -> list[str]:
    result, found = left["result"], left["found"]
    return [
        f"the model reaches a true test AUC of {result.truth.model.auc:.3f}",
        f"{found.true_positives:,}",
        f"{found.false_positives:,}",
        f"{found.true_negatives:,}",
    ]


def _groups(left: dict[str, Any]) -> list[str]:
    estimates: list[Estimate] = [one.rates["auc"] for one in left["release"].groups]
    rates = [left["release"].groups[0].rates[name] for name in ("base_rate", "mean_score", "tpr")]
    return [
        f"{rate(value)} ({rate(low)} to {rate(high)})"
        for value, (low, high), _ in (*estimates, *rates)
        if value == value and (low, high) != (0.0, 1.0)
    ]


def _compare(left: dict[str, Any]) -> list[str]:
    release = left["release"]
    low, high = release.interval
    areas = rate(release.auc_a), rate(release.auc_b)
    true = [f"true {rate(left[name].auc)}" for name in "ab" if name in left]
    return [release.verdict, f"{signed(low)} to {signed(high)}", *areas, *true]


Numbers = Callable[[dict[str, Any]], list[str]]
PAGES: dict[str, Numbers] = {
    "overview": _headline,
    "roc": _headline,
    "ecdf": _ecdf,
    "calibration": _calibration,
    "threshold": _threshold,
    "model": _model,
    "compare": _compare,
    "groups": _groups,
}
# Choices of each page that are not its defaults.
OTHERWISE = {
    "roc": {"method": "equal-width", "epsilon": "0.3", "redraw": "2", "neighbors": "replace"},
    "ecdf": {"ecdf_method": "tree", "ecdf_smoothing": "p2", "ecdf_grid": "logarithmic",
             "ecdf_epsilon": "0.7", "neighbors": "replace"},
    "calibration": {"calibration_edges": "fixed", "calibration_groups": "7",
                    "calibration_epsilon": "0.37"},
    "threshold": {"threshold_at": "0.5", "epsilon": "2", "seed": "11"},
    "model": {"model": "logistic", "select": "best", "select__top_k": "5",
              "epsilon__selection": "0.5", "epsilon__training": "0.25", "model_threshold": "0.3"},
    "compare": {"compare_other": "less", "model": "logistic", "compare_epsilon": "3"},
    "groups": {"groups_by": "2", "groups_epsilon": "3"},
}  # fmt: skip


def the_same(app: AppTest, left: dict[str, Any], numbers: Numbers) -> None:
    shown = html(app).replace("&#x27;", "'")
    said = numbers(left)
    assert said
    for words in said:
        start = words.removesuffix(".")
        assert start in shown, f"{words!r} is not on the page"


@pytest.mark.few(4)
@pytest.mark.parametrize("page", PAGES)
def test_the_lines_give_the_numbers_of_a_sample(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page(page)
    the_same(app, run(code(app), tmp_path, monkeypatch), PAGES[page])


@pytest.mark.few(3)
@pytest.mark.parametrize("page", OTHERWISE)
def test_the_lines_follow_every_choice(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page(page, **OTHERWISE[page])
    the_same(app, run(code(app), tmp_path, monkeypatch), PAGES[page])


@pytest.mark.parametrize("bound", [{}, {"select": "noisy-scores", "select__max_nonzeros": "3"}])
def test_the_lines_score_the_features_of_the_page(
    bound: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page("features", data="bank-calls", epsilon__selection="1", **bound)
    left = run(code(app), tmp_path, monkeypatch)
    table = next(one.value for one in app.dataframe if "true score" in one.value)
    shown = table["within the row bound" if bound else "true score"].tolist()
    found = dict(
        zip(left["result"].feature_names, left["columns"].spread(left["scores"]), strict=True)
    )
    assert [found[name] for name in table["feature"]] == pytest.approx(shown)


def test_the_lines_choose_the_features_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choices = {"select": "noisy-scores", "select__top_k": "6", "epsilon__selection": "2"}
    app = open_page("features", **choices)
    left = run(code(app), tmp_path, monkeypatch)
    table = next(one.value for one in app.dataframe if "chosen" in one.value)
    chosen = set(table["feature"][table["chosen"]])
    assert len(chosen) == 6
    assert chosen <= set(left["result"].selected_names)
    assert not set(table["feature"]) - chosen & set(left["result"].selected_names)
    names, found = left["result"].feature_names, left["result"].selection.scores
    told = {name: found[names.index(name)] for name in table["feature"]}
    assert told == pytest.approx(dict(zip(table["feature"], table["noisy score"], strict=True)))


@pytest.fixture(scope="module")
def bank() -> AppTest:
    """The Data page with the shipped predictions."""
    app = test_data.choose(open_page("data"), "My predictions")
    content = (SAMPLES / BANK).read_bytes()
    return test_data.upload(app, "predictions file", BANK, content) or app


@pytest.mark.few(2)
@pytest.mark.parametrize("page", ["overview", "roc", "ecdf", "calibration", "threshold"])
def test_the_lines_read_the_file_of_a_visitor(
    page: str, bank: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = bank.switch_page(f"pages/{page}/page.py").run()
    text = code(app)
    assert f'predictions="{BANK}"' in text
    the_same(app, run(text, SAMPLES, monkeypatch), PAGES[page])


@pytest.mark.few(1)
@pytest.mark.parametrize("page, numbers", [("compare", _compare), ("groups", _groups)])
def test_the_lines_read_an_odd_file_with_two_models_and_groups(
    page: str, numbers: Numbers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = test_compare_page.content()
    (tmp_path / "clinic.csv").write_bytes(content)
    app = test_compare_page.with_file(page, content)
    assert_calm(app)
    the_same(app, run(code(app), tmp_path, monkeypatch), numbers)
    app.query_params.clear()


@pytest.mark.few(1)
@pytest.mark.parametrize("with_file", [True, False])
def test_the_lines_of_the_true_curves_give_both(
    with_file: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = test_compare_page.content()
    (tmp_path / "clinic.csv").write_bytes(content)
    if with_file:
        app = test_compare_page.with_file("compare", content)
    else:
        app = open_page("compare", **OTHERWISE["compare"])
    left = run(code(app, 1, "python true curves"), tmp_path, monkeypatch)
    assert left["a"].auc != left["b"].auc
    the_same(app, left, lambda left: [f"true {rate(left[name].auc)}" for name in "ab"])
    app.query_params.clear()


@pytest.mark.few(1)
@pytest.mark.parametrize("page", ["ecdf", "calibration"])
def test_the_lines_read_a_file_from_germany(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Semicolons, decimal commas and percentages."""
    rows = "".join(
        f"P{place};{('gesund', 'erkrankt')[place % 2]};"
        f"{20 + 30 * (place % 2) + place * 7 % 31},{place % 10}\n"
        for place in range(600)
    )
    content = f"Nr;Diagnose;Risiko in %\n{rows}".encode()
    (tmp_path / "clinic.csv").write_bytes(content)
    app = test_compare_page.with_file(page, content)
    assert_calm(app)
    the_same(app, run(code(app), tmp_path, monkeypatch), PAGES[page])
    app.query_params.clear()


def test_the_lines_leave_out_the_rows_of_predictions_that_the_page_leaves_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = test_left_out.table()
    (tmp_path / "clinic.csv").write_bytes(content)
    app = test_compare_page.with_file("roc", content, neighbors="replace")
    left = run(code(app), tmp_path, monkeypatch)
    assert left["result"].tested.scores.left_out == 18
    the_same(app, left, _headline)


def test_the_lines_of_the_data_page_count_the_classes(
    bank: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page("data")
    left = run(code(app), tmp_path, monkeypatch)
    counts = left["table"].frame["event"].value_counts()
    assert counts.to_dict() == {"no": 3585, "yes": 615}
    assert "4,200 records" in html(app)
    app = bank.switch_page("pages/data/page.py").run()
    left = run(code(app), SAMPLES, monkeypatch)
    assert f"{left['table'].y_true.size:,} " in html(app)


TABLE = b"age;grade;ill\n" + b"".join(
    f"{20 + n % 50};{('a', 'b', 'c')[n % 3]};{'' if n % 40 == 7 else ('no', 'yes')[n % 7 > 4]}\n"
    .encode() for n in range(900)
)  # fmt: skip


def test_the_lines_read_a_table_with_its_schema_and_leave_out_the_same_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload, suggested = read_and_suggest(TABLE, name="clinic.csv")
    schema = schema_table.with_label(suggested, "ill", upload.frame)
    schema = schema_table.with_positive(schema, "yes", upload.frame)
    whole = Dataset(upload.frame, schema, upload.digest)
    given = GivenTable(TABLE, "clinic.csv")
    records = open_data._labelled(whole, given)
    assert len(records.frame) == 877
    app = open_page("data")
    app.session_state[UPLOAD] = Opened(
        "clinic.csv", records, True, given=given, whole=whole, dialect=upload.dialect
    )
    app.session_state["chosen"]["data"] = UPLOAD
    (tmp_path / "clinic.csv").write_bytes(TABLE)
    (tmp_path / "clinic.toml").write_text(schema.to_toml())
    app.switch_page("pages/roc/page.py").run()
    text = code(app)
    assert 'table.frame.dropna(subset=["ill"])' in text
    the_same(app, run(text, tmp_path, monkeypatch), _headline)


def test_a_sample_with_another_schema_is_read_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = samples()["heart-risk"].schema()
    wider = schema.to_toml().replace("[30, 75]", "[20, 90]").replace("[\n    30,", "[\n    20,")
    assert wider != schema.to_toml()
    app = open_page("data")
    app.session_state["schemas"] = {"sample:heart-risk": Schema.from_toml(wider)}
    (tmp_path / "schema.toml").write_text(wider)
    app.switch_page("pages/roc/page.py").run()
    text = code(app)
    assert 'sample="heart-risk", schema="schema.toml"' in " ".join(text.split())
    the_same(app, run(text, tmp_path, monkeypatch), _headline)


def test_the_study_in_the_lines_is_the_study_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page("roc", **OTHERWISE["roc"])
    left = run(code(app), tmp_path, monkeypatch)
    asked: Workflow = left["study"]
    assert str(asked.evaluation_noise) == "seed:9"
    assert asked.neighbors.value == "replace"
    assert asked.evaluation.method == "equal-width"
