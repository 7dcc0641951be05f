"""The figure of how far off federated curves are over many draws."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.figures import DARK, LIGHT, Theme
from dpcore.figures.federated_redraws import redraws_picture

ERRORS = {"curator": np.array([0.01, 0.02, 0.04]), "parties": np.array([0.02, 0.03, 0.05])}


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_trust_model_has_its_steps_and_the_chosen_one_stands_out(theme: Theme) -> None:
    picture = redraws_picture(ERRORS, chosen="parties", here=0.024, theme=theme)
    curator, parties = picture.data
    assert parties["x"] == [0.02, 0.03, 0.05]
    np.testing.assert_allclose(parties["y"], [1 / 3, 2 / 3, 1], atol=1e-3)
    assert parties["line"]["width"] > curator["line"]["width"]
    assert picture.layout["shapes"][0]["x0"] == 0.024
    assert "curator 2.0 %, parties 3.0 %" in picture.alt
    assert picture.layout["annotations"][0]["text"] == "SIMULATION"
    assert picture.figure().data
