"""Methods are discovered by file and checked by declaration."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest

from dpcore import Guarantee, Neighbors
from dpcore.errors import InvalidArgument, UnknownMethod, UnsupportedNeighbors
from dpcore.registry import Method, Parameter, Registry

SOURCE = """
from dpcore import Guarantee
from dpcore.registry import Method
METHOD = Method(name={name!r}, title="T", summary="S", run=print, reference="R",
                guarantee=Guarantee.proven("by hand"))
"""


WORDS = """
[m]
title = "M"
summary = "S"
reference = "R"
parameters = ["k-of-m", "alpha", "rule"]
[parameters]
k-of-m = { name = "k", default = 8, minimum = 1, maximum = 16 }
alpha = { default = 0.25, minimum = 0, maximum = 1 }
rule = { default = "a", choices = ["a", "b"] }
"""


def method(**changes: object) -> Method:
    fields = {
        "name": "m",
        "title": "M",
        "summary": "S",
        "run": print,
        "guarantee": Guarantee.proven("by hand"),
        "reference": "R",
        "parameters": (
            Parameter(name="k", default=8, minimum=1, maximum=16),
            Parameter(name="alpha", default=0.25, minimum=0, maximum=1),
            Parameter(name="rule", default="a", choices=("a", "b")),
        ),
    }
    return Method(**{**fields, **changes})  # type: ignore[arg-type]


def test_words_of_a_method_stand_beside_its_module(tmp_path: Path) -> None:
    (tmp_path / "words.toml").write_text(WORDS, encoding="utf-8")
    facts = {name: getattr(method(), name) for name in ("run", "guarantee")}
    told = Method.told("m", str(tmp_path / "m.py"), **facts)
    assert told == method()
    assert [one.kind for one in told.parameters] == [int, float, str]
    with pytest.raises(KeyError):
        Method.told("n", str(tmp_path / "n.py"), **facts)


def test_a_method_has_one_verdict_told_beside_it_or_passed(tmp_path: Path) -> None:
    """None, two, or one of each, and there is no method."""
    words = {"none": "", "good": 'proven = "T"', "bad": 'broken = "C"'}
    words["both"] = f"{words['good']}\n{words['bad']}"
    table = 'title = "M"\nsummary = "S"\nreference = "R"\n'
    text = "\n".join(f"[{name}]\n{table}{verdict}" for name, verdict in words.items())
    (tmp_path / "words.toml").write_text(text, encoding="utf-8")
    told = partial(Method.told, module=str(tmp_path / "m.py"), run=print)
    assert told("good").guarantee == Guarantee.proven("T")
    assert told("bad").guarantee == Guarantee.broken("C")
    assert told("none", guarantee=Guarantee.proven("P")).guarantee.reason == "P"
    for name, more in (("none", {}), ("both", {}), ("bad", {"guarantee": Guarantee.proven("P")})):
        with pytest.raises(TypeError):
            told(name, **more)


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    package = tmp_path / "found_methods"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "second.py").write_text(SOURCE.format(name="second"))
    (package / "first.py").write_text(SOURCE.format(name="first"))
    (package / "plain.py").write_text("VALUE = 1\n")
    (package / "_private.py").write_text("raise ImportError('nobody asked for it')\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield Registry("found_methods", "test method")
    for name in [name for name in sys.modules if name.startswith("found_methods")]:
        del sys.modules[name]


def test_scan_finds_declared_files_only(registry: Registry) -> None:
    assert registry.names() == ("first", "second")
    assert registry.get("first").title == "T"


def test_unknown_name_gets_a_hint(registry: Registry) -> None:
    with pytest.raises(UnknownMethod, match="no test method named 'frist'; did you mean 'first'"):
        registry.get("frist")


def test_the_returned_mapping_is_a_copy(registry: Registry) -> None:
    registry().clear()
    assert registry.names() == ("first", "second")


def test_defaults_are_filled_and_kinds_kept() -> None:
    checked = method().check({"alpha": 1})
    assert checked == {"k": 8, "alpha": 1.0, "rule": "a"}
    assert isinstance(checked["alpha"], float)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k": 0}, "k must be between 1 and 16"),
        ({"k": 2.5}, "k must be a whole number"),
        ({"alpha": float("nan")}, "alpha must be between"),
        ({"rule": "c"}, "rule must be one of 'a', 'b'"),
        ({"x": 1}, "x must be left out, because 'm' takes k, alpha, rule"),
    ],
)
def test_bad_parameters_are_named(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        method().check(parameters)


def test_a_whole_number_stands_for_its_digits() -> None:
    bins = Parameter(name="bins", default="auto", choices=("auto", "8"))
    assert bins.check(8) == bins.check("8") == "8"
    for bad in (9, 8.0, True):
        with pytest.raises(InvalidArgument, match="bins must be one of 'auto', '8'"):
            bins.check(bad)


def test_neighbors_without_a_calibration_are_refused() -> None:
    only = method(neighbors=(Neighbors.ADD_REMOVE,))
    only.require(Neighbors.ADD_REMOVE)
    with pytest.raises(UnsupportedNeighbors):
        only.require(Neighbors.REPLACE)
