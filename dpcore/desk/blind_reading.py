"""Reading for somebody who must not learn about the rows: no row decides what is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dpcore.data.reading.limited_process import one_reading
from dpcore.data.reading.limits import DEFAULT_LIMITS, Limits, TooCostly
from dpcore.data.reading.tables import read_header
from dpcore.desk.reading import canonical_digest, read_records
from dpcore.desk.request import Request
from dpcore.errors import IntakeError
from dpcore.schema import Schema
from dpcore.study.sources import Records

__all__ = ["read_blindly"]


def read_blindly(
    source: bytes | Path,
    request: Request,
    *,
    schema: Schema | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Records:
    r"""Read a private file as `read_records` does, and say nothing about its rows.

    Parameters
    ----------
    source : bytes or Path
    request : Request
        Its `study.data` says how the file is written, and which label is positive.
    schema : Schema, optional
        Of the table; left out for predictions.
    limits : Limits, optional

    Returns
    -------
    Dataset or Predictions
        Under the file's digest. Without records if there are too many, or if cells are declared to
        hold line breaks and some row is not what a CSV writer writes.

    Raises
    ------
    IntakeError, SchemaError, PrivateInference
        If the container, the header or the declaration is at fault. The header (of a Parquet file,
        the footer) is judged alone, before any row is read.
    TooCostly
        If reading takes more memory or time than the limits allow.

    Privacy
        A row is a line, and is read by itself: files that differ by a line give tables that differ
        by a row. Where cells are declared to hold line breaks, a table is what a CSV writer wrote;
        on such files reading is the identity, row for row, so neighbouring tables stay neighbours.
        On every other one it is a constant, the empty table, whatever the rows say; whoever sees
        only the outcome and the releases cannot tell the two apart but through the noise. A
        sentence about a stray quotation mark would be an answer that nobody has paid for.

        The limits are the edge of the domain: a table with one row more than they allow counts as
        empty. Of two neighbours on both sides of that edge the proofs say nothing, so a limit must
        lie well above the largest table that is to be released.

        What reading costs is a fact about the file as its size is: public, and told in one sentence
        that depends on the limits alone. It is no reason to count a table as empty, which would be
        released and paid for, nor to know it by another name.

    Examples
    --------
    >>> from dpcore.study import DataSource, Workflow
    >>> study = Workflow(data=DataSource(predictions="scores.csv", positive="1"))
    >>> asked = Request(what="roc", study=study)
    >>> for rows in (b"1,0.9\n0,0.2\n", b'1,0.9\n0,a"b\n'):
    ...     read_blindly(b"label,score\n" + rows, asked).y_true.tolist()
    [1, 0]
    [1]
    """
    with one_reading(limits):
        header = read_header(source, request.study.data.dialect, limits=limits)
        bare = read_records(header, request, schema=schema, limits=limits)
        try:
            return read_records(source, request, schema=schema, limits=limits)
        except TooCostly:
            raise
        except IntakeError:
            return replace(bare, digest=canonical_digest(source, limits=limits))
