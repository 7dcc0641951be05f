"""The presets that are found."""

from __future__ import annotations

from dpcore.audit import presets


def test_the_page_has_its_titles() -> None:
    titles = " ".join(preset.title for preset in presets().values())
    for words in ("gives itself away", "leaks through", "the variants", "Cauchy", "honest", "seed"):
        assert words in titles
