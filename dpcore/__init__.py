"""dpcore: train and evaluate classifiers on private data, and say honestly how private they are."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpcore.noise import SeededNoise, SystemNoise
    from dpcore.privacy import Charge, Guarantee, Ledger, Loss, Neighbors, Part
    from dpcore.schema import Schema
    from dpcore.store import LedgerStore

__all__ = ["Charge", "Guarantee", "Ledger", "LedgerStore", "Loss", "Neighbors", "Part", "Schema"]
__all__ += ["SeededNoise", "SystemNoise"]
__version__ = "0.1.0"

# Where each name comes from when it is asked for first: pandas and the sources of noise take a
# second, and a ledger needs neither.
_HOMES = {
    **dict.fromkeys(("Charge", "Guarantee", "Ledger", "Loss", "Neighbors", "Part"), "privacy"),
    **dict.fromkeys(("SeededNoise", "SystemNoise"), "noise"),
    "LedgerStore": "store",
    "Schema": "schema",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = found
        return found
    package = f"{__name__}.{name}"
    if name.startswith("_") or find_spec(package) is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(package)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
