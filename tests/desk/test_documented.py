"""The examples of the documentation run."""

import doctest
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "release-desk.md"


def test_the_examples_of_the_release_desk_run() -> None:
    found = doctest.testfile(str(DOCUMENT), module_relative=False)
    assert found.attempted > 10
    assert found.failed == 0
