"""The grammar is complete, and the messages read like messages and copy nobody's."""

from __future__ import annotations

import gzip
import re

import pytest

from sample_data.generate.messages import Symbol, generate, read_grammar
from tests._real_data import real_data
from tests.sample_data.shipped import table

ROOTS = {"ham", "spam", "either"}


def used_in(phrases):
    return set(re.findall(r"\{(\w+)\}", " ".join(phrases)))


def test_every_symbol_is_defined_and_used():
    grammar = read_grammar()
    used = set().union(*(used_in(symbol.alternatives) for symbol in grammar.values()))
    assert used | ROOTS == set(grammar)


def test_lists_are_free_of_repeats():
    for name, symbol in read_grammar().items():
        assert len(set(symbol.alternatives)) == len(symbol.alternatives), name


def test_symbol_probabilities_fall_with_rank():
    symbol = Symbol.ranked(["a", "b", "c"], offset=2)
    assert symbol.cumulative.tolist() == pytest.approx([20 / 47, 35 / 47])
    assert [symbol.at(u) for u in (0.01, 0.5, 0.99)] == ["a", "b", "c"]


def test_messages_are_plain_finished_text():
    texts = table("messages")["text"]
    assert texts.str.isascii().all()
    assert not texts.str.contains(r"[{}\n]").any()
    assert not texts.str.contains(r"[?!]\.|  ").any()
    assert texts.str.split().str.len().between(1, 60).all()


def test_words_are_many_and_their_frequencies_have_a_heavy_tail():
    counts = table("messages")["text"].str.lower().str.findall(r"\w\w+").explode().value_counts()
    assert len(counts) > 4_000
    assert 0.3 < (counts == 1).mean() < 0.6
    assert counts.iloc[:50].sum() > 0.35 * counts.sum()


@pytest.mark.slow
def test_the_classes_share_their_words():
    frame = table("messages")
    words = frame["text"].str.lower().str.findall(r"\w\w+").groupby(frame["label"]).sum()
    ham, spam = set(words["ham"]), set(words["spam"])
    assert len(ham & spam) > 0.3 * len(spam)


def test_telephone_numbers_and_links_are_fictional():
    texts = table("messages")["text"]
    numbers = texts.str.findall(r"\d{7,}").explode().dropna()
    assert numbers.str.fullmatch(r"07700900\d{3}").all()
    links = texts.str.findall(r"\w+\.[a-z]{2,}").explode().dropna()
    assert links.str.endswith(".example").all()


def test_no_message_is_copied_from_a_real_collection():
    with gzip.open(real_data("SMSSpamCollection.gz"), "rt", encoding="utf-8") as file:
        real = {line.split("\t", 1)[1].strip().lower() for line in file}
    ours = generate(rows=2_000, seed=1)["text"].str.lower()
    long = ours[ours.str.split().str.len() >= 6]
    assert len(long) > 1_000
    assert not set(long) & real
    assert not set(table("messages")["text"].str.lower()) & real
