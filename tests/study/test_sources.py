"""Sources: the key is known before the records are read, and changes with them."""

import gzip
from dataclasses import replace

import pandas as pd
import pytest

from dpcore.data.reading import Predictions
from dpcore.errors import IntakeError, MissingResource, SchemaError
from dpcore.study import Dataset, DataSource, run_workflow
from dpcore.study.sources import open_records, open_source


@pytest.fixture
def files(tmp_path, dataset):
    (tmp_path / "t.csv").write_text(dataset.frame.to_csv(index=False))
    (tmp_path / "t.toml").write_text(dataset.schema.to_toml())
    (tmp_path / "p.csv").write_text("label,score\nyes,0.9\nno,0.2\nyes,0.4\n")
    return tmp_path


TABLE = DataSource(file="t.csv", schema="t.toml")


def test_a_table_is_read_with_its_schema(files, dataset):
    opened = open_source(TABLE, files)
    records = opened.load()
    assert isinstance(records, Dataset)
    assert records.schema == dataset.schema
    assert records.frame["age"].tolist() == dataset.frame["age"].tolist()
    assert opened.key == records.key


@pytest.mark.parametrize("name", ["t.csv", "t.toml"])
def test_the_key_follows_table_and_schema(files, name):
    before = open_source(TABLE, files).key
    changed = (files / name).read_text().replace("other", "another")
    (files / name).write_text(changed)
    assert open_source(TABLE, files).key != before


def test_nothing_is_parsed_before_it_is_needed(files):
    (files / "t.csv").write_bytes(gzip.compress(b"a,b\n1,2\n")[:-4])
    opened = open_source(TABLE, files)
    with pytest.raises(IntakeError):
        opened.load()


def test_predictions_know_their_positive_label(files):
    usual = open_source(DataSource(predictions="p.csv"), files)
    turned = open_source(DataSource(predictions="p.csv", positive="no"), files)
    assert usual.key != turned.key
    records = turned.load()
    assert isinstance(records, Predictions)
    assert records.y_true.tolist() == [0, 1, 0]
    assert open_records(records).key != open_records(usual.load()).key


def test_predictions_know_their_link(files):
    sources = [
        DataSource(predictions="p.csv", scale=scale) for scale in ("probability", "log-odds")
    ]
    opened = [open_source(source, files) for source in sources]
    assert len({one.key for one in opened}) == 2
    assert len({open_records(one.load()).key for one in opened}) == 2
    assert len({one.digest for one in opened}) == 1


def test_a_sample_is_named_by_itself():
    opened = open_source(DataSource(sample="breast-cancer"))
    assert opened.digest == "sample:breast-cancer"
    assert opened.key == open_records(opened.load()).key
    assert len(opened.load().frame) == 569


@pytest.mark.parametrize("name", ["t.csv", "t.toml", "p.csv"])
def test_a_missing_file_is_named(files, name):
    (files / name).unlink()
    source = TABLE if name[0] == "t" else DataSource(predictions=name)
    with pytest.raises(MissingResource, match=f"{name}: no such file"):
        open_source(source, files)


def test_a_wrong_schema_is_refused_at_once(files):
    (files / "t.toml").write_text("columns = 3")
    with pytest.raises(SchemaError):
        open_source(TABLE, files)


def test_records_in_memory_keep_their_digest(dataset):
    opened = open_records(dataset)
    assert opened.load() is dataset
    assert opened.key == dataset.key
    assert dataset.digest in opened.key
    assert dataset.schema.digest() in opened.key


def test_the_working_directory_is_the_base_by_default(files, monkeypatch):
    monkeypatch.chdir(files)
    assert open_source(TABLE).key == open_source(TABLE, files).key


def test_a_usual_table_is_read_as_declared(files):
    """So one odd row changes nothing, in a simulation as in a release."""
    before = open_source(TABLE, files).load()
    with (files / "t.csv").open("ab") as table:
        table.write(b"x,not a number,\xff,y\n")
    after = open_source(TABLE, files).load()
    assert before.taken_from_data == after.taken_from_data == frozenset()
    pd.testing.assert_frame_equal(after.frame.iloc[:-1], before.frame)


def test_an_unusual_table_is_guessed_unless_its_dialect_is_stated(files, dataset):
    text = dataset.frame.to_csv(index=False, sep=";", decimal=",")
    (files / "t.csv").write_text(text)
    guessed = open_source(TABLE, files)
    stated = open_source(replace(TABLE, delimiter=";", decimal=","), files)
    assert guessed.load().taken_from_data == {"dialect", "types"}
    assert stated.load().taken_from_data == frozenset()
    assert stated.load().frame["age"].tolist() == dataset.frame["age"].tolist()
    assert stated.key != guessed.key


def test_a_stated_dialect_is_never_replaced_by_a_guess(files):
    (files / "t.csv").write_text('"age;ill\n1;2\n')
    assert open_source(TABLE, files).load().taken_from_data
    with pytest.raises(IntakeError, match="quotation mark"):
        open_source(replace(TABLE, encoding="utf-8"), files).load()
    predictions = DataSource(predictions="p.csv", positive="yes")
    (files / "p.csv").write_text("label;score\nyes;0,9\nno;0,2\n")
    assert open_source(predictions, files).load().taken_from_data
    with pytest.raises(IntakeError, match="named like a label"):
        open_source(replace(predictions, delimiter=","), files).load()
    stated = replace(predictions, delimiter=";", decimal=",", negative="no")
    assert open_source(stated, files).load().y_score.tolist() == [0.9, 0.2]


@pytest.mark.parametrize("names, found", [(None, True), ("a,b,c,d,e", False)])
def test_titles_that_an_older_study_does_not_declare_are_found(files, dataset, names, found):
    """A guess is taken if it has the declared columns; else the table is as it was stated."""
    header, rows = dataset.frame.to_csv(index=False).split("\n", 1)
    (files / "t.csv").write_text(f"Survey of patients\n{names or header}\n{rows}")
    records = open_source(replace(TABLE, delimiter=","), files).load()
    assert (records.frame.columns.tolist() == dataset.frame.columns.tolist()) is found
    assert bool(records.taken_from_data) is found


def test_declared_predictions_of_one_class_can_be_released(files, study):
    (files / "p.csv").write_text("label,score\nyes,0.9\nyes,0.4\n")
    data = DataSource(predictions="p.csv", positive="yes")
    result = run_workflow(replace(study, data=data, noise="system"), base=files)
    assert result.roc.auc is not None


def test_a_private_study_of_a_file_survives_any_row(files, study):
    with (files / "t.csv").open("ab") as table:
        table.write(b"x,not a number,\xff,y,HIV positive\n")
    config = replace(study, data=TABLE, noise="system")
    assert run_workflow(config, base=files).roc.auc is not None
