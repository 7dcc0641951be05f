"""Any upload becomes a table or one sentence, never a traceback."""

from __future__ import annotations

import gzip
import io
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore.intake
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.intake import Limits, read_dataset
from dpcore.intake import tables as module
from tests._real_data import real_data

CSV = b"age,sex\n30,f\n41,m\n"
WORD = st.text("ab1,;|\t\"'\n\r .-=<é", max_size=8)


def test_csv_parquet_and_gzip_give_the_same_frame() -> None:
    frame = pd.DataFrame({"age": [30, 41], "sex": ["f", "m"]})
    stream = io.BytesIO()
    frame.to_parquet(stream)
    for content in (CSV, stream.getvalue()):
        for source in (content, gzip.compress(content)):
            upload = read_dataset(source)
            pd.testing.assert_frame_equal(upload.frame, frame)
            assert upload.dialect.compressed is (source != content)
            assert upload.problems == ()


@given(st.binary(max_size=300) | st.binary(max_size=60).map(gzip.compress))
def test_any_bytes_become_a_table_or_one_sentence(content: bytes) -> None:
    check(content)


@given(st.lists(st.lists(WORD, max_size=4).map(",".join), max_size=6).map("\n".join))
def test_any_text_becomes_a_table_or_one_sentence(text: str) -> None:
    check(text.encode())


@given(
    st.sampled_from([b"PAR1", b"\x1f\x8b", b"\xff\xfe", b"\xef\xbb\xbf"]), st.binary(max_size=80)
)
def test_any_false_start_becomes_a_table_or_one_sentence(start: bytes, rest: bytes) -> None:
    check(start + rest)


def check_sentence(sentence: str) -> None:
    assert "; " in sentence
    assert "\n" not in sentence


def check(content: bytes) -> None:
    try:
        upload = read_dataset(content)
    except IntakeError as error:
        check_sentence(str(error))
    else:
        frame = upload.frame
        assert len(frame) > 0
        assert frame.columns.is_unique
        assert {str(kind) for kind in frame.dtypes} <= {"int64", "float64", "str"}
        for problem in upload.problems:
            assert problem.sentence.endswith(".")
            assert "\n" not in problem.sentence


@given(
    st.data(),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_what_pandas_writes_is_read_back(data: st.DataObject, mark: str, encoding: str) -> None:
    texts = st.text('abcé ,;|\t"\n', max_size=9).map(lambda text: f"x{text}y")
    rows = data.draw(st.integers(2, 6))
    frame = pd.DataFrame(
        {
            "number": data.draw(st.lists(st.floats(-1e6, 1e6), min_size=rows, max_size=rows)),
            "count": data.draw(st.lists(st.integers(-99, 99), min_size=rows, max_size=rows)),
            "word": data.draw(st.lists(texts, min_size=rows, max_size=rows)),
        }
    )
    decimal = "," if mark == ";" else "."
    text = frame.to_csv(index=False, sep=mark, decimal=decimal)
    upload = read_dataset(text.encode(encoding))
    pd.testing.assert_frame_equal(upload.frame, frame.astype({"word": "str"}), check_dtype=False)


def test_an_unforeseen_error_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(module, "read_delimited", broken)
    with pytest.raises(IntakeError, match=r"cannot be read as a table \(ZeroDivisionError\); open"):
        read_dataset(CSV)


def test_mistakes_of_the_caller_are_not_hidden() -> None:
    with pytest.raises(InvalidArgument, match="^source must be"):
        read_dataset("age,sex\n")  # type: ignore[arg-type]


def test_the_name_appears_in_sentences() -> None:
    with pytest.raises(IntakeError, match="^the file heart.csv is a PNG picture"):
        read_dataset(b"\x89PNG\r\n\x1a\n", name="heart.csv")


def test_ten_thousand_columns_are_the_limit() -> None:
    row = ",".join(map(str, range(10_001)))
    names = ",".join(f"c{number}" for number in range(10_001))
    with pytest.raises(IntakeError, match="has 10,001 columns, more than the limit of 10,000"):
        read_dataset(f"{names}\n{row}\n".encode())
    wide = read_dataset(f"{names}\n{row}\n".encode(), limits=Limits(columns=10_001))
    assert wide.frame.shape == (1, 10_001)


def test_a_million_rows_are_read_in_a_few_seconds() -> None:
    rng = np.random.default_rng(0)
    lines = [
        f"{x:.4f},{k},word{k % 7}" for x, k in zip(rng.random(10**6), range(10**6), strict=True)
    ]
    content = ("x,k,w\n" + "\n".join(lines)).encode()
    start = time.perf_counter()
    assert len(read_dataset(content).frame) == 10**6
    assert time.perf_counter() - start < 5.0


@pytest.mark.parametrize(
    "name, shape",
    [
        ("adult.csv.gz", (48_842, 16)),
        ("bank-full.csv.gz", (45_211, 17)),
        ("mushroom.csv.gz", (8124, 23)),
        ("framingham.csv.gz", (4240, 16)),
        ("SMSSpamCollection.gz", (5574, 2)),
        ("sentiment140_sample20k.csv.gz", (20_000, 2)),
        ("seeds.csv.gz", (210, 8)),
        ("skin.csv.gz", (245_057, 4)),
    ],
)
def test_real_files_lose_no_row(name: str, shape: tuple[int, int]) -> None:
    assert read_dataset(real_data(name)).frame.shape == shape


def test_missing_cells_of_a_real_file_are_counted() -> None:
    upload = read_dataset(real_data("framingham.csv.gz"))
    missing = [problem for problem in upload.problems if "missing cell" in problem.sentence]
    assert int(upload.frame.isna().to_numpy().sum()) == 645
    assert {problem.column for problem in missing} == {
        name for name in upload.frame.columns if upload.frame[name].isna().any()
    }


def test_exported_names() -> None:
    for name in dpcore.intake.__all__:
        assert hasattr(dpcore.intake, name)


def test_a_path_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(CSV.replace(b",", b"\t"))
    assert read_dataset(path).frame["age"].tolist() == [30, 41]
