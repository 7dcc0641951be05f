"""Neighbouring files in Private mode: all other records are read alike, and nothing else is said.

Files, how they are declared and the odd record are drawn, with fixed seeds: in short every odd cell
and every encoding once, in full (`make test-slow`) many more.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from dpcore.data.reading import limited_process
from dpcore.data.reading.declared import ENCODINGS, names_first_line
from dpcore.desk import Request, read_blindly
from dpcore.errors import DpcoreError, InvalidArgument
from dpcore.study import DataSource, Workflow

ATOMS = (
    "-Infinity", "NaN", "1e999", "-1e999", "0x10", "1_000", "½", "1.234,5", "(5)", "$1,200", "<5",
    "90+", "5%", "p=0.83", "tensor(", "array([0.2, 0.8])", "c(0.2,0.8)", "[0.2 0.8]", "[[", "}",
    '{"1":0.9}', '[{"label":"1","score":0.9}]', "[-Infinity,[],[]]", "(-inf,[1],[0.5])", "[1e400]",
    "(2,[0,1],[0.2,0.8])", "{0.2,0.8}", '"', '""', "'", "\\", "\\ud800", "\0", "\x1a", "\x85", "İ",
    "\u2028", "\ufeff", "\u00a0", "\U0001f600", "true", "None", "NA", "#", "sep=;", "=1+1", "-0.0",
    "2020-13-45", "9999999-01-01", "007", "9" * 5000, "1" + ",000" * 99, " ", "\t", "", "Yes", "1j",
    "at least 7", ";", "|", "a,b", "│", "&#0;", "_x0041_", "NaT", "SparseVector(2, {1: 0.8})",
    "\uff11\uff12", "\u22125", "1..2", "PK\x03\x04", "PAR1", "\x1f\x8b", "<html>",
)  # fmt: skip
PLAIN = ("[0.75, 0.25]", "[0, 1]", "[0.5, 0.5]")
in_full = pytest.mark.parametrize(
    "turns", [1, pytest.param(20, marks=pytest.mark.slow)], ids=["short", "full"]
)


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited_process, "_within", True)


def odd_cell(atom: str, chance: random.Random) -> str:
    other = chance.choice(ATOMS)
    return chance.choice([atom, atom, atom + other, other[:2] + atom])


def delimited(rows: list[list[str]], mark: str, encoding: str) -> bytes:
    """As programs write them, but for an odd cell, which nobody encloses."""
    lines = [mark.join(row).replace("\n", " ").replace("\r", " ") for row in rows]
    return "".join(f"{line}\n" for line in lines).encode(encoding, "replace")


def in_json(rows: list[list[str]], by_index: bool) -> bytes:
    held = [{"y": y, "p": json.loads(p) if p in PLAIN else p, "w": w} for y, p, w in rows]
    # A record may be called like a column, or like what programs put around tables.
    names = [*map(str, range(len(held) - 1)), rows[-1][2]]
    if by_index:
        return json.dumps(dict(zip(names, held, strict=True))).encode()
    return "\n".join(map(json.dumps, held)).encode()


def asked(**data: Any) -> Request:
    return Request(
        what="roc", study=Workflow(data=DataSource(predictions="data", positive="1", **data))
    )


def pairs(content: bytes, request: Request) -> list[tuple[int, float]]:
    read = read_blindly(content, request)
    return list(zip(read.y_true.tolist(), read.y_score.tolist(), strict=True))


@in_full
def test_an_odd_record_changes_no_other(turns: int) -> None:
    for turn in range(turns):
        for number, atom in enumerate(ATOMS):
            chance = random.Random(f"{turn} {number}")
            odd = [chance.choice("01"), "[0.5, 0.5]", "z"]
            odd[chance.choice([0, 1, 1, 2])] = odd_cell(atom, chance)
            plain = [[chance.choice("01"), chance.choice(PLAIN), "w"]] * 4
            told: dict[str, Any] = {"label": "y", "score": "p.1"}
            form = chance.choice(["delimited", "json", "one text"])
            if form == "delimited":
                mark, encoding = chance.choice(";\t|"), chance.choice(ENCODINGS[-6:-2])
                told |= {"delimiter": mark, "encoding": encoding}
                files = [
                    delimited([["y", "p", "w"], *rows], mark, encoding)
                    for rows in (plain, [*plain[:2], odd, *plain[2:]], [*plain, odd])
                ]
            else:
                odd[2] = chance.choice([odd[2], "p", "y", "dataframe_split", "columns", "data"])
                told |= {"format": "json", "line_breaks": form == "one text"}
                told |= {"score_b": "p.0"} if form == "one text" else {}
                files = [in_json(rows, form == "one text") for rows in (plain, [*plain, odd])]
            before, *after = (pairs(content, asked(**told)) for content in files)
            assert len(before) == 4
            for found in after:
                rest = [found[:place] + found[place + 1 :] for place in range(len(found))]
                assert before in (found, *rest), (atom, odd, told)


@in_full
def test_whatever_is_declared_nothing_that_is_said_hangs_on_a_record(turns: int) -> None:
    """Even if it is declared to be what it is not: who asks may not have seen the file."""
    for turn in range(turns):
        for number, atom in enumerate((*ATOMS, *ENCODINGS)):
            chance = random.Random(f"{turn} {number}")
            written, mark = chance.choice(["utf-8", "utf-16-le", "cp1252"]), chance.choice(",;\t")
            rows = [["y", "p", "w"], *([["1", "0.5", "x"]] * 4)]
            files = [
                delimited([*rows, ["0", odd, "z"]], mark, written)
                for odd in (odd_cell(atom, chance), "0.25")
            ]
            # Of the same size, which is public.
            most = max(map(len, files)) + -max(map(len, files)) % 4
            files = [content + b" " * (most - len(content)) for content in files]
            told: dict[str, Any] = {"encoding": atom if atom in ENCODINGS else "utf-8"}
            guess = files[0].decode(told["encoding"].split(" ")[0], "replace").strip()
            told |= {"label": chance.choice([guess, "y"]) if atom in ENCODINGS else "y"}
            told |= {"score": chance.choice(["p", "p.1", "q"]), "delimiter": chance.choice(",;\t ")}
            told |= chance.choice([{}, {}, {"header": False}, {"quoted": False}, {"comment": "#"}])
            told |= chance.choice([{}, {}, {"format": "excel"}, {"line_breaks": True}])
            try:
                request = asked(**told)
            except InvalidArgument:
                continue
            if names_first_line(request.study.data.dialect):
                assert said(files[0], request) == said(files[1], request), (atom, told)


def said(content: bytes, request: Request) -> str:
    try:
        read_blindly(content, request)
    except DpcoreError as error:
        return str(error)
    return ""
