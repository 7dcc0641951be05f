"""Studies as Python: what is written makes the same study, from public names only."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.audit.exact.noise import gaussian_epsilon
from dpcore.evaluation import roc_methods
from dpcore.evaluation.roc.roc_release import private_roc_curve
from dpcore.models import classifier_methods, logistic_methods, naive_bayes_methods
from dpcore.selection import selectors
from dpcore.study import (
    DataSource,
    Epsilons,
    Evaluation,
    Model,
    NoiseChoice,
    Selection,
    Split,
    Workflow,
)
from dpcore.study.python import Expression, Script, quoted, shortened
from dpcore.study.steps import prepare

TABLE = DataSource(file="a.csv", schema="a.toml")


def made(study: Workflow) -> Workflow:
    """What the written study makes."""
    script = Script()
    script.study(study)
    left: dict[str, Any] = {}
    exec(compile(str(script), "study.py", "exec"), left)
    found: Workflow = left["study"]
    return found


KINDS = [("classifier", name) for name in classifier_methods()]
KINDS += [("naive-bayes", name) for name in naive_bayes_methods()]
KINDS += [("logistic", name) for name in logistic_methods()]


@pytest.mark.parametrize("kind, method", KINDS)
@pytest.mark.parametrize("noise", ["seed:0", "system"])
def test_every_model_is_written(kind: str, method: str, noise: str) -> None:
    study = Workflow(
        data=TABLE,
        model=Model(kind=kind, method=method),
        split=Split(test_fraction=0.4),
        noise=noise,
        epsilon=Epsilons(training="1/3"),
    )
    assert made(study) == study


@pytest.mark.parametrize("method", roc_methods())
def test_every_curve_is_written_with_what_is_not_a_default(method: str) -> None:
    declared = roc_methods()[method]
    own = {one.name: one.maximum for one in declared.parameters if one.maximum is not None}
    evaluation = Evaluation(method=method, parameters=own, seed=3, confidence=0.8)
    study = Workflow(data=TABLE, evaluation=evaluation, neighbors=declared.neighbors[-1])
    assert made(study) == study


@pytest.mark.parametrize("method", selectors())
def test_every_selector_is_written(method: str) -> None:
    told = {"score": "difference-count"} if selectors()[method].spends else {}
    study = Workflow(
        data=TABLE,
        selection=Selection(method=method, parameters=told, bins=7),
        epsilon=Epsilons(selection=0.5),
    )
    assert made(study).selection == study.selection


texts = st.text(min_size=1, max_size=9)


@given(
    name=texts,
    label=texts,
    positive=texts,
    epsilon=st.fractions(Fraction(1, 1000), 100),
    seed=st.integers(0, 2**62),
)
def test_whatever_a_file_is_called_is_only_a_text(
    name: str, label: str, positive: str, epsilon: Fraction, seed: int
) -> None:
    data = DataSource(predictions=name, label=label, score="s", positive=positive)
    study = Workflow(
        data=data, epsilon=Epsilons(evaluation=epsilon, training=3), noise=NoiseChoice(seed)
    )
    found = made(study)
    assert (found.data, found.noise) == (study.data, study.noise)
    assert found.epsilon.evaluation == epsilon
    assert found.charges == study.charges


def test_signs_that_cannot_be_seen_are_written_as_numbers() -> None:
    assert quoted("a\u202eb\n") == '"a\\u202eb\\n"'
    assert quoted("it's") == '"it\'s"'
    assert eval(quoted('say "it\'s"\\')) == 'say "it\'s"\\'


def test_another_study_is_written_by_what_differs() -> None:
    study = Workflow(data=DataSource(sample="messages"))
    other = replace(study, noise=NoiseChoice(1), model=Model(kind="logistic"))
    script = Script()
    script.study(study)
    script.run()
    script.other(study, other)
    text = str(script).replace("run_workflow(", "(")
    left: dict[str, Any] = {}
    exec(compile(text, "study.py", "exec"), left)
    assert left["other"] == other
    assert left["second"] == other


def test_a_package_that_lists_nothing_leaves_its_names_where_they_are() -> None:
    script = Script()
    script.let("found", gaussian_epsilon)
    assert str(script).startswith("from dpcore.audit.exact.noise import gaussian_epsilon\n")


def test_a_name_that_no_package_lists_is_refused() -> None:
    with pytest.raises(LookupError, match="prepare is not public"):
        Script().name_of(prepare)


def test_defaults_are_left_out_and_what_is_told_stays() -> None:
    script = Script()
    told = {"epsilon": Fraction(1, 2), "neighbors": "replace", "confidence": 0.9}
    script.let("curve", private_roc_curve, Expression("y"), Expression("s"), **told)
    assert str(script) == (
        "from dpcore.evaluation import private_roc_curve\n\n"
        'curve = private_roc_curve(y, s, epsilon=0.5, neighbors="replace")\n'
    )
    method = roc_methods()["quantile-bins"]
    usual = method.check({})
    assert shortened(method, usual) == {}
    first = next(iter(usual), None)
    assert first is None or shortened(method, usual | {first: 99}) == {first: 99}


def test_lines_are_filled_in_as_python_and_a_call_is_broken_over_lines() -> None:
    script = Script()
    curve = script.call(private_roc_curve, Expression("y"), Expression("s"), epsilon=Fraction(1, 3))
    lines = """
from math import log, pi
name = $name
curve = $curve
print({one: $rate for one in $names}, "no $$")
"""
    told = {"name": 'say "it"', "rate": Expression("one.tpr"), "names": ("a", "b")}
    script.text(lines, curve=curve, **told)
    assert str(script) == (
        "from math import log, pi\n\nfrom dpcore.evaluation import private_roc_curve\n\n"
        'name = \'say "it"\'\ncurve = private_roc_curve(y, s, epsilon="1/3")\n'
        'print({one: one.tpr for one in ["a", "b"]}, "no $")\n'
    )
    with pytest.raises(KeyError, match="rate"):
        script.text("print($rate)")
