"""Columns of scores: of several models, and of two classes."""

from __future__ import annotations

import numpy as np
import pandas as pd

from dpcore.data.reading.roles.columns import guess_roles


def test_scores_that_are_called_alike_are_all_models() -> None:
    whole = np.random.default_rng(0).integers(300, 850, (60, 12))
    table = pd.DataFrame({"y": [0, 1] * 30, "points_a": whole[:, 0], "points_b": whole[:, 1]})
    assert guess_roles(table).scores == ("points_a", "points_b")
    many = pd.DataFrame({f"x_{at}": whole[:, at] for at in range(12)}).assign(y=[0, 1] * 30)
    assert guess_roles(many).scores == ("x_11",)
    assert guess_roles(table.rename(columns={"points_a": "age"})).scores == ("points_b",)
