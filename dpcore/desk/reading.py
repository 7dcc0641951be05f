"""Private files in: read as their owner declares, and known by their canonical bytes."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from dpcore.data.reading import declared, limited_process, read_dataset, read_predictions, tables
from dpcore.data.reading.problems import DEFAULT_LIMITS, DamagedFile, Limits, TooCostly
from dpcore.data.reading.source import Source, whole_file
from dpcore.data.reading.table_digest import digest_of_file, digest_of_lines
from dpcore.desk.request import Request
from dpcore.errors import IntakeError, PrivateInference, SchemaError
from dpcore.schema import Ignore, Schema
from dpcore.store import LedgerStore
from dpcore.study import Dataset
from dpcore.study.sources import StudyData

File: TypeAlias = bytes | Path


def canonical_digest(
    source: bytes | Path, *, limits: Limits = DEFAULT_LIMITS, is_record: bool = False
) -> str:
    r"""SHA-256 of the canonical bytes of a table: the name under which its budget is kept.

    However the table is saved, its budget is the same: see `dpcore.data.reading.table_digest`.
    Nothing but the file is asked, so neither a schema nor a declared dialect gives it another;
    `is_record` says that it may begin with a record, which must not make a damaged gzip file of it.

    Examples
    --------
    >>> first = canonical_digest(b"label,score\n1,0.9\n0,0.2\n")
    >>> first == canonical_digest(b"score;label\r\n0,20;0\r\n0,9;1.0"), len(first)
    (True, 64)
    """
    return digest_of_file(source, limits=limits, is_record=is_record)


def recognise(source: bytes | Path, digest: str, store: LedgerStore) -> str:
    """Let data that a ledger knows by another digest keep their budget.

    Earlier versions knew a file by its lines, if not by its cells, or a Parquet file by its bytes;
    and how a cell is read may change, which its bytes do not.

    Parameters
    ----------
    source : bytes or Path
    digest : str
        Its canonical digest.
    store : LedgerStore

    Returns
    -------
    str
        SHA-256 of its bytes, to be noted with a budget.
    """
    content = whole_file(source)
    found = hashlib.sha256(content).hexdigest()
    former = []
    if store.earlier_budgets():
        # What is known by a digest has been opened: here nothing is refused for how it begins.
        former = [digest_of_file(content, limits=DEFAULT_LIMITS, by_lines=True, is_record=True)]
        # What is an archive now may have been lines that nobody could read.
        former += [digest_of_lines(Source(content, False, found, ""))] * (content[:2] == b"PK")
    store.recognise(digest, found, *former)
    return found


def read_records(
    source: File,
    request: Request,
    *,
    schema: Schema | None = None,
    limits: Limits = DEFAULT_LIMITS,
    name: str = "",
) -> StudyData:
    r"""Read a private file for a request: declared facts only, every row by itself.

    Parameters
    ----------
    source : bytes or Path
    request : Request
        Its `study.data` says how the file is written, and which label is positive.
    schema : Schema, optional
        Of the table; left out for predictions.
    limits : Limits, optional
    name : str, optional
        How sentences call the file.

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
    >>> from dpcore.study import DataSource, Workflow
    >>> study = Workflow(data=DataSource(predictions="scores.csv", positive="1"))
    >>> asked = Request(what="roc", study=study)
    >>> read_records(b"label,score\n1,0.9\n0,0.2\n", asked).y_true.tolist()
    [1, 0]
    """
    told, name = request.study.data, name or getattr(source, "name", "")
    # Records and the name of their budget are of the same bytes.
    source = whole_file(source, limits)
    is_record = declared.begins_with_record(told.dialect)
    digest = canonical_digest(source, limits=limits, is_record=is_record)
    records: StudyData
    if not request.study.trains:
        columns = told.for_predictions | told.for_decisions
        read = read_predictions(source, name=name, dialect=told.dialect, limits=limits, **columns)
        records = replace(read, problems=(), digest=digest)
    else:
        if schema is None:
            raise SchemaError("a table needs its schema", remedy="declare one in TOML")
        upload = read_dataset(source, name=name, schema=schema, dialect=told.dialect, limits=limits)
        records = Dataset(upload.frame, schema, digest, (), upload.taken_from_data)
    require_public(request, records)
    return records


def require_public(request: Request, records: StudyData) -> Schema | None:
    """Refuse records whose public facts were taken from them; return the declared schema.

    Raises
    ------
    PrivateInference
        If schema, dialect or classes were read off the rows.
    SchemaError
        If a request that trains gets predictions, or the other way round, or a column is missing.
    """
    if isinstance(records, Dataset) is not request.study.trains:
        remedy = "ask for a table's release from a table, and for a score's from predictions"
        raise SchemaError("the request and the data are of different kinds", remedy=remedy)
    taken = set(records.taken_from_data)
    if isinstance(records, Dataset):
        taken |= records.schema.taken_from_data
    if taken:
        remedy = "write what is public there, and take them off taken_from_data"
        raise PrivateInference(", ".join(sorted(taken)), remedy)
    if not isinstance(records, Dataset):
        return None
    for column in records.schema.columns:
        if not isinstance(column, Ignore) and column.name not in records.frame.columns:
            remedy = "let schema, delimiter and encoding agree with the header of the file"
            raise SchemaError("the file has no such column", column=column.name, remedy=remedy)
    return records.schema


def read_blindly(
    source: File, request: Request, *, schema: Schema | None = None, limits: Limits = DEFAULT_LIMITS
) -> StudyData:
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
        hold line breaks, or JSON to be one text, and no such writer wrote the file.

    Raises
    ------
    IntakeError, SchemaError, PrivateInference
        If the container, the header or the declaration is at fault. The header (of a Parquet file,
        the footer) is judged alone, before any row is read.
    DamagedFile
        If a packed file or a Parquet file is not as it was written, whatever its rows say.
    TooCostly
        If reading takes more memory or time than the limits allow.

    Privacy
        A row is a line, and is read by itself: files that differ by a line give tables that differ
        by a row. Where cells are declared to hold line breaks, a table is what a CSV writer wrote,
        and one text of JSON what a JSON writer wrote; on such files reading is the identity, row
        for row, so neighbouring tables stay neighbours.
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
    source = whole_file(source, limits)
    with limited_process.one_reading(limits):
        dialect = request.study.data.dialect
        header = tables.read_header(source, dialect, limits=limits)
        bare = read_records(header, request, schema=schema, limits=limits)
        try:
            return read_records(source, request, schema=schema, limits=limits)
        except (TooCostly, DamagedFile):
            raise
        except IntakeError:
            is_record = declared.begins_with_record(dialect)
            digest = canonical_digest(source, limits=limits, is_record=is_record)
            return replace(bare, digest=digest)
