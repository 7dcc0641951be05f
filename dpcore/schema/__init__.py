"""What is public about a table, and how that alone turns it into a matrix."""

from dpcore.schema.columns import Binary, Categorical, Column, Ignore, Label, Numeric, Text
from dpcore.schema.encoding import Design, encode
from dpcore.schema.schema import Schema
from dpcore.schema.space import Block, Feature, FeatureSpace

__all__ = ["Binary", "Block", "Categorical", "Column", "Design", "Feature", "FeatureSpace"]
__all__ += ["Ignore", "Label", "Numeric", "Schema", "Text", "encode"]
