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
from functools import partial
from pathlib import Path

import numpy as np
import opendp.prelude as opendp
import pandas as pd
from sklearn.isotonic import isotonic_regression

from benchmarks._clarabel import solve as by_clarabel
from benchmarks._ratios import Ratio, both_clocks, paired, save, seconds
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
FIT = """
import numpy as np, time, warnings
warnings.simplefilter("ignore")
from diffprivlib.models import GaussianNB
rng = np.random.default_rng(0)
X = rng.random(({rows}, {columns})); y = rng.integers(0, 2, {rows})
times = []
for _ in range({repeats} + 1):
    model = GaussianNB(epsilon=1.0, bounds=(0.0, 1.0))
    start, used = time.perf_counter(), time.process_time()
    model.fit(X, y)
    times.append((time.perf_counter() - start, time.process_time() - used))
print(*np.median(times[1:], axis=0))
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
    """Training, each side in its own environment, one after the other in this run."""
    theirs, _ = diffprivlib_seconds(rows, 20, repeats)
    rng = np.random.default_rng(0)
    X, y = rng.random((rows, 20)), rng.integers(0, 2, rows)

    def fit() -> None:
        DPNaiveBayes(epsilon=1, method="moments", classes=(0, 1), bounds=(0, 1)).fit(X, y)

    ours = float(np.median([seconds(fit) for _ in range(repeats + 1)][1:]))
    what = f"DPNaiveBayes(method='moments').fit, {rows:.0e} rows, 20 numbers"
    return Ratio(what, "diffprivlib GaussianNB.fit, own environment", ours, theirs, ours / theirs)


def default_naive_bayes(rows: int, columns: int, repeats: int) -> list[Ratio]:
    """The default method on a table of numbers alone, with simulated and with real noise."""
    theirs = diffprivlib_seconds(rows, columns, repeats)
    rng, names = np.random.default_rng(0), [f"x{place}" for place in range(columns)]
    X = pd.DataFrame(dict(zip(names, rng.random((columns, rows)), strict=True)))
    y = rng.choice(["no", "yes"], rows)
    schema = Schema((*(Numeric(name, (0, 1)) for name in names), Label("y", ("no", "yes"))))
    found = []
    for what, noise in {"simulated": SeededNoise(0), "real": None}.items():
        fit = partial(DPNaiveBayes(schema=schema, noise=noise).fit, X, y)
        wall, processor = np.median([both_clocks(fit) for _ in range(repeats + 1)][1:], axis=0)
        line = f"DPNaiveBayes(schema=...).fit, {rows:.0e} rows, {columns} numbers, {what} noise"
        peer = "diffprivlib GaussianNB.fit, own environment"
        ratio, of_processor = wall / theirs[0], processor / theirs[1]
        found.append(Ratio(line, peer, wall, theirs[0], ratio, 1.2, processor_ratio=of_processor))
    return found


def diffprivlib_seconds(rows: int, columns: int, repeats: int) -> tuple[float, float]:
    """Medians of what its naive Bayes takes: wall-clock and processor seconds."""
    code = FIT.format(rows=rows, columns=columns, repeats=repeats)
    command = [diffprivlib_python(), "-c", code]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    wall, processor = map(float, done.stdout.split())
    return wall, processor


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
