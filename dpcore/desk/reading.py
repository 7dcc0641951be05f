"""Private files in: read as their owner declares, and known by their canonical bytes."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from dpcore.desk.request import Request
from dpcore.errors import PrivateInference, SchemaError
from dpcore.intake import Predictions, read_dataset, read_predictions
from dpcore.intake.formats import PARQUET_MAGIC
from dpcore.intake.limits import DEFAULT_LIMITS, Limits
from dpcore.intake.source import open_source
from dpcore.schema import Schema
from dpcore.studies.workflow import Dataset
from dpcore.studies.workflow.sources import Records

__all__ = ["canonical_digest", "read_records", "require_public"]

_LINE_END = re.compile(rb"\r\n|\n|\r")
_MARK = b"\xef\xbb\xbf"


def canonical_digest(source: bytes | Path, *, limits: Limits = DEFAULT_LIMITS) -> str:
    r"""SHA-256 of a file's canonical bytes: the name under which its budget is kept.

    Compression, a byte-order mark, the kind of line ends, blank lines and the order of the lines
    make no difference, so that a table that was merely saved or sorted again keeps its budget. A
    Parquet file is taken byte by byte. A file with another separator or other columns is another
    data set: then its owner must divide one budget by hand.

    Examples
    --------
    >>> first = canonical_digest(b"label,score\n1,0.9\n0,0.2\n")
    >>> first == canonical_digest(b"label,score\r\n0,0.2\r\n1,0.9"), len(first)
    (True, 64)
    """
    content = open_source(source, "", limits).content
    if not content.startswith(PARQUET_MAGIC):
        lines = _LINE_END.split(content.removeprefix(_MARK))
        content = b"\n".join(sorted(line for line in lines if line.strip()))
    return hashlib.sha256(content).hexdigest()


def read_records(
    source: bytes | Path,
    request: Request,
    *,
    schema: Schema | None = None,
    name: str = "",
    limits: Limits = DEFAULT_LIMITS,
) -> Records:
    r"""Read a private file for a request: declared facts only, every row by itself.

    Parameters
    ----------
    source : bytes or Path
    request : Request
        Its `study.data` says how the file is written, and which label is positive.
    schema : Schema, optional
        Of the table; left out for predictions.
    name : str, optional
        How sentences call the file.
    limits : Limits, optional

    Returns
    -------
    Dataset or Predictions
        With the canonical digest.

    Raises
    ------
    IntakeError
        If the file is not written as declared. The sentence is about the file and its header, and
        never about a row.
    SchemaError, PrivateInference
        If the schema is missing, or holds facts taken from the data.

    Examples
    --------
    >>> from dpcore.studies.workflow import DataSource, Workflow
    >>> study = Workflow(data=DataSource(predictions="scores.csv", positive="1"))
    >>> asked = Request(what="roc", study=study)
    >>> read_records(b"label,score\n1,0.9\n0,0.2\n", asked).y_true.tolist()
    [1, 0]
    """
    digest, told = canonical_digest(source, limits=limits), request.study.data
    records: Records
    if not request.study.trains:
        read = read_predictions(
            source,
            name=name,
            link=told.link,
            positive=told.positive,
            negative=told.negative,
            dialect=told.dialect,
            limits=limits,
        )
        records = Predictions(
            read.y_true, read.y_score, (), digest, read.classes, read.left_out, read.taken_from_data
        )
    else:
        if schema is None:
            raise SchemaError("a table needs its schema", remedy="declare one in TOML")
        upload = read_dataset(source, name=name, schema=schema, dialect=told.dialect, limits=limits)
        records = Dataset(upload.frame, schema, digest, (), upload.taken_from_data)
    require_public(request, records)
    return records


def require_public(request: Request, records: Records) -> Schema | None:
    """Refuse records whose public facts were taken from them; return the declared schema.

    Raises
    ------
    PrivateInference
        If schema, dialect or classes were read off the rows.
    SchemaError
        If a request that trains gets predictions, or the other way round, or a column is missing.
    """
    if isinstance(records, Dataset) is not request.study.trains:
        raise SchemaError(
            "the request and the data are of different kinds",
            remedy="ask for a table's release from a table, and for a score's from predictions",
        )
    taken = set(records.taken_from_data)
    if isinstance(records, Dataset):
        taken |= records.schema.taken_from_data
    if taken:
        facts = ", ".join(sorted(taken))
        raise PrivateInference(facts, "declare them; a release takes nothing from the data")
    return records.schema if isinstance(records, Dataset) else None
