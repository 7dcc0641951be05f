"""The figure of all reproductions."""

from __future__ import annotations

from dpcore.figures.theme import LIGHT
from reproductions import Claim, Verdict, experiment
from reproductions.summary import reproduction_summary_picture


def test_bars_count_trends() -> None:
    found = [
        Verdict(tuple(Claim("a.", seen, "") for seen in pattern), "")
        for pattern in ((True, True), (False, True, False))
    ]
    ones = [experiment("lyu-figure-4"), experiment("stoddard-table-1")]
    picture = reproduction_summary_picture(list(zip(ones, found, strict=True)), theme=LIGHT)
    seen, missed = picture.data
    assert (seen["name"], seen["x"]) == ("seen", [2, 1])
    assert (missed["name"], missed["x"]) == ("not seen", [0, 2])
    assert seen["y"] == ["Lyu et al., Figure 4", "Stoddard et al., Table 1"]
    assert seen["marker"]["pattern"]["shape"] != missed["marker"]["pattern"]["shape"]
    assert picture.alt.startswith("3 trends seen and 2 not seen")
    picture.figure()
