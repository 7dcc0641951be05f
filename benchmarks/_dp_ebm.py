"""DP-EBM of interpret-core, (epsilon, 1e-6), in an environment of its own.

Run as a program *in* that environment, this file reads a table from a ``.npz`` and writes the
probabilities of the test records; it must import nothing of ours.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

VERSIONS = ("interpret-core==0.7.8", "scikit-learn==1.9.1")
DELTA = 1e-6


def columns_of(matrix: Any, space: Any) -> tuple[Any, list[str], list[Any]]:
    """One column for each number and each block of indicators, their kinds and public bounds."""
    dense = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
    columns, kinds, bounds = [], [], []
    for block in space.blocks:
        part = dense[:, block.start : block.stop]
        numeric = block.kind == "numeric"
        # 0 is none of the levels.
        codes = np.where(part.any(axis=1), part.argmax(axis=1) + 1.0, 0.0)
        low, high = space.features[block.start].bounds
        columns.append(np.nan_to_num(part[:, 0], nan=(low + high) / 2.0) if numeric else codes)
        kinds.append("continuous" if numeric else "nominal")
        bounds.append([low, high] if numeric else None)
    return np.column_stack(columns), kinds, bounds


def probabilities(
    matrix: Any, y: Any, n: int, space: Any, epsilons: tuple[float, ...], seed: int
) -> dict[float, Any]:
    """Of the second class for the records from n on, trained on those before, by epsilon."""
    from benchmarks._diffprivlib import environment

    columns, kinds, bounds = columns_of(matrix, space)
    with tempfile.TemporaryDirectory() as folder:
        path, told = Path(folder) / "table.npz", Path(folder) / "told.json"
        np.savez(path, columns=columns, y=y, n=n)
        plan = {"kinds": kinds, "bounds": bounds, "epsilons": epsilons, "seed": seed}
        told.write_text(json.dumps(plan), encoding="utf-8")
        interpreter = environment("interpret-core-0.7.8", VERSIONS)
        subprocess.run([interpreter, __file__, str(path), str(told)], check=True)
        with np.load(f"{path}.out.npz") as found:
            return {epsilon: found[str(epsilon)] for epsilon in epsilons}


def main() -> None:
    """Train and test, in the other environment."""
    from interpret.privacy import DPExplainableBoostingClassifier

    warnings.simplefilter("ignore")
    path, told = sys.argv[1], json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    with np.load(path) as data:
        X, y, n = data["columns"], data["y"], int(data["n"])
    found = {}
    for epsilon in told["epsilons"]:
        model = DPExplainableBoostingClassifier(
            feature_types=told["kinds"],
            epsilon=epsilon,
            delta=DELTA,
            privacy_bounds={i: pair for i, pair in enumerate(told["bounds"]) if pair},
            random_state=told["seed"],
            n_jobs=1,
        )
        found[str(epsilon)] = model.fit(X[:n], y[:n]).predict_proba(X[n:])[:, 1]
    np.savez(f"{path}.out.npz", **found)


if __name__ == "__main__":
    main()
