"""Whoever keeps noise goes on in the process that it was made in, and in no copy of it."""

from __future__ import annotations

import copy
import os
import pickle

import pytest

from dpcore import Ledger, Loss
from dpcore.errors import PrivacyError
from dpcore.privacy.one_process import OneProcess


def test_a_ledger_is_of_one_process() -> None:
    assert isinstance(Ledger(Loss(1)), OneProcess)


def test_a_child_is_refused_and_the_parent_goes_on() -> None:
    ledger = Ledger(Loss(2))
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        try:
            ledger.require(Loss(1))
            os.write(writing, b"went on")
        except PrivacyError:
            os.write(writing, b"refused")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 100) == b"refused"
    ledger.require(Loss(1))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_no_copy_is_made_that_could_draw_the_same_noise(copied: object) -> None:
    ledger = Ledger(Loss(1))
    try:
        found = copied(ledger)  # type: ignore[operator]
    except (PrivacyError, TypeError):
        return
    assert found is ledger
