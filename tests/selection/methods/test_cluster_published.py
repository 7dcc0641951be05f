"""The published clusters as a selection method; its flaws are tested with the mechanism."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.selection import select_features
from dpcore.selection.methods.cluster_published import METHOD

ROWS = np.repeat(np.eye(6), [90, 85, 80, 3, 2, 1], axis=0)


def test_with_little_noise_the_high_cluster_is_accepted() -> None:
    picked = select_features(
        ROWS, method="cluster-published", threshold=40, epsilon=10_000, noise=SeededNoise(0)
    )
    assert picked.selected.tolist() == [0, 1, 2]
    assert [charge.loss for charge in picked.charges] == [Loss(10_000)]
    assert picked.scores is None


def test_it_is_broken_and_refused() -> None:
    assert METHOD.guarantee.word == "BROKEN"
    for part in ("memberships", ".295", ".99996", "2 s"):
        assert part in METHOD.guarantee.reason
    with pytest.raises(NotPrivate, match="memberships"):
        select_features(
            ROWS, method="cluster-published", threshold=4, epsilon=1, noise=SystemNoise()
        )


def test_it_selects_by_threshold_only() -> None:
    with pytest.raises(InvalidArgument, match="selects by threshold"):
        select_features(ROWS, method="cluster-published", top_k=2, epsilon=1, noise=SeededNoise(0))
