"""The kinds of release: found by file, complete, and answering alike."""

import subprocess
import sys

import pytest

from dpcore.errors import UnknownMethod, UnsupportedNeighbors
from dpcore.privacy import Neighbors
from dpcore.publications import publication, publications
from tests.desk._made import WHAT


def test_all_kinds_are_found() -> None:
    assert sorted(publications()) == sorted((*WHAT, "classes", "compare"))
    with pytest.raises(UnknownMethod, match="did you mean 'model'"):
        publication("modle")


def test_looking_for_kinds_loads_no_federation_and_no_notebook() -> None:
    """The first private file would wait for them by half a second."""
    program = (
        "import sys; from dpcore.publications import publications; publications();"
        "large = {'cryptography', 'dpcore.federated', 'dpcore.publications._notebook'};"
        "print(large & set(sys.modules))"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.stdout == "set()\n", said.stderr


@pytest.mark.parametrize("what", WHAT)
def test_defaults_are_proven_methods(what: str) -> None:
    kind = publication(what)
    method = kind.method(kind.default, Neighbors.ADD_REMOVE)
    assert (method is None) is (kind.methods is None) is (kind.evaluate is None)
    assert method is None or method.guarantee.holds


def test_unknown_methods_and_relations_are_refused() -> None:
    with pytest.raises(UnknownMethod, match="roc method"):
        publication("roc").method("none", Neighbors.ADD_REMOVE)
    lacking = [
        (kind, name)
        for kind in publications().values()
        if kind.methods is not None
        for name, method in kind.methods().items()
        if Neighbors.REPLACE not in method.neighbors
    ]
    for kind, name in lacking:
        with pytest.raises(UnsupportedNeighbors):
            kind.method(name, Neighbors.REPLACE)
