"""Methods that are found, not listed: one file, one method.

A folder such as ``dpcore/evaluation/roc`` holds one file per method, and each ends by declaring
``METHOD = Method(...)``. `Registry` scans the folder, so that forms, command line, conformance
tests and audit pick a new file up with no other edit.
"""

import importlib
import pkgutil
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from numbers import Integral
from pathlib import Path
from types import ModuleType
from typing import Any, Self, TypeVar

from dpcore import _check
from dpcore.errors import InvalidArgument, UnknownMethod, UnsupportedNeighbors
from dpcore.privacy import Guarantee, Neighbors

__all__ = ["Method", "Parameter", "Registry", "checked", "discover", "modules_of", "parameters_of"]

T = TypeVar("T")


def modules_of(package: str) -> Iterator[ModuleType]:
    """Import every public module of a package, those of its folders too, in alphabetical order."""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if module.name.startswith("_"):
            continue
        name = f"{package}.{module.name}"
        yield importlib.import_module(name)
        if module.ispkg:
            yield from modules_of(name)


def discover(package: str, attribute: str, kind: type[T]) -> tuple[T, ...]:
    """What the modules of a package declare under a name.

    Parameters
    ----------
    package : str
        Dotted name.
    attribute : str
        A module declares one thing by this name, or a tuple of them.
    kind : type
        Of what counts; anything else by that name is passed over.

    Returns
    -------
    tuple
        In the order of `modules_of`.

    Examples
    --------
    >>> [method.name for method in discover("dpcore.evaluation.running_counts", "METHOD", Method)]
    ['gaussian', 'laplace']
    """
    declared = (getattr(module, attribute, None) for module in modules_of(package))
    several = (one if isinstance(one, tuple) else (one,) for one in declared)
    return tuple(one for group in several for one in group if isinstance(one, kind))


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One public parameter of a method, with what a form needs to draw its control.

    Parameters
    ----------
    name : str
        Keyword of `Method.run`.
    default : int, float or str
        Used when the caller is silent; its type is that of the parameter.
    minimum, maximum : float, optional
        Closed range of a number.
    choices : tuple of str
        Allowed values of a string; a whole number stands for its digits, 8 for "8".
    log : bool
        Whether a slider should move on a logarithmic scale.
    label, help : str
        Words for a person.
    """

    name: str
    default: int | float | str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    log: bool = False
    label: str = ""
    help: str = ""

    @classmethod
    def told(cls, name: str, table: Mapping[str, Any]) -> Self:
        """A parameter as a table of TOML tells it; the table may call it by another name."""
        return cls(**{"name": name, **table, "choices": tuple(table.get("choices", ()))})

    @property
    def kind(self) -> type[int | float | str]:
        """``int``, ``float`` or ``str``."""
        return type(self.default)

    def check(self, value: Any) -> int | float | str:
        """Return the value in its kind, or raise `InvalidArgument` that names the parameter."""
        if self.kind is str:
            word = str(value) if isinstance(value, Integral) else value
            _check.one_of(self.choices, **{self.name: word})
            return str(word)
        low = self.minimum if self.minimum is not None else float("-inf")
        high = self.maximum if self.maximum is not None else float("inf")
        _check.in_range(low, high, **{self.name: value})
        if self.kind is int and int(value) != value:
            raise InvalidArgument(self.name, value, "a whole number")
        return self.kind(value)


def checked(parameters: Sequence[Parameter], given: Mapping[str, Any], who: str) -> dict[str, Any]:
    """What is given for parameters, each in its kind, and defaults for the others.

    Raises
    ------
    InvalidArgument
        If one is unknown to whoever takes them, or out of range; the message names it.
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name, value in given.items():
        if name not in known:
            takes = ", ".join(known) or "no parameters"
            raise InvalidArgument(name, value, f"left out, because {who!r} takes {takes}")
    return {name: one.check(given.get(name, one.default)) for name, one in known.items()}


@cache
def _tables(module: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(module).with_name("words.toml").read_text(encoding="utf-8"))


def parameters_of(module: str, *names: str) -> tuple[Parameter, ...]:
    """Parameters that stand under these names in the ``words.toml`` beside a module's file."""
    return tuple(Parameter.told(name, _tables(module)["parameters"][name]) for name in names)


@dataclass(frozen=True, kw_only=True)
class Method:
    """The declaration that ends a method's file; most are made by `told`.

    Parameters
    ----------
    name : str
        What users type, for example ``"quantile-bins"``.
    title, summary : str
        A short name and one sentence for people.
    run : callable
        The method; its signature is fixed by the folder that it lives in.
    guarantee : Guarantee
        The verdict; a BROKEN method runs with simulated noise only.
    reference : str
        Authors, year, section or theorem.
    parameters : tuple of Parameter
    neighbors : tuple of Neighbors
        The relations for which the calibration is stated.
    sure : callable, optional
        Whether public facts alone, told as to `run` but without a gate, show that no step of it can
        fail; nobody has to rehearse it then. Never, if left out.
    """

    name: str
    title: str
    summary: str
    run: Callable[..., Any]
    guarantee: Guarantee
    reference: str
    parameters: tuple[Parameter, ...] = ()
    neighbors: tuple[Neighbors, ...] = (Neighbors.ADD_REMOVE, Neighbors.REPLACE)
    sure: Callable[..., bool] = lambda *_, **__: False

    @classmethod
    def told(cls, name: str, module: str, **more: Any) -> Self:
        """A method whose words and parameters stand in ``words.toml`` beside a module.

        Its table there holds title, summary and reference, and names the public parameters, which
        have tables of their own: several methods may take the same. By which theorem it is
        ``proven``, or by which counterexample ``broken``, stands there too, unless the guarantee is
        that of a mechanism and passed.

        Parameters
        ----------
        module
            The module's ``__file__``.
        **more
            All other fields.
        """
        words = dict(_tables(module)[name])
        parameters = parameters_of(module, *words.pop("parameters", ()))
        verdict = "proven" if "proven" in words else "broken"
        if verdict in words:
            words["guarantee"] = getattr(Guarantee, verdict)(words.pop(verdict))
        return cls(name=name, parameters=parameters, **words, **more)

    def check(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults and check every value; see `checked`."""
        return checked(self.parameters, parameters, self.name)

    def require(self, neighbors: Neighbors) -> None:
        """Raise `UnsupportedNeighbors` unless the method states a calibration for the relation."""
        if neighbors not in self.neighbors:
            raise UnsupportedNeighbors(self.name, neighbors)


class Registry:
    """The methods declared in one package.

    Parameters
    ----------
    package : str
        Dotted name of the package whose modules are scanned for ``METHOD``.
    kind : str
        What its methods are called in error messages, for example ``"ROC method"``.

    Examples
    --------
    >>> ecdf_methods = Registry("dpcore.evaluation.ecdf", "ECDF method")
    >>> list(ecdf_methods())
    ['binary', 'flat', 'haar', 'hierarchical', 'tree']
    >>> ecdf_methods.get("haar").title
    'Haar wavelet (Privelet)'
    """

    def __init__(self, package: str, kind: str) -> None:
        self.package, self.kind = package, kind

    @cached_property
    def _methods(self) -> dict[str, Method]:
        found = {method.name: method for method in discover(self.package, "METHOD", Method)}
        return dict(sorted(found.items()))

    def __call__(self) -> dict[str, Method]:
        """All declarations by name, in alphabetical order."""
        return dict(self._methods)

    def names(self) -> tuple[str, ...]:
        """All names, in alphabetical order."""
        return tuple(self._methods)

    def get(self, name: object) -> Method:
        """The declaration of that name, or `UnknownMethod` with the nearest spelling."""
        if not isinstance(name, str) or name not in self._methods:
            raise UnknownMethod(self.kind, str(name), self._methods)
        return self._methods[name]
