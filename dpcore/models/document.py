"""Released models as JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from numpy.typing import NDArray

from dpcore.errors import DataError
from dpcore.schema import Block, Feature, FeatureSpace, Schema

__all__ = ["labels_as_plain", "read_document", "read_features", "write_features"]

Declared = Schema | FeatureSpace


def write_features(declared: Declared) -> dict[str, Any]:
    """The public description of the columns as JSON types.

    Examples
    --------
    >>> space = FeatureSpace((Feature("age", "numeric", "age", (18.0, 95.0)),))
    >>> read_features(write_features(space)) == space
    True
    """
    if isinstance(declared, Schema):
        return {"schema": declared.to_toml()}
    return {
        "features": [asdict(feature) for feature in declared.features],
        "blocks": [asdict(block) for block in declared.blocks],
        "taken_from_data": sorted(declared.taken_from_data),
    }


def read_features(document: Mapping[str, Any]) -> Declared:
    """Read what `write_features` wrote."""
    if "schema" in document:
        return Schema.from_toml(document["schema"])
    features = (
        Feature(**(feature | {"bounds": tuple(feature["bounds"])}))
        for feature in document["features"]
    )
    blocks = tuple(Block(**block) for block in document["blocks"])
    return FeatureSpace(tuple(features), blocks, frozenset(document["taken_from_data"]))


def labels_as_plain(classes: NDArray[Any]) -> list[Any]:
    """Class labels as JSON types."""
    return list(classes.tolist())


def read_document(text: str, kind: str) -> dict[str, Any]:
    """Parse an exported model and check whose it is.

    Raises
    ------
    DataError
        If the text is no exported model of that kind.
    """
    try:
        document = json.loads(text)
        found = document["provenance"]["estimator"]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise DataError(
            "this is not an exported model", remedy="pass the text that to_json() returned"
        ) from error
    if found != kind:
        raise DataError(f"this is an exported {found}", remedy=f"read it with {found}.from_json")
    return dict(document)
