"""Every naive Bayes method against the figures that the papers' methods reach, 10-fold.

Run ``python -m benchmarks.naive_bayes_accuracy [--data adult,sms] [--draws 2] [--quick]``. Accuracy
and AUC are means over ten folds. SMS is shown with hashed words, 4,096 buckets, and with the
vocabulary of the file itself, which is not public: a private study could not use it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from benchmarks._model_sets import SETS
from dpcore import SeededNoise
from dpcore.models import DPNaiveBayes
from dpcore.schema import Design, Label, Schema, Text, encode
from tests._real_data import real_data_folder

# Accuracy (AUC) of a prototype: the bar for "l1-counts", and where the comparators stood.
FIGURES = {
    ("sms", "l1-counts"): {0.1: (0.894, 0.893), 0.5: (0.969, 0.979), 1.0: (0.981, 0.987)},
    ("sms", "truncated-counts"): {0.1: (0.866, 0.847), 0.5: (0.866, 0.946), 1.0: (0.893, 0.969)},
    ("sms", "vaidya"): {0.1: (0.453, 0.48), 0.5: (0.599, 0.58), 1.0: (0.646, 0.63)},
    ("adult", "vaidya"): {0.1: (0.612, 0.63), 1.0: (0.691, 0.68), 10.0: (0.830, 0.88)},
    ("adult", "smooth-published"): {0.1: (0.714, 0.68), 1.0: (0.783, 0.85), 10.0: (0.837, 0.89)},
    ("adult", "smooth"): {0.1: None, 1.0: None, 10.0: None},
    ("adult", "smooth-gaussian"): {0.1: None, 1.0: None, 10.0: None},
    ("adult", "trimmed"): {0.1: None, 1.0: None, 10.0: None},
    ("adult", "histogram"): {0.1: (0.838, 0.888), 1.0: (0.853, 0.906), 10.0: (0.853, 0.908)},
}


def designs(name: str) -> Iterator[tuple[str, Design]]:
    """The data set, encoded; texts in two ways, none of them cut."""
    if name != "sms":
        yield name, SETS[name].design()
        return
    frame = SETS[name].read(real_data_folder() / SETS[name].file)
    vocabulary = tuple(sorted(CountVectorizer().fit(frame["text"]).vocabulary_))
    texts = {
        "sms, 4,096 buckets": Text("text", buckets=4096, max_words=4096),
        "sms, own vocabulary": Text("text", vocabulary=vocabulary, max_words=len(vocabulary)),
    }
    for title, text in texts.items():
        schema = replace(SETS[name].schema, columns=(text, Label("label", ("ham", "spam"))))
        yield title, encode(frame, Schema(schema.columns))


def ten_folds(design: Design, method: str, epsilon: float, seed: int) -> tuple[float, float]:
    """Mean accuracy and AUC."""
    folds = StratifiedKFold(10, shuffle=True, random_state=seed)
    results = []
    for train, test in folds.split(design.y, design.y):
        model = DPNaiveBayes(
            epsilon, method=method, classes=(0, 1), schema=design.space, noise=SeededNoise(seed)
        ).fit(design.matrix[train], design.y[train])
        probability = model.predict_proba(design.matrix[test])[:, 1]
        hits = (probability > 0.5) == design.y[test]
        results.append((hits.mean(), roc_auc_score(design.y[test], probability)))
    accuracy, area = np.mean(results, axis=0)
    return float(accuracy), float(area)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="sms,adult", help="names, separated by commas")
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="SMS by l1-counts, one draw")
    arguments = parser.parse_args()
    names = ["sms"] if arguments.quick else arguments.data.split(",")
    draws = 1 if arguments.quick else arguments.draws
    print("| data | method | epsilon | accuracy (AUC) | prototype |\n|---|---|---|---|---|")
    for name in names:
        if not SETS[name].present:
            print(f"{SETS[name].file} is absent: set DPCORE_DATA to its folder", file=sys.stderr)
            continue
        for title, design in designs(name):
            for (data, method), bars in FIGURES.items():
                if data != name or (arguments.quick and method != "l1-counts"):
                    continue
                for epsilon, bar in bars.items():
                    runs = [ten_folds(design, method, epsilon, seed) for seed in range(draws)]
                    accuracy, area = np.mean(runs, axis=0)
                    owed = f"{bar[0]:.3f} ({bar[1]:.3f})" if bar else ""
                    row = f"| {title} | {method} | {epsilon:g} | {accuracy:.3f} ({area:.3f})"
                    print(f"{row} | {owed} |", flush=True)


if __name__ == "__main__":
    main()
