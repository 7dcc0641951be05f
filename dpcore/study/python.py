"""Python text of a study and of what is released beside it: lines that give its numbers again."""

import importlib
import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from string import Template
from textwrap import wrap
from typing import Any

from dpcore.errors import DpcoreError
from dpcore.privacy import shown
from dpcore.registry import Method
from dpcore.study.config import Epsilons, Workflow, plain
from dpcore.study.run import run_workflow
from dpcore.study.sections import Model, NoiseChoice, Selection, Split

_WIDTH = 78
# What is written though it is the default, because a reader looks for it.
_ALWAYS = ("epsilon", "evaluation", "kind", "method", "noise")


class Expression(str):
    """Python that stands as it is, and not for a text."""

    __slots__ = ()


@dataclass(frozen=True)
class _Call:
    name: str
    values: tuple[Any, ...]
    named: Mapping[str, Any]


class Script:
    """Python that is written line by line; what a line needs is imported at the top.

    Only names that a package of dpcore lists in `__all__` are written, or those of the modules of a
    package that lists none: what a reader takes away stays right as long as those do.

    Examples
    --------
    >>> from dpcore.evaluation import private_auc
    >>> script = Script()
    >>> script.let("auc", private_auc, Expression("y"), Expression("scores"), epsilon=0.5)
    >>> print(script)
    from dpcore.evaluation import private_auc
    <BLANKLINE>
    auc = private_auc(y, scores, epsilon=0.5)
    <BLANKLINE>
    """

    def __init__(self) -> None:
        self._imports: dict[str, set[str]] = {}
        self._lines: list[str] = []
        self._told: dict[str, Any] = {}

    def let(self, name: str, function: Callable[..., Any], *values: Any, **named: Any) -> None:
        """Write ``name = function(...)``; an argument that is its default is left out."""
        self.value(name, self.call(function, *values, **named))

    def call(self, function: Callable[..., Any], *values: Any, **named: Any) -> Any:
        """What `let` writes behind the name, to be a value of something else."""
        parameters = inspect.signature(function).parameters
        usual = {key: one.default for key, one in parameters.items() if key not in _ALWAYS}
        told = {key: one for key, one in named.items() if key not in usual or usual[key] != one}
        return _Call(self.name_of(function), values, told)

    def value(self, name: str, value: Any) -> None:
        """Write ``name = value``."""
        self._lines += self._written(value, f"{name} = ", "").split("\n")

    def line(self, text: str = "", **modules: str) -> None:
        """Write a line, broken between its words if it is long; `modules`: whence its names are."""
        for name, module in modules.items():
            self._imports.setdefault(module, set()).add(name)
        # A line that begins further in, or is a remark, stays as it is.
        long = len(text) > 100
        self._lines += wrap(text, _WIDTH, subsequent_indent="    ") if long else [text]

    def text(self, lines: str, **values: Any) -> None:
        """Write some lines, of which those that import come first; ``$name`` stands for a value.

        Behind ``name = $value`` stands a call as `let` breaks it over lines.
        """
        flat = {name: self._flat(value) for name, value in values.items()}
        for line in lines.strip().splitlines():
            name, _, value = line.partition(" = $")
            if line.startswith("from "):
                _, module, _, names = line.split(maxsplit=3)
                self._imports.setdefault(module, set()).update(names.split(", "))
            elif value in values:
                self.value(name, values[value])
            else:
                self.line(Template(line).substitute(flat))

    def exactly(self, name: str, values: Iterable[Fraction]) -> Expression:
        """Write ``name = [...]`` of exact numbers."""
        told = ", ".join(quoted(shown(value)) for value in values)
        self.line(f"{name} = [Fraction(one) for one in ({told},)]", Fraction="fractions")
        return Expression(name)

    def study(self, study: Workflow) -> None:
        """Write the configuration, less all that it leaves to its defaults or never reads."""
        read = _as_read(study)
        always = (*_ALWAYS, "model") if read.trains else _ALWAYS
        # Every phase that runs with its share, whatever the defaults are.
        spent = {phase: getattr(read.epsilon, phase) for phase in read.phases}
        told = _needed(read, always) | {"epsilon": _Call(self.name_of(Epsilons), (), spent)}
        self.value("study", _Call(self.name_of(Workflow), (), told))

    def run(self, **told: Any) -> None:
        """Write the line that runs the study; `told` is for every run of this script."""
        self._told = told
        self.let("result", run_workflow, Expression("study"), **told)

    def other(self, study: Workflow, other: Workflow) -> None:
        """Write another study by what it has of its own, and the line that runs it."""
        own = [one.name for one in fields(Workflow)]
        own = [name for name in own if getattr(study, name) != getattr(other, name)]
        told = {name: getattr(other, name) for name in own}
        self.let("other", replace, Expression("study"), **told)
        self.let("second", run_workflow, Expression("other"), **self._told)

    def each(self, changes: str, among: str) -> None:
        """Write the lines that run the study once for each of some changes, into ``found``."""
        told = ", ".join(f"{name}={value}" for name, value in self._told.items())
        self.line(f"studies = [replace(study, {changes}) {among}]", replace="dataclasses")
        self.line("stages = StageCache()", StageCache="dpcore.study")
        again = f"run_workflow({', '.join(filter(None, ('one', told)))}, cache=stages)"
        self.line(f"found = [{again} for one in studies]")

    def name_of(self, named: Any) -> str:
        """Import something from the outermost package that lists it, and return its name.

        Raises
        ------
        LookupError
            If no package does, though its own lists others.
        """
        name: str = named.__name__
        parts = named.__module__.split(".")
        packages = [".".join(parts[:end]) for end in range(1, len(parts) + 1)]
        for package in packages:
            module = importlib.import_module(package)
            if name in getattr(module, "__all__", ()) and getattr(module, name) is named:
                break
        else:
            # A package that lists nothing leaves its names where they are.
            own = importlib.import_module(packages[-2])
            if name.startswith("_") or hasattr(own, "__all__"):
                raise LookupError(f"{name} is not public")
        self._imports.setdefault(package, set()).add(name)
        return name

    def __str__(self) -> str:
        ours = [one for one in sorted(self._imports) if one.startswith("dpcore")]
        others = [one for one in sorted(self._imports) if one not in ours]
        blocks = ["\n".join(map(self._import, modules)) for modules in (others, ours) if modules]
        return "\n\n".join([*blocks, "\n".join(self._lines)]) + "\n"

    def _import(self, module: str) -> str:
        names = ", ".join(sorted(self._imports[module]))
        line = f"from {module} import {names}"
        return line if len(line) <= _WIDTH else f"from {module} import (\n    {names}\n)"

    def _written(self, value: Any, before: str, indent: str) -> str:
        """A value behind what stands before it: in one line if there is room, or else in several.

        Of several, one holds all arguments, or each one of them.
        """
        told = self._call(value)
        line = f"{before}{self._flat(told)}"
        deeper = f"{indent}    "
        if isinstance(told, list | tuple) and len(indent + line) > _WIDTH:
            parts = [f"{deeper}{self._written(one, '', deeper)}," for one in told]
            return "\n".join([f"{before}[", *parts, f"{indent}]"])
        if len(indent + line) <= _WIDTH or not isinstance(told, _Call):
            return line
        arguments = [("", one) for one in told.values]
        arguments += [(f"{name}=", one) for name, one in told.named.items()]
        together = ", ".join(f"{name}{self._flat(one)}" for name, one in arguments)
        if len(deeper + together) <= _WIDTH:
            return f"{before}{told.name}(\n{deeper}{together}\n{indent})"
        lines = [f"{deeper}{self._written(one, name, deeper)}," for name, one in arguments]
        return "\n".join([f"{before}{told.name}(", *lines, f"{indent})"])

    def _call(self, value: Any) -> Any:
        """A configuration as the call that makes it."""
        if not is_dataclass(value) or isinstance(value, NoiseChoice | _Call):
            return value
        return _Call(self.name_of(type(value)), (), _needed(value))

    def _flat(self, value: Any) -> str:
        value = self._call(value)
        if isinstance(value, Expression):
            return str(value)
        if isinstance(value, _Call):
            named = [f"{name}={self._flat(one)}" for name, one in value.named.items()]
            return f"{value.name}({', '.join([*map(self._flat, value.values), *named])})"
        if isinstance(value, Mapping):
            inner = (f"{self._flat(key)}: {self._flat(one)}" for key, one in value.items())
            return f"{{{', '.join(inner)}}}"
        if isinstance(value, tuple | list):
            return f"[{', '.join(map(self._flat, value))}]"
        if isinstance(value, Fraction | Enum | NoiseChoice):
            return _literal(value)
        return quoted(value) if isinstance(value, str) else repr(value)


def shortened(method: Method, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a method that are not its defaults."""
    usual = method.check({})
    return {name: value for name, value in parameters.items() if usual.get(name) != value}


def _as_read(study: Workflow) -> Workflow:
    """The same study without what it never reads, such as the model of uploaded predictions."""
    if study.trains:
        return replace(study, title="")
    return replace(study, title="", split=Split(), selection=Selection(), model=Model())


def _needed(value: Any, always: Collection[str] = _ALWAYS) -> dict[str, Any]:
    """The fields that must be told to make this value; the others follow from their defaults."""
    told = {one.name: getattr(value, one.name) for one in fields(value)}
    if "parameters" in told:
        told["parameters"] = _fewest(
            dict(told["parameters"]), lambda rest: replace(value, parameters=rest) == value
        )
    return _fewest(told, lambda rest: type(value)(**rest) == value, always)


def _fewest(
    told: dict[str, Any], same: Callable[[dict[str, Any]], bool], always: Collection[str] = ()
) -> dict[str, Any]:
    """What is left when everything has gone without which the same is said."""
    for name in [one for one in told if one not in always]:
        rest = {other: value for other, value in told.items() if other != name}
        # What cannot be made says nothing.
        try:
            told = rest if same(rest) else told
        except (DpcoreError, TypeError):
            continue
    return told


def _literal(value: Fraction | Enum | NoiseChoice) -> str:
    """An exact number by its decimals, or as the text of a fraction; a choice by its name."""
    text = plain(value)
    number = isinstance(value, Fraction) and "/" not in text
    return str(text) if number else quoted(str(text))


def quoted(text: str) -> str:
    """A text in double quotes; whatever cannot be seen in it is written as its number."""
    single = repr(text)
    return single if '"' in text or single.startswith('"') else f'"{single[1:-1]}"'
