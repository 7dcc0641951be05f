"""Values within cells: each cell says its own, and an odd one has none."""

from __future__ import annotations

import io

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading import Dialect, read_predictions
from dpcore.data.reading.nested_cells import flat, unfolded, with_values
from dpcore.errors import IntakeError
from dpcore.schema.cells import texts

CELLS = st.sampled_from(
    ["[0.25,0.75]", "DenseVector([0.5, 0.5])", '{"1": 0.5}', "[", "]", "[[[[[1]]]]]", "", "NA",
     "0.5", "tensor(5)", "[0.1, high]", "{'1': 0.125}", '[{"label": 1, "score": 0.5}]', "[" * 5000,
     '["\\ud800", "\\ud800"]', "[-Infinity, [], []]", "(-1e999,[0],[0.5])", "[NaN,[],[]]"]
) | st.text(max_size=8)  # fmt: skip


@given(st.lists(CELLS, max_size=5), CELLS, st.integers(0, 5))
def test_an_odd_cell_changes_no_other(cells: list[str], odd: str, place: int) -> None:
    rows = [*cells[:place], odd, *cells[place:]]
    found, more = (
        texts(with_values(pd.DataFrame({"p": some}, dtype="str"), ["p.1"])["p.1"])
        for some in (cells, rows)
    )
    del more[min(place, len(cells))]
    assert more == found


def test_a_pair_of_a_class_and_its_score_stands_in_any_order() -> None:
    cells = ["[('no', 0.25), ('yes', 0.75)]", '[["yes", 0.5], ["no", 0.5]]', "[('yes', 1)]"]
    found = unfolded(pd.DataFrame({"p": cells}))
    assert [*found] == ["p", "p.no", "p.yes"]
    assert found["p.yes"].tolist()[:2] == [0.75, 0.5]
    # One class alone says how sure a model is of its answer.
    assert found["p.yes"].isna().tolist() == [False, False, True]


def test_only_what_is_asked_for_and_absent_is_looked_for() -> None:
    frame = pd.DataFrame({"p": ["[1, 2]"], "p.0": ["own"]})
    assert with_values(frame, ["p.0", "q.1", "p"]).equals(frame)
    assert list(unfolded(frame)) == ["p", "p.0", "p.1"]


def test_a_declared_score_within_cells_is_read_row_by_row() -> None:
    text = "label;probability\n1;[0.25,0.75]\n0;high\n0;[0.5,0.5]\n1;[0.5]\n1;[0.1,2]\n"
    told = {"positive": "1", "label": "label", "dialect": Dialect(delimiter=";")}
    read = read_predictions(text.encode(), score="probability.1", **told)  # type: ignore[arg-type]
    assert (read.y_true.tolist(), read.y_score.tolist(), read.left_out) == ([1, 0], [0.75, 0.5], 3)
    # A vector as Spark prints it has no size below zero, whoever wrote one.
    odd = text + "1;[-Infinity,[],[]]\n0;(-inf,[1],[0.5])\n"
    told |= {"score": "probability.1"}
    more = read_predictions(odd.encode(), **told)  # type: ignore[arg-type]
    assert (more.y_score.tolist(), more.left_out) == ([0.75, 0.5], 5)
    del told["score"]
    with pytest.raises(IntakeError, match="column 'chance.1': the file has no such column"):
        read_predictions(text.encode(), score="chance.1", **told)  # type: ignore[arg-type]


def test_lists_and_objects_of_parquet_are_read_where_rows_are_looked_at() -> None:
    """Declared columns hold one value in a cell: such a file is refused for its types."""
    columns = {
        "label": [0, 1, 1] * 9,
        "probability": [{"type": 1, "values": [1 - p, p]} for p in (0.25, 0.5, 0.75)] * 9,
        "proba": [[1 - p, p] for p in (0.25, 0.5, 0.75)] * 9,
        "scores": [[{"label": "1", "score": 0.5}, {"label": "0", "score": 0.5}]] * 27,
        "embedding": [[0.5] * 64] * 27,
    }
    for score in ("probability.values.1", "proba.1", "scores.1"):
        kept = {name: columns[name] for name in ("label", score.partition(".")[0], "embedding")}
        held = io.BytesIO()
        pq.write_table(pa.table(kept), held)
        read = read_predictions(held.getvalue())
        assert read.columns == ("label", score)
        assert read.y_score[0] == (0.5 if score == "scores.1" else 0.25)
        told = {"positive": "1", "label": "label", "dialect": Dialect(format="parquet")}
        with pytest.raises(IntakeError, match="which fit no cell; write one plain column per"):
            read_predictions(held.getvalue(), score=score, **told)  # type: ignore[arg-type]


def test_values_are_read_as_spark_databases_and_r_print_them() -> None:
    for cell in ("(0.25, 0.75)", "(np.float64(0.25), np.float64(0.75))", "{0.25,0.75}",
                 "(2,[0,1],[0.25,0.75])", "c(0.25, 0.75)"):  # fmt: skip
        frame = unfolded(pd.DataFrame({"p": [cell, "(2,[1],[1.0])", "(5.2)"]}))
        assert frame["p.1"].tolist() == [0.75, 1.0, None], cell
    assert unfolded(pd.DataFrame({"p": ["{no=0.25, yes=0.75}"]}))["p.yes"].tolist() == [0.75]


def test_a_score_is_named_by_its_class_only_where_each_says_one() -> None:
    pair = [{"label": "no", "score": 0.75}, {"label": "yes", "score": 0.25}]
    assert flat({"p": pair[::-1]}, by_class=True) == {"p.yes": 0.25, "p.no": 0.75}
    cell = "[{'label': 1, 'prob': 0.25}, {'label': 0, 'prob': 0.75}]"
    assert unfolded(pd.DataFrame({"p": [cell]}))["p.1"].tolist() == [0.25]
    for other in (
        [*pair, 1],
        [pair[0], pair[0]],
        [{"label": None, "score": 1}],
        [{"a": 1, "b": 2}],
    ):
        assert flat({"p": other}, by_class=True) == flat({"p": other})
