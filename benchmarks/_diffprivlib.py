"""diffprivlib's classifiers, in an environment of their own: they fail on current scikit-learn.

`environment` makes it once, in the user's cache. Run as a program *in* that environment, this file
reads folds from a ``.npz`` and writes accuracies and AUCs as JSON; it must import nothing of ours.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

VERSIONS = ("diffprivlib==0.6.6", "scikit-learn==1.5.2", "numpy<2.1", "scipy<1.14")
KINDS = ("diffprivlib-nb", "diffprivlib-lr")


def environment(name: str = "diffprivlib-0.6.6", versions: tuple[str, ...] = VERSIONS) -> Path:
    """The interpreter of an environment with a peer; made on first use, with pip."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    folder = cache / "dpcore-benchmarks" / name
    interpreter = folder / "bin" / "python"
    if not (folder / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([interpreter, "-m", "pip", "install", "-q", *versions], check=True)
        (folder / "complete").touch()
    return interpreter


def measure(
    matrix: Any, y: Any, folds: Any, *, kind: str, epsilon: float, radius: float, n_classes: int
) -> list[tuple[float, float]]:
    """Accuracy and AUC per draw; rows of `matrix` in [0, 1], none longer than the radius."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "folds.npz"
        np.savez(path, matrix=np.float32(matrix), y=y, folds=folds)
        arguments = [str(path), kind, repr(epsilon), repr(radius), str(n_classes)]
        command = [environment(), __file__, *arguments]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [tuple(pair) for pair in json.loads(output.splitlines()[-1])]


def _model(kind: str, epsilon: float, radius: float, seed: int, width: int) -> Any:
    from diffprivlib.models import GaussianNB, LogisticRegression

    if kind == "diffprivlib-nb":
        bounds = (np.zeros(width), np.ones(width))
        return GaussianNB(epsilon=epsilon, bounds=bounds, random_state=seed)
    return LogisticRegression(epsilon=epsilon, data_norm=radius, random_state=seed, max_iter=500)


def _score(model: Any, X: Any, y: Any, test: Any, n_classes: int) -> tuple[float, float]:
    from sklearn.metrics import roc_auc_score

    model.fit(X[~test], y[~test])
    hits = float((model.predict(X[test]) == y[test]).mean())
    if n_classes > 2:
        return hits, math.nan
    probability = np.nan_to_num(model.predict_proba(X[test])[:, 1], nan=0.5)
    return hits, float(roc_auc_score(y[test], probability))


def main() -> None:
    """Measure one classifier, in the other environment."""
    import warnings

    warnings.simplefilter("ignore")
    path, kind, epsilon, radius, n_classes = sys.argv[1:]
    with np.load(path) as data:
        X, y, folds = data["matrix"].astype(float), data["y"], data["folds"]
    scores = [
        _score(
            _model(kind, float(epsilon), float(radius), draw, X.shape[1]),
            X,
            y,
            fold == draw % 10,
            int(n_classes),
        )
        for draw, fold in enumerate(folds)
    ]
    print(json.dumps(scores))


if __name__ == "__main__":
    main()
