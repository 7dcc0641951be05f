"""``python -m dpcore example``: a study to start from.

Print a complete study for one of the samples that ship with the project. It
simulates with a seed; change "noise" to "system" for a private release.

  python -m dpcore example > study.json
"""

import sys
from argparse import ArgumentParser, Namespace

from dpcore.cli.program import add_options
from dpcore.data.reading import samples
from dpcore.study import DataSource, NoiseChoice, Workflow, to_json


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_options(parser, "example", samples=tuple(sorted(samples())))


def run(options: Namespace) -> None:
    """Carry the command out."""
    title, data = f"Naive Bayes on {options.sample}", DataSource(sample=options.sample)
    sys.stdout.write(to_json(Workflow(title=title, data=data, noise=NoiseChoice(1))))
