"""Exact answers tell everything."""

from __future__ import annotations

from dpcore.audit import audit, presets


def test_every_draw_tells_which_data_set_it_was() -> None:
    preset = presets()["naive-reuse"]
    result = audit(preset.target(), preset.pair(), trials=400)
    assert result.violated
    assert result.chances == (1.0, 0.0)
