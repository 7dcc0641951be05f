"""The kinds that are found."""

from __future__ import annotations

from dpcore.audit import kinds


def test_the_kinds() -> None:
    known = {"ROC method", "ECDF method", "calibration method", "selection method"}
    assert known | {"feature score", "naive Bayes method", "logistic method"} <= set(kinds())
