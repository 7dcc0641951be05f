"""Several files of predictions as one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dpcore.data.reading import Dialect, Limits
from dpcore.data.reading.prediction_files import read_prediction_files
from dpcore.errors import IntakeError


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    contents = [
        "label,score\nyes,0.9\nno,0.2\n",
        "label,score\nno,0.1\n",
        "score,label\n0.5,yes\n0.4,no\n",
    ]
    paths = [tmp_path / f"{number}.csv" for number in range(3)]
    for path, content in zip(paths, contents, strict=True):
        path.write_text(content)
    return paths


def test_rows_follow_each_other(paths: list[Path]) -> None:
    shares: list[float] = []
    read = read_prediction_files(paths, progress=shares.append)
    np.testing.assert_array_equal(read.y_true, [1, 0, 0, 1, 0])
    np.testing.assert_array_equal(read.y_score, [0.9, 0.2, 0.1, 0.5, 0.4])
    assert read.classes == ("no", "yes")
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_the_digest_is_of_all_files_in_order(paths: list[Path]) -> None:
    digests = {read_prediction_files(order).digest for order in (paths, paths[::-1], paths[:2])}
    assert len(digests) == 3


def test_rows_left_out_are_counted_over_all_files(paths: list[Path]) -> None:
    for path in paths[1:]:
        path.write_text(path.read_text() + ",0.5\n")
    with pytest.raises(IntakeError, match="1 of 2 rows lack"):
        read_prediction_files(paths)
    read = read_prediction_files(paths, leave_out=True)
    assert (read.y_true.tolist(), read.left_out) == ([1, 0, 0, 1, 0], 2)


def test_refusals_are_sentences(paths: list[Path]) -> None:
    with pytest.raises(IntakeError, match="no tables"):
        read_prediction_files([])
    with pytest.raises(IntakeError, match="more than 3 rows together"):
        read_prediction_files(paths, limits=Limits(rows=3))


def test_what_progress_raises_ends_the_reading(paths: list[Path]) -> None:
    def cancel(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        read_prediction_files(paths, progress=cancel)


def test_what_is_declared_is_read_of_every_file(tmp_path: Path) -> None:
    """Two models, the groups, and the other class than the one that would be guessed."""
    paths = []
    for name, rows in (("a.csv", "no;0,1;0,3;east\nyes;0,8;0,9;west"), ("b.csv", "no;0,2;;west")):
        paths.append(tmp_path / name)
        paths[-1].write_text(f"label;p;q;site\n{rows}\n")
    read = read_prediction_files(
        paths,
        positive="no",
        negative="yes",
        label="label",
        score="p",
        score_b="q",
        group="site",
        levels=("west", "east"),
        dialect=Dialect(delimiter=";", decimal=","),
    )
    assert read.y_true.tolist() == [1, 0, 1]
    assert read.y_score.tolist() == [0.1, 0.8, 0.2]
    assert np.array_equal(read.y_score_b, [0.3, 0.9, np.nan], equal_nan=True)
    assert read.grouping is not None
    assert read.grouping.places.tolist() == [1, 0, 0]


def test_files_are_named_by_texts_too_and_one_by_itself(paths: list[Path]) -> None:
    several = read_prediction_files([str(path) for path in paths])
    assert several.digest == read_prediction_files(paths).digest
    assert read_prediction_files(str(paths[0])).digest == read_prediction_files(paths[:1]).digest


def test_a_file_that_is_not_there_is_said_to_be_absent(paths: list[Path]) -> None:
    paths[1].unlink()
    with pytest.raises(IntakeError, match=r"^the file 1.csv cannot be read \(no such file"):
        read_prediction_files(paths)


def test_an_option_that_no_reading_has_is_told_by_what_was_called(paths: list[Path]) -> None:
    with pytest.raises(TypeError, match=r"^read_prediction_files\(\) got .* 'lable'; did you mean"):
        read_prediction_files(paths, lable="label")
