"""``python -m dpcore release``: one private release, charged to the durable ledger.

Publish a ROC curve, score distributions, a calibration table, features or a
model from private data. The charge is committed to the ledger before noise is
drawn, and the result before it is shown; the same request on the same data
replays the stored result for nothing.

A request is a JSON file of what is published and of the study behind it:

  {"what": "roc",
   "study": {"data": {"predictions": "scores.csv", "positive": "1"},
             "epsilon": {"evaluation": "0.5"}}}

The names of files in it are not read; --data and --schema say where they are.
Open a budget first with `ledger open`. These files come out:

  release.json   the release with its charges and ledger rows
  WHAT.csv       the result as a table
  bundle.zip     both, with a script and a notebook that show them again
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from dpcore import desk
from dpcore.cli.ledger import charge_line
from dpcore.cli.program import UsageError, add_options, in_usage, read_file, write_files
from dpcore.desk import Released, ReleasePlan, Request
from dpcore.schema import Schema
from dpcore.store import LedgerStore


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_options(parser, "release")


def run(options: Namespace) -> None:
    """Carry the command out."""
    request = _request(options.request)
    if request.study.trains is (options.schema is None):
        raise UsageError("--schema goes with a table, and only with a table")
    schema = Schema.read(options.schema) if options.schema else None
    store = LedgerStore(options.store, make=False)
    content = desk.whole_file(options.data)
    records = desk.read_records(content, request, schema=schema, name=options.data.name)
    desk.recognise(content, records.digest, store)
    planned = desk.plan(request, records, store)
    if options.plan:
        print("\n".join(_plan_lines(planned)))
        return
    released = desk.release(request, records, store, again=options.again)
    _write(released, options.out)
    print(released.headline)
    print(released.notice)
    print(f"{planned.arrow} is available; the files are in {options.out}")


def _request(path: Path) -> Request:
    text = read_file(path, "request")
    with in_usage(f"{path}: "):
        return Request.from_json(text)


def _plan_lines(planned: ReleasePlan) -> list[str]:
    lines = [charge_line(charge) for charge in planned.charges]
    lines += [planned.composition, f"available  {planned.arrow}", planned.state_words]
    return [*lines, *([f"refused: {planned.refusal}"] if planned.refusal else [])]


def _write(released: Released, folder: Path) -> None:
    files: dict[str, str | bytes] = {
        "release.json": released.to_json(),
        f"{released.kind.name}.csv": desk.table_csv(released),
        "bundle.zip": desk.bundle(released),
    }
    problem = "the release is stored, but cannot be written"
    remedy = "run the same command with another --out; it costs nothing more"
    write_files(folder, files, problem=problem, remedy=remedy)
