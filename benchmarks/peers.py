"""Steps of our methods against general-purpose peers that do the same job.

Run ``python -m benchmarks.peers [--quick]``.

Each line names its peer. Solvers get the program and their own tolerances; writing the program down
counts as theirs. diffprivlib, which does not import with current scikit-learn, gets an environment
of its own in a temporary folder, and is skipped, with a line that says so, if it cannot be
installed there.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import numpy as np
import opendp.prelude as opendp
import pandas as pd
from sklearn.isotonic import isotonic_regression

from benchmarks._clarabel import solve as by_clarabel
from benchmarks._ratios import Ratio, both_clocks, paired, save
from dpcore import Ledger, SeededNoise, SystemNoise
from dpcore.mechanisms import Geometric
from dpcore.models import DPNaiveBayes
from dpcore.postprocess.monotone import isotonic
from dpcore.postprocess.smoothing import smooth_p1, smooth_p2
from dpcore.release import release
from dpcore.schema import Label, Numeric, Schema
from tests.postprocess._eq3 import solve

ENVIRONMENT = Path(tempfile.gettempdir()) / "dpcore-diffprivlib-1"
PACKAGES = ["diffprivlib==0.6.6", "scikit-learn==1.5.2"]
FITS = """
import numpy as np, sys, time, warnings
warnings.simplefilter("ignore")
from diffprivlib.models import GaussianNB
rng = np.random.default_rng(0)
X = rng.random(({rows}, {columns})); y = rng.integers(0, 2, {rows})
for _ in sys.stdin:
    model = GaussianNB(epsilon=1.0, bounds=(0.0, 1.0))
    start, used = time.perf_counter(), time.process_time()
    model.fit(X, y)
    print(time.perf_counter() - start, time.process_time() - used, flush=True)
"""


def curve(points: int) -> tuple[np.ndarray, float]:
    """Noisy cumulative counts."""
    rng = np.random.default_rng(0)
    return np.cumsum(rng.poisson(3.0, points)) + rng.laplace(0.0, 20.0, points), 3.0 * points


def smoothing(points: int, repeats: int) -> list[Ratio]:
    """Monotone curves: least squares, and both forms of the paper's Eq. 3."""
    long, _ = curve(100_000)
    noisy, high = curve(points)
    return [
        paired(
            "isotonic, 1e+05 points",
            "sklearn.isotonic.isotonic_regression",
            lambda: isotonic(long),
            lambda: isotonic_regression(long),
            repeats=repeats,
            limit=1.5,
        ),
        *(
            paired(
                f"smooth_p{power}, {points} points",
                f"{peer}, the same program",
                lambda ours=ours: ours(noisy, high),
                lambda theirs=theirs, power=power: theirs(noisy, high, power),
                repeats=repeats,
                limit=1.0,
            )
            for power, ours, program in ((1, smooth_p1, "lp"), (2, smooth_p2, "qp"))
            for peer, theirs in (
                (f"cvxopt.solvers.{program}", by_cvxopt),
                ("Clarabel", by_clarabel),
            )
        ),
    ]


def by_cvxopt(noisy: np.ndarray, high: float, power: int) -> None:
    """Eq. 3 at the solver's own tolerances, as Clarabel gets it."""
    solve(noisy, high, power, options={"show_progress": False})


def noise(size: int, repeats: int) -> Ratio:
    """Charged, integer noise against OpenDP's mechanism as it comes."""
    opendp.enable_features("contrib")
    domain = opendp.vector_domain(opendp.atom_domain(T="i64"))
    theirs = opendp.m.make_laplace(domain, opendp.l1_distance(T="i64"), scale=1.0)
    counts = np.zeros(size, dtype=np.int64)
    mechanism = Geometric(epsilon=1)
    return paired(
        f"release of {size:.0e} counts: charge and draw",
        "opendp make_laplace on integers",
        lambda: release(mechanism, counts, label="counts", ledger=Ledger(), noise=SystemNoise()),
        lambda: np.array(theirs(counts.tolist())),
        repeats=repeats,
        limit=1.5,
    )


def naive_bayes(rows: int, repeats: int) -> Ratio:
    """Training, each side in its own environment, in turn."""
    rng = np.random.default_rng(0)
    X, y = rng.random((rows, 20)), rng.integers(0, 2, rows)

    def fit() -> None:
        DPNaiveBayes(epsilon=1, method="moments", classes=(0, 1), bounds=(0, 1)).fit(X, y)

    what = f"DPNaiveBayes(method='moments').fit, {rows:.0e} rows, 20 numbers"
    (ratio,) = against_diffprivlib({what: fit}, rows, 20, repeats)
    return ratio


def default_naive_bayes(rows: int, columns: int, repeats: int) -> list[Ratio]:
    """The default method on a table of numbers alone, with simulated and with real noise."""
    rng, names = np.random.default_rng(0), [f"x{place}" for place in range(columns)]
    X = pd.DataFrame(dict(zip(names, rng.random((columns, rows)), strict=True)))
    y = rng.choice(["no", "yes"], rows)
    schema = Schema((*(Numeric(name, (0, 1)) for name in names), Label("y", ("no", "yes"))))
    line = f"DPNaiveBayes(schema=...).fit, {rows:.0e} rows, {columns} numbers"
    fits = {
        f"{line}, {what} noise": partial(DPNaiveBayes(schema=schema, noise=noise).fit, X, y)
        for what, noise in {"simulated": SeededNoise(0), "real": None}.items()
    }
    return against_diffprivlib(fits, rows, columns, repeats, limit=1.2)


def against_diffprivlib(
    fits: Mapping[str, Callable[[], object]],
    rows: int,
    columns: int,
    repeats: int,
    limit: float | None = None,
) -> list[Ratio]:
    """Medians against its naive Bayes, which waits in a process of its own.

    One fit of each follows the other, so that whatever else the machine does meets both sides.
    """
    command = [diffprivlib_python(), "-c", FITS.format(rows=rows, columns=columns)]
    pipe = subprocess.PIPE
    times: dict[str, list[tuple[float, ...]]] = {name: [] for name in ("theirs", *fits)}
    with subprocess.Popen(command, text=True, bufsize=1, stdin=pipe, stdout=pipe) as peer:
        assert peer.stdin is not None
        assert peer.stdout is not None
        for _ in range(repeats + 1):
            peer.stdin.write("fit\n")
            times["theirs"].append(tuple(map(float, peer.stdout.readline().split())))
            for name, fit in fits.items():
                times[name].append(both_clocks(fit))
        peer.stdin.close()
    # The first of each loads what the others find.
    theirs, *ours = (np.array(one[1:]) for one in times.values())
    found = []
    for name, one in zip(fits, ours, strict=True):
        wall, processor = np.median(one / theirs, axis=0)
        medians = float(np.median(one[:, 0])), float(np.median(theirs[:, 0]))
        peer_name = "diffprivlib GaussianNB.fit, own environment"
        found.append(Ratio(name, peer_name, *medians, wall, limit, processor_ratio=processor))
    return found


def diffprivlib_python() -> str:
    """The interpreter of an environment with diffprivlib, made if it is absent."""
    python = ENVIRONMENT / "bin" / "python"
    ready = ENVIRONMENT / "ready"
    if not ready.exists():
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        install = [str(python), "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(install, check=True, timeout=600, capture_output=True)
        ready.touch()
    return str(python)


def main() -> None:
    """Print and keep the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes; nothing is kept")
    quick = parser.parse_args().quick
    points, repeats = (256, 3) if quick else (1024, 5)
    ratios, skipped = [*smoothing(points, repeats), noise(10**4, repeats)], []
    try:
        ratios.append(naive_bayes(10_000 if quick else 100_000, repeats))
        for rows, columns in ((70_000, 11), (100_000, 20)):
            ratios += default_naive_bayes(rows, columns, 3 * repeats)
    except (subprocess.SubprocessError, OSError) as error:
        skipped.append(f"diffprivlib cannot be installed here ({type(error).__name__})")
    save("peers", ratios, skipped=skipped, quick=quick)


if __name__ == "__main__":
    sys.exit(main())
