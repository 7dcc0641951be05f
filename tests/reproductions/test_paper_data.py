"""Real files, stand-ins, and what is said about them."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from dpcore.errors import MissingResource, UnknownMethod
from reproductions import PaperData, data_folder
from reproductions.tables import TABLES
from tests._real_data import real_data


def test_the_folder_is_named_or_taken_from_the_environment(tmp_path: Path) -> None:
    assert data_folder(tmp_path, {}) == tmp_path
    assert data_folder(None, {"DPCORE_DATA": str(tmp_path)}) == tmp_path
    assert data_folder(None, {"DPCORE_DATA": " "}) is None
    with pytest.raises(MissingResource, match="nowhere is not there"):
        data_folder(tmp_path / "nowhere", {})


@pytest.mark.few(5)
@pytest.mark.parametrize("name", TABLES)
def test_a_stand_in_is_said_to_be_one(name: str) -> None:
    materials = PaperData(None)
    words = materials.describe(name)
    if materials.available(name):
        assert "in place of" in words
        design = materials.design(name, 200)
        assert design.matrix.shape[0] == 200
        assert design.y is not None
    else:
        assert "left out" in words
        with pytest.raises(MissingResource):
            materials.design(name)


def test_a_real_file_goes_first(tmp_path: Path) -> None:
    lines = "ham\tsee you at noon\nspam\twin a prize now\n" * 5
    (tmp_path / "SMSSpamCollection.gz").write_bytes(gzip.compress(lines.encode()))
    materials = PaperData(tmp_path)
    assert materials.describe("sms") == "SMS: the real file SMSSpamCollection.gz."
    assert materials.design("sms").y.tolist() == [0, 1] * 5
    assert materials.digest(("sms",)) != PaperData(None).digest(("sms",))
    before = materials.digest(("sms",))
    (tmp_path / "SMSSpamCollection.gz").write_bytes(gzip.compress(lines[:-1].encode()))
    assert materials.digest(("sms",)) != before


def test_the_users_census_extract_brings_its_schema(tmp_path: Path) -> None:
    (tmp_path / "census-1940-nevada.csv").write_text("age,rich\n20,no\n60,yes\n")
    (tmp_path / "census-1940-nevada.toml").write_text(
        '[[column]]\nname = "age"\ntype = "numeric"\nbounds = [0, 100]\n'
        '[[column]]\nname = "rich"\ntype = "label"\nclasses = ["no", "yes"]\npositive = "yes"\n'
    )
    materials = PaperData(tmp_path)
    assert materials.real("census-nevada")
    assert materials.design("census-nevada").y.tolist() == [0, 1]
    assert materials.describe("census-nevada") == "Nevada: the real file census-1940-nevada.csv."
    assert not materials.real("census-oregon")


def test_a_state_without_the_users_extract_is_said_to_be_synthetic(tmp_path: Path) -> None:
    assert PaperData(tmp_path).describe("census-nevada") == (
        "Nevada: the shipped sample 'census-1940, Nevada' (synthetic) in place of "
        "census-1940-nevada.csv."
    )


def test_counts(tmp_path: Path) -> None:
    text = "item,count\n7,30\n9,10\n"
    for name in ("kosarak_head_item_counts.csv.gz", "retail_item_counts.csv.gz"):
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
    kosarak, retail = (PaperData(tmp_path).counts(name) for name in ("kosarak", "retail"))
    assert retail.tolist() == [30, 10]
    assert kosarak.size == 41_270
    assert kosarak[:3].tolist() == [810, 270, 0]
    with pytest.raises(MissingResource):
        PaperData(None).counts("retail")


def test_a_sample_is_the_same_each_time() -> None:
    first, again = (PaperData(None).design("bank", 100).matrix for _ in range(2))
    np.testing.assert_array_equal(first, again)


def test_an_unknown_name() -> None:
    with pytest.raises(UnknownMethod, match="tweets"):
        PaperData(None).design("tweet")


@pytest.mark.parametrize("name", ["heart", "bank", "diabetes", "adult", "glass", "seeds"])
def test_real_tables_fit_their_schemas(name: str) -> None:
    folder = real_data(TABLES[name].file).parent
    design = PaperData(folder).design(name)
    assert design.y is not None
    assert np.bincount(design.y).min() > 0
    shares = {"diabetes": 0.46, "bank": 0.117, "heart": 0.152}
    if name in shares:
        # The fractions of the paper's Table 1.
        assert design.y.mean() == pytest.approx(shares[name], abs=0.002)
