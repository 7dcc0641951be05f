"""Running-count methods are found, and both add up."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise
from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.evaluation.running_counts.api import running_count_methods
from dpcore.release import Gate

LOSSES = {"laplace": Loss(500), "gaussian": Loss(5000, "0.1")}


@pytest.mark.parametrize("name", running_count_methods())
def test_every_method_is_proven_and_counts(name):
    method = running_count_methods.get(name)
    assert method.guarantee.holds
    gate = Gate(Ledger(), SeededNoise(1))
    counts = method.run(np.array([1, 2, 0, 4]), loss=LOSSES[name], gate=gate)
    assert counts.tolist() == [1, 3, 3, 7]
    assert gate.charges[0].loss == LOSSES[name]


def test_laplace_noise_has_no_use_for_a_delta_and_gaussian_noise_needs_one():
    gate = Gate(Ledger(), SeededNoise(1))
    events = np.array([1])
    with pytest.raises(InvalidArgument, match="^delta must be 0 for Laplace noise"):
        running_count_methods.get("laplace").run(events, loss=Loss(1, "0.1"), gate=gate)
    with pytest.raises(InvalidArgument, match="^delta must be positive"):
        running_count_methods.get("gaussian").run(events, loss=Loss(1), gate=gate)
    assert gate.charges == ()


def test_a_wrong_name_is_refused():
    with pytest.raises(UnknownMethod):
        running_count_methods.get("binary")
