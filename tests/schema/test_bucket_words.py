"""Which word a bucket mostly stands for."""

from __future__ import annotations

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dpcore.schema import Label, Numeric, Schema, Text
from dpcore.schema.encoding import bucket_words, readable_names, word_sets

COLUMN = Text("t", buckets=4096)


@given(st.sampled_from(["free", "Phone", "win7", "äpfel", "no"]))
def test_the_bucket_is_the_one_that_the_word_is_hashed_to(word: str) -> None:
    (bucket,) = word_sets(pd.Series([word]), COLUMN).indices.tolist()
    assert bucket_words(pd.Series([word]), COLUMN) == {bucket: word.lower().replace("7", "#")}


def test_the_most_frequent_word_of_a_shared_bucket_is_named() -> None:
    narrow = Text("t", buckets=2)
    words = ["tea", "milk", "rice", "salt", "corn"]
    places = word_sets(pd.Series(words), narrow).indices.tolist()
    shared = [word for word, place in zip(words, places, strict=True) if place == places[0]]
    assert len(shared) > 1
    texts = pd.Series([shared[-1]] * 3 + [shared[0]])
    assert bucket_words(texts, narrow)[places[0]] == shared[-1]


def test_numbers_of_one_bucket_are_told_by_their_length_and_not_as_one_of_them() -> None:
    dates = pd.Series(["07/09/2023", "16/07/2024"])
    assert sorted(bucket_words(dates, COLUMN).values()) == ["2-digit number", "4-digit number"]


def test_no_word_is_no_name() -> None:
    assert bucket_words(pd.Series(["", None, "!"]), COLUMN) == {}


def test_only_buckets_are_renamed() -> None:
    schema = Schema(
        [
            Numeric("age", bounds=(0, 99)),
            Text("t", buckets=2),
            Text("v", vocabulary=("tea",)),
            Label("y", classes=("a", "b")),
        ]
    )
    frame = pd.DataFrame({"age": [1.0], "t": ["tea"], "v": ["tea"]})
    found = readable_names(("age", "t:0", "t:1", "v:tea"), frame, schema)
    assert found[0] == "age"
    assert found[3] == "v:tea"
    assert sum(name == "t: tea" for name in found[1:3]) == 1
    assert sum(name in ("t:0", "t:1") for name in found[1:3]) == 1
