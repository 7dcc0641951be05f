"""Which methods can be trained on aggregates, and on which."""

from __future__ import annotations

from dpcore.models import naive_bayes_methods
from dpcore.models.naive_bayes.counted_method import CountedMethod


def test_the_methods_that_read_sums_alone_say_so() -> None:
    counted = {
        name: method.histograms
        for name, method in naive_bayes_methods().items()
        if isinstance(method, CountedMethod)
    }
    assert counted.pop("moments") is False
    assert counted == dict.fromkeys(("auto", "histogram", "l1-counts", "truncated-counts"), True)
