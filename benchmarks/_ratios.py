"""Two sides timed in turn in one run, kept as JSON beside the facts of the machine."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).parent / "results"
PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "pyarrow",
    "dask",
    "opendp",
    "cvxopt",
    "clarabel",
    "cryptography",
)


@dataclass(frozen=True)
class Ratio:
    """One line of the table.

    Parameters
    ----------
    what, peer : str
        Our side and the other one.
    ours, theirs : float
        Medians, in `unit`.
    ratio : float
        Median of the paired ratios.
    limit : float or None
        The most (or, if `at_least`, the least) that is claimed; None if nothing is.
    at_least : bool, default False
    unit : str, default "s"
    processor_ratio : float, optional
        The same of processor time, over all threads of this process. It hardly depends on what
        else the machine does.
    """

    what: str
    peer: str
    ours: float
    theirs: float
    ratio: float
    limit: float | None = None
    at_least: bool = False
    unit: str = "s"
    processor_ratio: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the measured ratio keeps the claim."""
        if self.limit is None:
            return True
        return self.ratio >= self.limit if self.at_least else self.ratio <= self.limit

    def __str__(self) -> str:
        claim = ""
        if self.limit is not None:
            side = "at least" if self.at_least else "at most"
            claim = f"  claimed {side} {self.limit:g}: {'kept' if self.holds else 'NOT KEPT'}"
        sides = f"{self.ours:.4g} {self.unit} against {self.theirs:.4g} {self.unit}"
        used = self.processor_ratio
        more = "" if used is None else f", processor time {used:.2f}"
        return f"{self.ratio:6.2f}  {self.what} | {self.peer} | {sides}{more}{claim}"


def seconds(call: Callable[[], object]) -> float:
    """Wall-clock seconds of one call."""
    return both_clocks(call)[0]


def both_clocks(call: Callable[[], object]) -> tuple[float, float]:
    """Wall-clock seconds and processor seconds."""
    start, used = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - start, time.process_time() - used


def paired(
    what: str,
    peer: str,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    *,
    repeats: int = 5,
    limit: float | None = None,
) -> Ratio:
    """Time both sides in turn; the first round warms caches and does not count."""
    rounds = [(both_clocks(ours), both_clocks(theirs)) for _ in range(repeats + 1)]
    times = np.array(rounds[1:])
    medians = np.median(times, axis=0)[:, 0]
    wall, processor = np.median(times[:, 0] / times[:, 1], axis=0).tolist()
    return Ratio(
        what,
        peer,
        float(medians[0]),
        float(medians[1]),
        wall,
        limit,
        processor_ratio=processor,
    )


def machine() -> dict[str, str | int]:
    """Facts that a reader needs to judge the figures."""
    names = [line for line in _cpu_lines() if line.startswith("model name")]
    found: dict[str, str | int] = {
        "processor": names[0].partition(":")[2].strip() if names else platform.processor(),
        "processors": os.cpu_count() or 1,
        "memory, GiB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "load before": f"{os.getloadavg()[0]:.1f}",
    }
    return found | {name: version(name) for name in PACKAGES}


def _cpu_lines() -> list[str]:
    facts = Path("/proc/cpuinfo")
    return facts.read_text().splitlines() if facts.exists() else []


def save(
    name: str,
    ratios: Sequence[Ratio],
    *,
    skipped: Sequence[str] = (),
    remarks: Sequence[str] = (),
    quick: bool = False,
) -> None:
    """Print the lines, and keep them unless it was a quick run."""
    for ratio in ratios:
        print(ratio)
    for sentence in (*(f"skipped: {reason}" for reason in skipped), *remarks):
        print(sentence)
    if quick:
        return
    document = {
        "benchmark": name,
        "when": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": machine(),
        "ratios": [asdict(ratio) for ratio in ratios],
        "skipped": list(skipped),
        "remarks": list(remarks),
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
