"""The table of guarantees in the documentation is the one that the registries give."""

from __future__ import annotations

from pathlib import Path

from dpcore.audit.guarantees import END, START, guarantee_table
from dpcore.audit.mechanism_cases import mechanism_classes
from dpcore.audit.method_targets import kinds

DOCUMENT = Path(__file__).parents[2] / "docs" / "privacy-model.md"


def test_the_committed_table_is_fresh() -> None:
    text = DOCUMENT.read_text(encoding="utf8")
    committed = text[text.index(START) : text.index(END) + len(END)]
    assert committed == guarantee_table(), (
        "docs/privacy-model.md is stale: put the output of `python -m dpcore audit --markdown` "
        "between its two marks"
    )


def test_everything_is_in_it() -> None:
    table = guarantee_table()
    for name in mechanism_classes():
        assert f"| `{name}` |" in table
    for kind in kinds().values():
        for method in kind.methods().values():
            assert f"| `{method.name}` | {method.guarantee.word} |" in table


def test_broken_methods_name_their_preset() -> None:
    broken = [line for line in guarantee_table().splitlines() if "| BROKEN |" in line]
    assert broken
    for kind in kinds().values():
        for method in kind.methods().values():
            if not method.guarantee.holds:
                line = next(line for line in broken if line.startswith(f"| `{method.name}` |"))
                assert "preset `" in line
