"""``python -m dpcore audit``: the table, and the exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from dpcore import Loss, Neighbors
from dpcore.audit import Row
from dpcore.audit.sweep import guarantee_table
from dpcore.cli import audit as command
from dpcore.cli import main


def rows(lower: float) -> Iterator[Row]:
    yield Row(
        kind="mechanism",
        name="Example",
        neighbors=Neighbors.REPLACE,
        proven=True,
        declared=Loss(1),
        exact=0.75,
        lower=lower,
    )


@pytest.mark.slow
def test_exact(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--exact"]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines()[0].split() == [
        *("kind", "method", "neighbours", "declared", "exact", "at", "least", "verdict")
    ]
    assert any(line.split()[1] == "Geometric" for line in printed.out.splitlines())
    assert "preset threshold-testing, add-remove: broken, caught" in printed.err


@pytest.mark.parametrize("lower, code", [(0.9, 0), (1.1, 1)])
def test_a_violation_is_the_exit_code(
    lower: float,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "all_rows", lambda trials, progress: rows(lower))
    assert main(["audit", "--all"]) == code
    printed = capsys.readouterr()
    assert "0.7500" in printed.out
    assert ("proven losses were refuted: Example (replace)" in printed.err) is bool(code)
    assert ("VIOLATED" in printed.out) is bool(code)


def test_one_preset(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--preset", "known-seed"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("A seed is not a secret")
    assert "is refuted" in printed
    assert main(["audit", "--presets"]) == 0
    assert "laplace" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, words",
    [(["--preset", "nothing"], "there is no preset"), (["--all", "--trials", "9"], "100 or more")],
)
def test_what_is_not_understood(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("given, told", [([], "the first\n"), (["--quiet"], "")])
def test_exact_losses_are_told_as_they_are_found(
    given: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def found(progress: Callable[[str], None] | None) -> Iterator[Row]:
        if progress is not None:
            progress("the first")
        yield from rows(0.9)

    monkeypatch.setattr(command, "exact_rows", found)
    assert main(["audit", "--exact", *given]) == 0
    printed = capsys.readouterr()
    assert "Example" in printed.out
    assert printed.err == told


def test_the_table_of_the_documentation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--markdown"]) == 0
    assert capsys.readouterr().out == guarantee_table() + "\n"
