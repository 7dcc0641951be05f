"""The holdout methods are found, with their verdicts."""

from __future__ import annotations

import pytest

from dpcore import SeededNoise
from dpcore.errors import UnknownMethod
from dpcore.evaluation.holdout import holdout_methods


def test_verdicts():
    verdicts = {name: method.guarantee.word for name, method in holdout_methods().items()}
    assert verdicts == {
        "naive-reuse": "BROKEN",
        "thresholdout": "PROVEN",
        "zumel-published": "BROKEN",
    }


@pytest.mark.parametrize("name", holdout_methods())
def test_declared_parameters_open_a_holdout(name):
    method = holdout_methods.get(name)
    opened = method.run([0.0, 1.0], [1.0, 0.0], noise=SeededNoise(1), **method.check({}))
    assert opened.answers([[0.0, 1.0]], [[1.0, 0.0]]).shape == (1,)


def test_a_wrong_name_is_guessed():
    with pytest.raises(UnknownMethod, match="did you mean 'thresholdout'"):
        holdout_methods.get("treshholdout")
