"""Which generator makes which file, and how a table becomes bytes that never vary."""

import gzip
import io
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pandas as pd

from sample_data.generate import bank_calls, census, heart_risk, messages, predictions

__all__ = ["FOLDER", "GENERATORS", "content", "csv_bytes", "gzip_bytes"]

FOLDER = Path(__file__).resolve().parent.parent

GENERATORS: Mapping[str, ModuleType] = {
    module.FILE: module for module in (messages, bank_calls, heart_risk, predictions, census)
}


def content(file: str) -> bytes:
    """Return the bytes of the shipped file of that name, generated anew."""
    table = csv_bytes(GENERATORS[file].generate())
    return gzip_bytes(table) if file.endswith(".gz") else table


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """Return `frame` as UTF-8 CSV with a header, LF line ends and empty missing cells."""
    return frame.to_csv(index=False, lineterminator="\n").encode("utf-8")


def gzip_bytes(table: bytes) -> bytes:
    """Return `table` compressed, with neither file name nor time stamp in the header."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as file:
        file.write(table)
    return buffer.getvalue()
