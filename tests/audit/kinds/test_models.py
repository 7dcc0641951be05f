"""Training records: one more at the upper bounds, or one moved there from the lower ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpcore.audit import kinds
from dpcore.audit.kinds.models import space_of
from dpcore.errors import InvalidArgument, MissingResource
from dpcore.privacy import Neighbors


def test_one_record() -> None:
    kind = kinds()["naive Bayes method"]
    for method in kind.methods().values():
        for neighbors in method.neighbors:
            (pair,) = kind.pairs(method, neighbors)
            more = pair.there.classes.size - pair.here.classes.size
            assert more == neighbors.pick(add_remove=1, replace=0)
            assert pair.there.space == space_of(method)


def test_a_method_that_accepts_no_space_is_named() -> None:
    def refuse(training: object, **arguments: object) -> None:
        raise InvalidArgument("training", "these columns", "other columns")

    method = replace(kinds()["naive Bayes method"].methods()["moments"], name="picky", run=refuse)
    with pytest.raises(MissingResource, match="'picky' accepts none of the feature spaces"):
        space_of(method)
    assert Neighbors.REPLACE in method.neighbors
