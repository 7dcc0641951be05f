"""An interval of everything is told from a result, and a share stays one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.postprocess.possible import as_share, leaves_everything, nothing_said

numbers = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12)


@given(st.lists(numbers, min_size=1))
def test_a_share_is_possible_and_a_possible_one_stays(values: list[float]) -> None:
    found = as_share(values)
    assert ((found >= 0.0) & (found <= 1.0)).all()
    assert np.array_equal(as_share(found), found)


@given(st.floats(0.006, 1.0), st.floats(0.0, 1.0))
def test_an_interval_that_excludes_anything_says_something(low: float, high: float) -> None:
    assert not leaves_everything(low, max(low, high))
    assert leaves_everything(-low, 1.0 + high)


@pytest.mark.parametrize("ends", [(0.0, 1.0), (0.0049, 0.9951), (np.nan, np.nan), (-5.0, 900.0)])
def test_everything_is_everything_as_written(ends: tuple[float, float]) -> None:
    assert leaves_everything(*ends)


def test_the_sentence_names_the_epsilon_if_it_is_known() -> None:
    assert nothing_said("this curve", "any AUC", "0.5").startswith("At epsilon 0.5 this curve says")
    assert nothing_said("this curve", "any AUC").startswith("At this epsilon this curve says")
