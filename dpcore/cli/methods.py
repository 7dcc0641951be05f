"""``python -m dpcore methods``: every method, with its verdict.

List every method that a study can name: feature selection, training of either
model, and ROC curves. Each carries a verdict: PROVEN with the theorem, or
BROKEN with the counterexample. BROKEN methods are published methods whose
privacy claim fails; they run with simulated noise only, to be seen failing.
"""

import sys
import textwrap
from argparse import ArgumentParser, Namespace

from dpcore.cli.program import add_options
from dpcore.registry import Method, Parameter
from dpcore.selection.problem import Selector
from dpcore.study.sections import all_methods, selection_parameters


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_options(parser, "methods")


def run(options: Namespace) -> None:
    """Carry the command out."""
    sections = [
        "\n\n".join([heading.upper(), *(_entry(method) for method in listed)])
        for heading, methods in all_methods().items()
        if (listed := [m for m in methods.values() if m.guarantee.holds or not options.proven])
    ]
    sys.stdout.write("\n\n\n".join(sections) + "\n")


def _entry(method: Method) -> str:
    verdict = method.guarantee
    parameters = method.parameters
    if isinstance(method, Selector):
        parameters = selection_parameters(method)
    lines = [
        method.summary,
        f"{verdict.word}: {verdict.reason}",
        f"Neighbours: {', '.join(relation.value for relation in method.neighbors)}.",
        *(_parameter(parameter) for parameter in parameters),
        *([f"Reference: {method.reference}"] if method.reference else []),
    ]
    head = f"  {method.name}  [{verdict.word}]  {method.title}"
    return "\n".join([head, *(_wrapped(line) for line in lines)])


def _parameter(parameter: Parameter) -> str:
    if parameter.choices:
        domain = " | ".join(parameter.choices)
    else:
        low = "-inf" if parameter.minimum is None else f"{parameter.minimum:g}"
        high = "inf" if parameter.maximum is None else f"{parameter.maximum:g}"
        domain = f"{parameter.kind.__name__}, {low} to {high}"
    text = f" {parameter.help or parameter.label}" if parameter.help or parameter.label else ""
    return f"Parameter {parameter.name} ({domain}; default {parameter.default}).{text}"


def _wrapped(text: str) -> str:
    return textwrap.fill(
        text, 80, initial_indent=" " * 6, subsequent_indent=" " * 8, break_long_words=False
    )
