"""Uploads as tables."""

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd
import pyarrow as pa

from dpcore.data.reading.clean_text import read_clean
from dpcore.data.reading.declared import begins_with_record, check_declared, narrowed, read_declared
from dpcore.data.reading.declared_lines import header_bytes
from dpcore.data.reading.delimited import read_delimited
from dpcore.data.reading.dialect import DELIMITERS, NOTHING, Dialect, Stated
from dpcore.data.reading.layout import COMMENTS
from dpcore.data.reading.limited_process import in_limited_process
from dpcore.data.reading.old_encodings import old_encoding
from dpcore.data.reading.parquet import read_parquet, without_rows
from dpcore.data.reading.problems import DEFAULT_LIMITS, Limits, Problem, byte_size, left_out
from dpcore.data.reading.source import (
    Source,
    form_of,
    is_parquet,
    is_workbook,
    open_source,
    refuse_foreign,
)
from dpcore.data.reading.survey import survey
from dpcore.data.reading.text_columns import typed_by_schema
from dpcore.data.reading.workbooks import header_of_sheet, written_out
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.schema import Schema
from dpcore.schema.cell_arrays import called_as

_LONGEST_HEADER = 2**24


@dataclass(frozen=True)
class Upload:
    """A table that was read.

    Parameters
    ----------
    frame : DataFrame
        Columns of int64, float64 or text, with missing cells as NaN.
    problems : tuple of Problem
        What is odd about it; nothing that stopped it from being read.
    dialect : Dialect
        How it was written down.
    digest : str
        SHA-256 of the file as it arrived, in hexadecimal; budgets are kept under it.
    taken_from_data : frozenset of str, default=frozenset()
        "dialect" and "types" if they were guessed from the rows of the file: good for teaching, but
        one row may then change how all others are read, and a private release refuses it.
    signed : frozenset of str, default=frozenset()
        Columns of numbers that carry a percent sign in the file.
    sheets : tuple of str, default=()
        What the sheets of a workbook are called; the dialect says which one was read.
    """

    frame: pd.DataFrame
    problems: tuple[Problem, ...]
    dialect: Dialect
    digest: str
    taken_from_data: frozenset[str] = frozenset()
    signed: frozenset[str] = frozenset()
    sheets: tuple[str, ...] = ()


@in_limited_process(Upload, Problem, Dialect, Stated)
def read_dataset(
    source: bytes | Path,
    *,
    name: str = "",
    limits: Limits = DEFAULT_LIMITS,
    schema: Schema | None = None,
    dialect: Dialect | None = None,
    stated: Stated = NOTHING,
) -> Upload:
    r"""Read a data set: CSV or its relatives, Parquet, an Excel sheet, or JSON.

    Delimiter (comma, semicolon, tab, bar, white space), encoding, decimal comma, quotation marks,
    comments and whether there is a header are found out as far as they are not stated, and so is
    which columns are numbers; `Upload.taken_from_data` says so. A file may be packed: by gzip, or
    alone in a zip archive.
    With a schema and a dialect nothing is found out, and every cell is read by itself.
    Cells are never evaluated: formulas and markup are text.

    Parameters
    ----------
    source : bytes or Path
        The file, or where it is.
    name : str, optional
        How sentences call the file; the name of the path if left out.
    limits : Limits, optional
        Most bytes, rows, columns and cells.
    schema : Schema, optional
        Types of the columns; given together with `dialect`.
    dialect : Dialect, optional
        How the file is written, in the words of its owner. Parquet files say themselves.
    stated : Stated, optional
        What is not to be found out, where all the rest is.

    Returns
    -------
    Upload
        If schema and dialect are declared, without problems of the rows.

    Raises
    ------
    IntakeError
        If the file cannot be read as a table; the only error that its contents can cause. Data rows
        are counted from 1 without the header.
    InvalidArgument
        If only one of schema and dialect is given, or the dialect is not among those known.

    Privacy
        With schema and dialect, adding or removing one row leaves what is read of all others as it
        is (see `dpcore.data.reading.declared.read_declared`). Without, it may not; never release
        from that.

    Examples
    --------
    >>> from dpcore.schema import Categorical, Numeric
    >>> upload = read_dataset(b"age;weight;smokes\n30;71,5;no\n41;80,25;yes\n")
    >>> upload.frame["weight"].tolist(), str(upload.dialect)
    ([71.5, 80.25], 'separated by semicolons, utf-8, decimal comma')
    >>> schema = Schema((Numeric("age", (18, 95)), Categorical("code", ("1.50", "x"))))
    >>> table = b"age,code\n30,1.50\nold,x\n"
    >>> read_dataset(table, schema=schema, dialect=Dialect()).frame.to_dict("list")
    {'age': [30.0, nan], 'code': ['1.50', 'x']}
    """
    if schema is not None and dialect is not None:
        names = [column.name for column in schema.columns]
        upload = read_texts(source, name, limits, dialect, names)
        frame = called_as(upload.frame, names)
        if upload.dialect.format != "parquet":
            frame = typed_by_schema(frame, schema, dialect.decimal)
        return replace(upload, frame=frame)
    if schema is not None or dialect is not None:
        absent = "dialect" if dialect is None else "schema"
        raise InvalidArgument(absent, None, "given, because rows are read by both or by neither")
    upload = read_table(source, name, limits, stated)
    return replace(upload, problems=(*upload.problems, *survey(upload.frame)))


@in_limited_process(Dialect)
def read_header(source: bytes | Path, dialect: Dialect, *, limits: Limits) -> bytes:
    r"""What may be judged of a file before any row is read: a file of its header, if it has one.

    Raises
    ------
    IntakeError
        If the container is damaged, or the header is longer than any list of names.

    Examples
    --------
    >>> read_header(b"age,ill\n30,yes\n", Dialect(), limits=DEFAULT_LIMITS)
    b'age,ill\n'
    """
    is_record = begins_with_record(dialect)
    opened = open_source(source, "", limits, is_record=is_record)
    if is_parquet(opened.content, is_record=is_record):
        header = without_rows(opened.content)
    elif dialect.format == "excel":
        header = header_of_sheet(opened, limits, dialect)
    elif dialect.format == "json":
        # JSON has none: the names of its columns are declared.
        header = b"[]\n" if dialect.line_breaks else b"\n"
    else:
        narrow, told = narrowed(opened, dialect)
        header = header_bytes(narrow.content, told)
        if dialect.header:
            refuse_foreign(header, opened.title)
        header = header if told == dialect else header.decode().encode(dialect.encoding, "replace")
        header = header or b"\n"
    if len(header) > _LONGEST_HEADER:
        what = f"the first line of the file has more than {byte_size(_LONGEST_HEADER)}"
        raise IntakeError(what, remedy="let it begin with the names of the columns")
    return header


def column_names(source: bytes | Path, dialect: Dialect, *, limits: Limits) -> tuple[str, ...]:
    r"""The names in the header of a declared file, as the reader of its rows calls them.

    Nothing below the header is looked at. JSON has none, and a file may have none.

    Raises
    ------
    IntakeError
        If the file has no such header.

    Examples
    --------
    >>> column_names(b"age;ill\n30;yes\n", Dialect(delimiter=";"), limits=DEFAULT_LIMITS)
    ('age', 'ill')
    """
    if dialect.format == "json" or not dialect.header:
        return ()
    header = read_header(source, dialect, limits=limits)
    return tuple(map(str, read_texts(header, "", limits, dialect).frame.columns))


@in_limited_process()
def likely_layout(
    source: bytes, declared: Mapping[str, object], *, limits: Limits
) -> dict[str, object]:
    r"""How a file may be written, in words of `Dialect`: its container and its header say so alone.

    Parameters
    ----------
    declared
        What is known: whatever is not as usual in it stays so, and without a header nothing is
        asked.

    Examples
    --------
    >>> likely_layout(b"age;ill\n30,5;yes\n", {}, limits=DEFAULT_LIMITS)
    {'delimiter': ';'}
    >>> likely_layout(b"# p,ill\n.5,yes\n", {}, limits=DEFAULT_LIMITS)
    {'comment': '#', 'commented_header': True}
    """
    opened, usual = open_source(source, "", limits), Dialect()
    known = {name for name, one in declared.items() if one != getattr(usual, name)}
    told: dict[str, object] = {}
    if is_workbook(opened.content):
        told = {"format": "excel"}
    elif not known & {"format", "header"} and not is_parquet(opened.content):
        wide = opened.content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        encoding = "utf-16" if wide else "utf-8"
        narrow, dialect = narrowed(opened, Dialect(encoding=encoding))
        named = header_bytes(narrow.content, dialect)
        header = named.decode("utf-8-sig", "replace")
        if not wide and named.decode("utf-8", "ignore").encode() != named:
            encoding = old_encoding(named)
            header = named.decode(encoding, "replace")
        mark = max((",", *DELIMITERS), key=header.count)
        told = {"delimiter": mark, "encoding": encoding}
        comment = next((one.decode() for one in COMMENTS if header.startswith(one.decode())), "")
        name, separated, _ = header.removeprefix(comment).partition(mark)
        # A remark has one cell, and the mark alone is a name.
        if comment and separated and name.strip():
            told |= {"comment": comment, "commented_header": True}
    new = told.keys() - known
    return {name: told[name] for name in told if name in new and told[name] != getattr(usual, name)}


def read_table(source: bytes | Path, name: str, limits: Limits, stated: Stated = NOTHING) -> Upload:
    """Read a table without looking for oddities in its columns."""
    opened = open_source(source, name, limits)
    form = form_of(opened.content)
    if form == "parquet":
        return _parquet(opened, limits)
    guessed = frozenset({"dialect", "types"})
    other = None if form == "delimited" else written_out(opened, limits, stated)
    if other is not None:
        opened, stated = other.source, other.known(stated)
    refuse_foreign(opened.content, opened.title)
    if stated == NOTHING and (clean := read_clean(opened.content, limits)) is not None:
        how = Dialect(compressed=opened.compressed)
        return Upload(as_frame(clean), (), how, opened.digest, guessed)
    sheets = () if other is None else other.sheets
    try:
        read = read_delimited(opened, limits, stated)
    except IntakeError as error:
        if other is not None:
            error.tell(sheets=sheets, dialect=other.dialect(Dialect()))
        raise
    dialect = read.dialect if other is None else other.dialect(read.dialect)
    frame, digest = as_frame(read.table), opened.digest
    others = left_out(len(sheets[1:]), "sheet", f"beside {dialect.sheet!r}")
    return Upload(frame, (*others, *read.problems), dialect, digest, guessed, read.signed, sheets)


def read_texts(
    source: bytes | Path,
    name: str,
    limits: Limits,
    dialect: Dialect,
    names: Sequence[str] = (),
    *,
    more: bool = False,
) -> Upload:
    """Read a table by a declared dialect, all cells as texts; a Parquet file by its own types.

    For `names` and `more` see `read_declared`.
    """
    check_declared(dialect)
    is_record = begins_with_record(dialect)
    opened = open_source(source, name, limits, is_record=is_record)
    if is_parquet(opened.content, is_record=is_record):
        return _parquet(opened, limits, declared=True)
    if dialect.format in ("delimited", "parquet"):
        opened, told = narrowed(opened, replace(dialect, format="delimited"))
        # What a file without a header begins with is a record, and what is below one are others.
        if dialect.header:
            refuse_foreign(header_bytes(opened.content, told), opened.title)
    else:
        told = dialect
    frame, problems = read_declared(opened, limits, told, names, more=more)
    stated = replace(told, encoding=dialect.encoding, compressed=opened.compressed)
    return Upload(frame, tuple(problems), stated, opened.digest)


def _parquet(opened: Source, limits: Limits, *, declared: bool = False) -> Upload:
    table, dialect, problems = read_parquet(opened, limits, declared=declared)
    return Upload(as_frame(table), tuple(problems), dialect, opened.digest)


def as_frame(table: pa.Table) -> pd.DataFrame:
    """A table as a data frame, column by column: nothing is held three times."""
    frame: pd.DataFrame = table.to_pandas(split_blocks=True, self_destruct=True, use_threads=False)
    return frame
