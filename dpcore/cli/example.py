"""``python -m dpcore example``: a study to start from."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from dpcore.cli.program import Command, help_of
from dpcore.data.reading import samples
from dpcore.study import DataSource, NoiseChoice, Workflow, to_json

_SAMPLE = "bank-calls"


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--sample",
        choices=sorted(samples()),
        default=_SAMPLE,
        metavar="NAME",
        help=f"sample data that the study reads: {', '.join(sorted(samples()))} "
        f"(default: {_SAMPLE})",
    )


def _run(options: Namespace) -> None:
    study = Workflow(
        title=f"Naive Bayes on {options.sample}",
        data=DataSource(sample=options.sample),
        noise=NoiseChoice(1),
    )
    sys.stdout.write(to_json(study))


COMMAND = Command(
    description=help_of("example"),
    configure=_configure,
    run=_run,
)
