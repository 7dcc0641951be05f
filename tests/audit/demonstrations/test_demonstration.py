"""The presets that are found."""

from __future__ import annotations

import pytest

from dpcore.audit import presets


@pytest.mark.parametrize("name", presets())
def test_a_preset_is_complete(name: str) -> None:
    preset = presets()[name]
    assert preset.name == name
    assert preset.story.endswith(".")
    assert preset.title
    assert preset.pair.neighbors is preset.target().neighbors
    assert preset.trials >= 100


def test_the_page_has_its_titles() -> None:
    titles = " ".join(preset.title for preset in presets().values())
    for words in ("gives itself away", "leaks through", "the variants", "Cauchy", "honest", "seed"):
        assert words in titles
