"""Files that mean harm, or that somebody has mistaken for a table."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import pickle
import sqlite3
import struct
import zipfile
import zlib

import pandas as pd

GOOD = b"label,score\n" + b"1,0.9\n0,0.2\n" * 20
HEADER = b"label,score\n"


def _parquet(frame: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.to_parquet(file)
    return file.getvalue()


def bomb(steps: int) -> bytes:
    """Two megabytes of "0," so many times, compressed once and repeated as it is."""
    part, crc = b"0," * 2**20, 0
    packer = zlib.compressobj(level=1, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH)
    for _ in range(steps):
        crc = zlib.crc32(part, crc)
    end = packer.flush() + struct.pack("<II", crc, steps * len(part))
    return b"\x1f\x8b\x08" + b"\0" * 7 + packed * steps + end


def _zip(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, GOOD)
    return file.getvalue()


def _sqlite() -> bytes:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (label, score)")
        return connection.serialize()


_GOOD_PARQUET = _parquet(pd.DataFrame({"label": [1, 0], "score": [0.9, 0.2]}))
CONTENTS: dict[str, bytes] = {
    "formula in a cell": GOOD + b'=HYPERLINK("http://evil.test"),0.5\n',
    "command in a cell": GOOD + b"=cmd|' /C calc'!A0,0.5\n",
    "plus and at formulas": GOOD + b"+1+1,0.5\n@SUM(A1),0.5\n-2,0.5\n",
    "formula as header": b"=1+1,@score\n1,0.5\n",
    "script as header": b"<script>alert(1)</script>,<img src=x onerror=alert(1)>\n1,0.5\n",
    "picture as header": b"![x](http://evil.test/p.png),[y](javascript:alert(1))\n1,0.5\n",
    "latex as header": b"$\\input{/etc/passwd}$,:red[score]\n1,0.5\n",
    "markup in a cell": GOOD + b"<iframe src=http://evil.test>,![x](http://evil.test)\n",
    "entity as header": b"&lt;b&gt;,&#x202e;\n1,0.5\n",
    "sql as header": b"label'; DROP TABLE entries;--,score\n1,0.5\n",
    "path as header": b"../../etc/passwd,score\n1,0.5\n",
    "gzip bomb": bomb(300),
    "gzip in gzip": gzip.compress(gzip.compress(GOOD)),
    "cut gzip": gzip.compress(GOOD)[:-9],
    "gzip with a wrong checksum": gzip.compress(GOOD)[:-8] + b"\0" * 8,
    "gzip with a tail": gzip.compress(GOOD) + b"tail" * 9,
    "gzip of nothing": gzip.compress(b""),
    "bzip2": bz2.compress(GOOD),
    "ten thousand columns": b",".join(b"c%d" % i for i in range(10_000)) + b"\n" + b"0," * 9_999,
    "a hundred thousand columns": b"," * 100_000 + b"\n" + b"," * 100_000,
    "NUL bytes in a row": GOOD + b"1,0.\0005\n\0\0\0\n",
    "NUL bytes in the header": b"la\0bel,sco\0re\n1,0.5\n",
    "only NUL bytes": b"\0" * 5000,
    "duplicate headers": b"label,score,label,score\n1,0.5,0,0.4\n",
    "duplicate labels": b"label,label\n1,0.5\n",
    "nameless columns": b",\n1,0.5\n",
    "mixed encodings": "label,score\nä,0.5\n".encode() + "é,0.5\n".encode("latin-1"),
    "utf-16": "label,score\n1,0.5\n".encode("utf-16"),
    "utf-32": "label,score\n1,0.5\n".encode("utf-32"),
    "utf-7": b"label+ACw-score\n1+ACw-0.5\n",
    "ebcdic": "label,score\n1,0.5\n".encode("cp500"),
    "invalid utf-8": HEADER + b"\xff\xfe\xfd,\xc3\x28\n",
    "text called parquet": b"PAR1 is only text",
    "only the magic of parquet": b"PAR1PAR1",
    "cut parquet": _GOOD_PARQUET[: len(_GOOD_PARQUET) // 2],
    "parquet with a wrong footer": _GOOD_PARQUET[:-12] + b"\xff\xff\xff\x7f\0\0\0\0PAR1",
    "parquet of lists": _parquet(pd.DataFrame({"label": [[1], [0]], "score": [{"a": 1}, None]})),
    "parquet of dates": _parquet(pd.DataFrame({"label": pd.to_datetime(["2020-01-01"])})),
    "zip": _zip("scores.csv", "others.csv"),
    "spreadsheet": _zip("xl/workbook.xml"),
    "pdf": b"%PDF-1.7\n1 0 obj\n",
    "png": b"\x89PNG\r\n\x1a\n" + b"\0" * 99,
    "program": b"\x7fELF" + b"\0" * 99,
    "pickle": pickle.dumps({"label": [1], "score": [0.5]}),
    "database": _sqlite(),
    "web page": b"<!DOCTYPE html><table><tr><td>1</td></tr></table>",
    "json": json.dumps({"label": [1, 0], "score": [0.9, 0.1]}).encode(),
    "deep json": b"[" * 50_000,
    "empty": b"",
    "blank": b" \n\t\n\r\n",
    "only a mark": b"\xef\xbb\xbf",
    "only a header": HEADER,
    "only an announcement": b"sep=,\n",
    "another separator": b"label;score\n1;0.5\n",
    "an open quotation mark": HEADER + b'1,"0.5\n' + b"0,0.5\n" * 9,
    "a stray quotation mark": HEADER + b'1,0."5\n',
    "an open mark in the header": b'"label,score\n1,0.5\n',
    "a cell of two megabytes": HEADER + b"1," + b"x" * 2**21 + b"\n",
    "rows of any length": HEADER + b"1\n1,2,3,4,5,6\n,\n" + b"," * 5000 + b"\n",
    "no line end for a megabyte": b"label,score " * 90_000,
    "lone carriage returns": b"label,score\r1,0.5\r0,0.4\r",
    "terminal escapes": GOOD + b"\x1b[2J\x1b]0;evil\x07,0.5\n",
    "right-to-left marks": HEADER + "\u202e1\u202c,0.5\n".encode(),
    "numbers out of range": HEADER + b"1,1e999\n0,-1e999\n1,NaN\n0,inf\n1,0x1p3\n",
    "scores that are no rates": HEADER + b"1,17\n0,-3\n",
    "no positive label at all": HEADER + b"0,0.5\n" * 5,
}
NAMES = (
    "scores.csv",
    "<img src=x onerror=alert(1)>.csv",
    "![x](http://evil.test).csv",
    "../../../etc/passwd",
    "a" * 300 + ".csv",
    "=cmd|' /C calc'!A0.csv",
    "nul\0name.csv",
)
SCHEMAS: dict[str, bytes] = {
    "empty": b"",
    "not toml": b"\xff\xfe<xml>",
    "no bounds": b'[[column]]\nname = "score"\ntype = "numeric"\n',
    "turned bounds": b'[[column]]\nname = "score"\ntype = "numeric"\nbounds = [1, 0]\n',
    "endless bounds": b'[[column]]\nname = "score"\ntype = "numeric"\nbounds = [nan, inf]\n',
    "unknown type": b'[[column]]\nname = "score"\ntype = "![x](http://evil.test)"\n',
    "taken from the data": b'taken_from_data = ["score.bounds"]\n[[column]]\nname = "score"\n'
    b'type = "numeric"\nbounds = [0, 1]\n[[column]]\nname = "label"\ntype = "label"\n'
    b'classes = ["0", "1"]\n',
    "another table": b'[[column]]\nname = "<b>age</b>"\ntype = "numeric"\nbounds = [0, 1]\n'
    b'[[column]]\nname = "label"\ntype = "label"\nclasses = ["0", "1"]\n',
    "no label": b'[[column]]\nname = "score"\ntype = "numeric"\nbounds = [0, 1]\n',
}
