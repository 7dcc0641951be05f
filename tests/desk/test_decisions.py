"""AUC, counts at a threshold, groups, a second model and classes: released and taken away."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpcore import LedgerStore, Loss
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading import limited_process
from dpcore.desk import (
    Assumed,
    Released,
    Request,
    bundle,
    preview,
    read_blindly,
    release,
    simulated_dataset,
)
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.evaluation import (
    private_group_evaluation,
    private_macro_auc,
    private_model_comparison,
)
from dpcore.exported import as_plain
from dpcore.figures import LIGHT
from dpcore.schema import Label, Numeric, Schema
from dpcore.study import DataSource, NoiseChoice, Selection, Workflow
from dpcore.study.truth import Performance
from tests.desk._made import DECISIONS, LEVELS, of_predictions, of_table, predictions, table

NEIGHBORS = ("add-remove", "replace")


@pytest.mark.parametrize("what", DECISIONS)
def test_a_decision_is_charged_once_replayed_and_taken_away(store: LedgerStore, what: str) -> None:
    request, data = of_predictions(what), predictions()
    assert Request.from_json(request.to_json()) == request
    first = release(request, data, store)
    assert [str(charge.loss) for charge in first.charges] == ["epsilon 0.5"]
    assert store.remaining("predictions") == Loss("1.5")
    again = release(request, data, store)
    assert (first.replayed, again.replayed) == (False, True)
    assert store.remaining("predictions") == Loss("1.5")
    read = Released.from_json(first.to_json())
    assert read.headline == first.headline
    assert read.kind.picture is not None
    assert read.kind.picture(read.found, LIGHT) is not None
    with zipfile.ZipFile(io.BytesIO(bundle(first))) as packed:
        names = {name.rpartition("/")[2] for name in packed.namelist()}
    assert {f"{what}.csv", "release.json", "reproduce.py"} <= names
    assert "true" not in first.kind.csv(first.found).splitlines()[0]


def test_five_groups_cost_what_one_does(store: LedgerStore) -> None:
    """The ledger says so: one charge of epsilon for all groups together."""
    found = release(of_predictions("groups"), predictions(), store)
    assert len(found.result.groups) == len(LEVELS) + 1
    assert [str(charge.loss) for charge in found.charges] == ["epsilon 0.5"]
    assert sum("release" in entry.kind for entry in found.entries) == 1


def test_models_are_called_by_the_columns_of_their_scores(store: LedgerStore) -> None:
    asked = of_predictions("compare")
    named = replace(asked.study.data, score="old", score_b="new")
    asked = replace(asked, study=replace(asked.study, data=named))
    assert release(asked, predictions(), store).headline.endswith("A is “old”, B is “new”.")


@pytest.mark.parametrize("neighbors", NEIGHBORS)
def test_what_is_released_is_what_the_library_releases(neighbors: str) -> None:
    data, seed = predictions(2000), NoiseChoice(3)
    asked = {name: of_predictions(name, 1, neighbors=neighbors) for name in ("groups", "compare")}
    told = {"epsilon": 1, "neighbors": neighbors, "noise": seed.source("evaluate")}
    by = data.grouping
    assert by is not None
    names = np.array([*LEVELS, "?"])[by.places]
    here = private_group_evaluation(
        data.y_true, data.y_score, names, levels=LEVELS, threshold=0.5, **told
    )
    there = asked["groups"].carry_out(data, noise=seed).evaluated
    # What nothing says is NaN, which is unequal to itself.
    assert as_plain(there.groups) == as_plain(here.groups)
    told["noise"] = seed.source("evaluate")
    other = private_model_comparison(data.y_true, data.y_score, data.y_score_b, **told)
    assert asked["compare"].carry_out(data, noise=seed).evaluated.difference == other.difference


def test_groups_of_a_table_are_those_of_its_test_part() -> None:
    data = table(1000)
    found = of_table("groups").carry_out(data, noise=NoiseChoice(5))
    assert len(found.evaluated.groups) == 4
    assert found.tested is not None
    assert found.tested.groups is not None
    each = [one.n_positive + one.n_negative for one in found.tested.groups.values()]
    assert sum(each) == found.tested.scores.n_positive + found.tested.scores.n_negative
    odd = Workflow(data=DataSource(file="a", schema="b", group="age"))
    with pytest.raises(InvalidArgument, match="levels"):
        Request(what="groups", study=odd).carry_out(data, noise=NoiseChoice(5))


@pytest.mark.parametrize("what", DECISIONS)
def test_a_preview_says_what_the_release_will_state(what: str) -> None:
    expected = preview(None, of_predictions(what, 1), repeats=4)
    assert expected.stated is not None
    assert 0.0 < expected.stated < 0.4
    # Of an interval that holds in nine of ten cases the two are one number, but for chance.
    assert expected.error <= 1.3 * expected.stated


def rows(*lines: str) -> bytes:
    return "\n".join(("y,p,q,g", *lines)).encode()


@pytest.mark.parametrize("odd", ["", ",,,", "1,x,0.2,f", "1,0.5,,f", "1,0.5,7,", '1,0.5,"0.2,f'])
def test_a_row_is_read_by_itself(odd: str) -> None:
    """Two files that differ by a row: what is counted differs by that row alone."""
    told = {"label": "y", "score": "p", "score_b": "q", "group": "g", "levels": ("f", "m")}
    request = Request(
        what="groups", study=Workflow(data=DataSource(predictions="a", positive="1", **told))
    )
    plain = ["1,0.9,0.8,f", "0,0.2,0.4,m", "0,0.3,0.1,other", "1,0.7,0.6,"]

    def counted(*lines: str) -> list[ScoreHistogram]:
        found = Performance.of_predictions(read_blindly(rows(*lines), request))
        assert found.groups is not None
        assert found.models is not None
        return [*found.groups.values(), *found.models]

    with_odd, without = counted(*plain, odd), counted(*plain)
    moved = [
        int(np.abs(one.positives - other.positives).sum())
        + int(np.abs(one.negatives - other.negatives).sum())
        for one, other in zip(with_odd, without, strict=True)
    ]
    assert sum(moved[:3]) <= 1
    assert moved[3] == moved[4] <= 1
    sizes = [one.n_positive + one.n_negative for one in without]
    assert sizes == [1, 1, 2, 4, 4]


def test_a_column_that_is_not_there_is_told_by_its_header() -> None:
    source = DataSource(predictions="a", positive="1", label="y", score="p", score_b="absent")
    with pytest.raises(IntakeError, match="no such column"):
        read_blindly(rows("1,0.9,0.8,f"), Request(what="compare", study=Workflow(data=source)))


def test_groups_and_models_must_be_declared() -> None:
    bare = Workflow(data=DataSource(predictions="a", positive="1"))
    for what in ("groups", "compare"):
        with pytest.raises(InvalidArgument, match="what"):
            Request(what=what, study=bare)
    for told in ({"group": "g"}, {"levels": ("a",)}, {"group": "g", "levels": "ab"}):
        with pytest.raises(InvalidArgument, match="levels"):
            DataSource(predictions="a", positive="1", **told)
    with pytest.raises(InvalidArgument, match="score_b"):
        DataSource(file="a", schema="b", score_b="q")


def test_classes_are_declared_with_a_score_each() -> None:
    with pytest.raises(InvalidArgument, match="what"):
        Request(what="classes", study=Workflow(data=DataSource(predictions="a", positive="1")))
    for told in ({"classes": "ab"}, {"class_scores": ("p", "q")},
                 {"classes": ("a", "b"), "class_scores": ("p",)}):  # fmt: skip
        with pytest.raises(InvalidArgument, match="class"):
            DataSource(predictions="a", positive="1", **told)
    twice = {"classes": ("a", "a"), "class_scores": ("p", "q")}
    with pytest.raises(InvalidArgument, match=r"data\.classes"):
        DataSource(predictions="a", positive="1", **twice)
    with pytest.raises(InvalidArgument, match="class_scores"):
        DataSource(file="a", schema="b", classes=("a", "b"), class_scores=("p", "q"))


def of_classes() -> Request:
    told = {"classes": ("low", "mid", "high"), "class_scores": ("u", "v", "w")}
    source = DataSource(predictions="a", label="y", positive="mid", **told)
    return Request(what="classes", study=Workflow(data=source))


def table_of_classes(n: int = 600) -> pd.DataFrame:
    draws = np.random.default_rng(5)
    place = draws.integers(0, 4, n)
    scores = 0.1 + 0.6 * (place[:, None] == np.arange(3)) + 0.3 * draws.random((n, 3))
    labels = np.array(["low", "mid", "high", "none of these"])[place]
    return pd.DataFrame({"y": labels, **dict(zip("uvw", scores.T, strict=True))})


@pytest.mark.parametrize("neighbors", NEIGHBORS)
def test_every_class_of_a_file_is_the_librarys(
    neighbors: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the score that is shown is that of the positive class, which no one had to name."""
    # As a large file is read, in a process of its own.
    monkeypatch.setattr(limited_process, "_SMALL", 0)
    frame, asked = table_of_classes(), of_classes()
    frame.loc[3, "v"] = 7.0
    frame.loc[5, "y"] = None
    study = replace(asked.study, neighbors=neighbors)
    read = read_blindly(frame.to_csv(index=False).encode(), asked)
    np.testing.assert_array_equal(read.y_score, frame["v"].drop(index=[3, 5]))
    ours = replace(asked, study=study).carry_out(read, noise=NoiseChoice(1)).evaluated
    theirs = private_macro_auc(
        list(Performance.of_predictions(read).classes.values()),
        classes=("low", "mid", "high"), epsilon=asked.cost.epsilon, neighbors=neighbors,
        noise=NoiseChoice(1).source("evaluate"),
    )  # fmt: skip
    assert ours.to_json() == theirs.to_json()
    usable = frame.drop(index=[3, 5])
    for name, column in (("low", "u"), ("mid", "v"), ("high", "w")):
        counted = ScoreHistogram.from_arrays(usable["y"] == name, usable[column])
        assert Performance.of_predictions(read).classes[name].auc() == counted.auc()


@pytest.mark.parametrize("odd", ["", ",,,", "low,x,0.2,0.1", "mid,0.5,,0.3", '"low,1,1,1'])
def test_a_row_counts_once_in_every_class_or_in_none(odd: str) -> None:
    plain = ["low,0.9,0.1,0.2", "mid,0.2,0.8,0.3", "else,0.1,0.1,0.1", ",0.5,0.5,0.5"]

    def counted(*lines: str) -> list[ScoreHistogram]:
        content = "\n".join(("y,u,v,w", *lines)).encode()
        found = Performance.of_predictions(read_blindly(content, of_classes())).classes
        assert found is not None
        assert tuple(found) == ("low", "mid", "high")
        return list(found.values())

    with_odd, without = counted(*plain, odd), counted(*plain)
    sizes = [[one.n_positive, one.n_negative] for one in without]
    assert sizes == [[1, 2], [1, 2], [0, 3]]
    assert [[one.n_positive, one.n_negative] for one in with_odd] == sizes


def test_every_class_of_a_table_is_released_where_there_are_more_than_two(
    store: LedgerStore,
) -> None:
    levels = ("a", "b", "c")
    schema = Schema((Numeric("x", bounds=(0, 9)), Label("y", classes=levels, positive="b")))
    data = replace(simulated_dataset(schema, Assumed(n=20_000)), digest="three")
    store.open_budget("three", Loss(3))
    found = release(of_table("classes", selection=Selection()), data, store)
    assert [one.name for one in found.result.classes] == list(levels)
    assert "macro AUC of 3 classes" in found.headline
    # Of two classes the curve says all; that is known before anything is charged.
    with pytest.raises(InvalidArgument, match="another release"):
        release(of_table("classes"), table(), store)
    assert store.remaining("table") == Loss(2)


def test_the_file_counts_as_the_arrays_do() -> None:
    """Seeded: counted once more by the library, the comparison is the same, draw for draw."""
    made = predictions(500)
    frame = pd.DataFrame({"y": made.y_true, "p": made.y_score, "q": made.y_score_b})
    source = DataSource(predictions="a", positive="1", label="y", score="p", score_b="q")
    request = Request(what="compare", study=Workflow(data=source))
    read = read_blindly(frame.to_csv(index=False).encode(), request)
    ours = request.carry_out(read, noise=NoiseChoice(1)).evaluated
    theirs = private_model_comparison(
        frame["y"], frame["p"], frame["q"], epsilon=request.cost.epsilon,
        noise=NoiseChoice(1).source("evaluate"),
    )  # fmt: skip
    assert ours.to_json() == theirs.to_json()
