"""Uploads as tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

import pandas as pd

from dpcore.errors import DpcoreError, IntakeError
from dpcore.intake.delimited import read_delimited
from dpcore.intake.dialect import Dialect
from dpcore.intake.formats import PARQUET_MAGIC, refuse_foreign
from dpcore.intake.limits import DEFAULT_LIMITS, Limits
from dpcore.intake.parquet import read_parquet
from dpcore.intake.problems import Problem
from dpcore.intake.source import open_source
from dpcore.intake.survey import survey

_P = ParamSpec("_P")
_R = TypeVar("_R")


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
    """

    frame: pd.DataFrame
    problems: tuple[Problem, ...]
    dialect: Dialect
    digest: str


def only_intake_errors(read: Callable[_P, _R]) -> Callable[_P, _R]:
    """Turn whatever a file makes a reader stumble over into one sentence."""

    @wraps(read)
    def guarded(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return read(*args, **kwargs)
        except DpcoreError:
            raise
        # Any error of any parser: a strange file must never end in a traceback.
        except Exception as error:
            raise IntakeError(
                f"the file cannot be read as a table ({type(error).__name__})",
                remedy="open it in a spreadsheet, check it and save it as CSV in UTF-8",
            ) from error

    return guarded


@only_intake_errors
def read_dataset(
    source: bytes | Path, *, name: str = "", limits: Limits = DEFAULT_LIMITS
) -> Upload:
    r"""Read a data set: CSV or its relatives, or Parquet, either of them perhaps gzip-compressed.

    Delimiter (comma, semicolon, tab, bar), encoding, decimal comma, quotation marks and whether
    there is a header are found out. Cells are never evaluated: formulas and markup are text.

    Parameters
    ----------
    source : bytes or Path
        The file, or where it is.
    name : str, optional
        How sentences call the file; the name of the path if left out.
    limits : Limits, optional
        Most bytes, rows, columns and cells.

    Returns
    -------
    Upload

    Raises
    ------
    IntakeError
        If the file cannot be read as a table; the only error that its contents can cause. Data rows
        are counted from 1 without the header.

    Examples
    --------
    >>> upload = read_dataset(b"age;weight;smokes\n30;71,5;no\n41;80,25;yes\n")
    >>> upload.frame["weight"].tolist(), str(upload.dialect)
    ([71.5, 80.25], 'separated by semicolons, utf-8, decimal comma')
    """
    upload = read_table(source, name, limits)
    return replace(upload, problems=(*upload.problems, *survey(upload.frame)))


def read_table(source: bytes | Path, name: str, limits: Limits) -> Upload:
    """Read a table without looking for oddities in its columns."""
    opened = open_source(source, name, limits)
    is_parquet = opened.content.startswith(PARQUET_MAGIC)
    if not is_parquet:
        refuse_foreign(opened.content, opened.title)
    read = read_parquet if is_parquet else read_delimited
    table, dialect, problems = read(opened, limits)
    return Upload(table.to_pandas(), tuple(problems), dialect, opened.digest)
