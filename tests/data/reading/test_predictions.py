"""Predictions: labels, scores, and what they are about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from dpcore import SeededNoise, SystemNoise
from dpcore.data.reading import Dialect, Predictions, read_predictions, split_records
from dpcore.errors import InvalidArgument
from dpcore.noise import NoiseSource


@pytest.mark.parametrize("noise", [SeededNoise(3), SystemNoise()])
@pytest.mark.parametrize("asked, fits", [(0.3, True), (0.39, False), (0.21, False)])
def test_the_fraction_is_kept(noise: NoiseSource, asked: float, fits: bool) -> None:
    is_test = split_records(20_000, test_fraction=0.3, noise=noise)
    assert bool(binomtest(int(is_test.sum()), 20_000, asked).pvalue > 1e-9) is fits


@given(st.integers(1, 50), st.integers(0, 2**32))
def test_one_record_more_moves_no_other(n: int, seed: int) -> None:
    # What parallel composition of train and test rests on.
    fewer = split_records(n, test_fraction=0.4, noise=SeededNoise(seed))
    more = split_records(n + 1, test_fraction=0.4, noise=SeededNoise(seed))
    np.testing.assert_array_equal(more[:n], fewer)


def test_the_ends() -> None:
    assert not split_records(100, test_fraction=0, noise=SeededNoise(1)).any()
    assert split_records(100, test_fraction=1, noise=SeededNoise(1)).all()
    assert split_records(0, test_fraction=0.5, noise=SeededNoise(1)).shape == (0,)


@pytest.mark.parametrize("fraction", [-0.1, 1.1, float("nan")])
def test_a_wrong_fraction_is_named(fraction: float) -> None:
    with pytest.raises(InvalidArgument, match="^test_fraction must be between 0 and 1"):
        split_records(10, test_fraction=fraction, noise=SeededNoise(1))


def test_a_wrong_number_is_named() -> None:
    with pytest.raises(InvalidArgument, match="^n must be a whole number"):
        split_records(-1, test_fraction=0.5, noise=SeededNoise(1))


def test_scores_may_be_about_the_other_class() -> None:
    read = read_predictions(b"y,p\nham,0.9\nspam,0.2\n")
    turned = read.with_positive("ham")
    again = read_predictions(b"y,p\nham,0.9\nspam,0.2\n", positive="ham")
    assert (turned.y_true.tolist(), turned.classes) == ([1, 0], ("spam", "ham"))
    assert turned.problems == again.problems
    assert turned.with_positive("spam").problems == read.problems
    assert read.with_positive("spam") is read
    with pytest.raises(InvalidArgument, match="^positive must be one of"):
        read.with_positive("eggs")


@pytest.mark.parametrize("name", ["rank", "FICO", "cosine distance", "p.value", "credit_score"])
def test_a_score_that_is_called_after_what_falls_is_pointed_out_by_its_name(name: str) -> None:
    rows = "".join(f"{at % 2},{at}\n" for at in range(1, 41))
    text = f"default,{name}\n{rows}".encode()

    def said(read: Predictions) -> list[str]:
        return [one.sentence for one in read.problems if one.severity == "warning"]

    read = read_predictions(text)
    assert read.columns == ("default", name)
    (sentence,) = said(read)
    assert sentence.startswith(f"Column '{name}' is called like a number that is low where '1' is")
    assert sentence.endswith("if so, let '0' count as positive, or turn the sign of the numbers.")
    # What is done about it ends the warning, in memory and when it is read again.
    assert said(read.with_positive("0")) == said(read_predictions(text, positive="0")) == []
    # By the name alone: the owner of declared data is told the same, whatever the rows are.
    told = {"label": "default", "score": name, "scale": "any", "bounds": (0, 50)}
    for content in (text, f"default,{name}\n".encode()):
        declared = read_predictions(content, positive="1", negative="0", dialect=Dialect(), **told)
        assert said(declared) == [sentence]


def test_a_score_that_is_high_for_the_good_is_right_about_the_good() -> None:
    read = read_predictions(b"loan,fico\npaid,700\nlate,500\npaid,650\n", positive="paid")
    assert not [one for one in read.problems if one.severity == "warning"]


def test_predictions_that_come_from_no_file_name_no_models() -> None:
    read = read_predictions(b"label,p_lr,p_rf\n1,0.9,0.7\n0,0.2,0.4\n")
    assert read.models == ("p_lr", "p_rf")
    assert replace(read, roles=None).models == ()
