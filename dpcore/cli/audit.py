"""``python -m dpcore audit``: every method attacked, as a table.

Attack the methods on synthetic neighbours and print one row per method and
neighbour relation: the declared epsilon, the exact loss on the pairs tried
where it can be computed, and the epsilon that the draws prove ("at least", with
confidence 1 - 1e-6). The exit code is 1 if a PROVEN method is refuted. A bound
below the declared loss proves nothing. BROKEN methods are attacked by presets
that hold their counterexamples.

  python -m dpcore audit --exact
  python -m dpcore audit --all --trials 20000
  python -m dpcore audit --preset threshold-testing
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable

from dpcore.audit import Row, all_rows, audit, exact_rows, presets
from dpcore.audit.sweep import guarantee_table
from dpcore.cli.program import UsageError, add_options
from dpcore.errors import PrivacyError

_TRIALS = 1000


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    # Argparse keeps alternatives on one line, however long.
    parser.usage = (
        "%(prog)s [-h] [--trials N] [--quiet]\n"
        "         (--all | --exact | --preset NAME | --presets | --markdown)"
    )
    add_options(parser.add_mutually_exclusive_group(required=True), "audit", "what")
    add_options(parser, "audit", "how", trials=_TRIALS)


def run(options: Namespace) -> None:
    """Carry the command out."""
    if options.trials is not None and options.trials < 100:
        raise UsageError("--trials must be 100 or more")
    if options.presets:
        for preset in presets().values():
            print(f"{preset.name:<20}{preset.title}")
    elif options.markdown:
        print(guarantee_table())
    elif options.preset is not None:
        _one(options.preset, options.trials)
    elif options.exact:
        _table(exact_rows(None if options.quiet else _progress))
    else:
        _table(all_rows(options.trials or _TRIALS, None if options.quiet else _progress))


def _one(name: str, trials: int | None) -> None:
    if name not in presets():
        raise UsageError(f"there is no preset {name!r}; the presets are {', '.join(presets())}")
    preset = presets()[name]
    result = audit(preset.target(), preset.pair, trials=trials or preset.trials)
    print(preset.title, preset.story, result.verdict, sep="\n\n")
    if (exact := preset.exact()) is not None:
        print(f"\nThe exact loss on this pair is {exact:.4g}.")


def _table(rows: Iterable[Row]) -> None:
    """Print rows, then fail if a proven loss was refuted."""
    print(_line(("kind", "method", "neighbours", "declared", "exact", "at least", "verdict")))
    violated = []
    for row in rows:
        print(_line(_cells(row)), flush=True)
        violated += [f"{row.name} ({row.neighbors.value})"] if row.violated else []
    if violated:
        raise PrivacyError(f"proven losses were refuted: {', '.join(violated)}")


def _cells(row: Row) -> tuple[str, ...]:
    exact = "-" if row.exact is None else f"{row.exact:.4f}"
    lower = "-" if row.lower is None else f"{row.lower:.3f}"
    return (row.kind, row.name, row.neighbors.value, str(row.declared), exact, lower, row.verdict)


def _line(cells: tuple[str, ...]) -> str:
    pairs = zip(cells, (18, 30, 11, 24, 9, 8, 0), strict=True)
    return "  ".join(f"{cell:<{width}}" for cell, width in pairs).rstrip()


def _progress(label: str) -> None:
    print(label, file=sys.stderr, flush=True)
