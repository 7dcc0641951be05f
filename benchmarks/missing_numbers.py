"""Missing numbers as values of their own, against the middle of the bounds in their place.

Run ``python -m benchmarks.missing_numbers [--draws 20] [--epsilons 0.5,2]``. Each draw trains on
nine folds and is tested on the tenth, both ways on the same folds with the same seed. Printed are
the mean AUC of either, and their difference with its standard error. The sample heart-risk and
framingham have gaps of their own; breast-cancer has none, and loses three values in ten of the one
class and one in ten of the other ("telling"), or one in five of both ("by chance"). Data that are
absent are left out with a message.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from benchmarks._model_sets import SETS
from benchmarks.model_accuracy import FOLDS, folds_of
from dpcore import SeededNoise
from dpcore.data.reading import samples
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.schema import Numeric, Schema, encode
from tests._real_data import real_data_folder

MODELS = {"naive Bayes": DPNaiveBayes, "logistic": DPLogisticRegression}


def tables() -> Iterator[tuple[str, pd.DataFrame, Schema]]:
    """Tables with gaps in their numbers, and what is public about them."""
    heart = samples()["heart-risk"]
    yield "heart-risk", heart.frame(), heart.schema()
    framingham = SETS["framingham"]
    if framingham.present:
        path = real_data_folder() / framingham.file
        yield "framingham", framingham.read(path), framingham.schema
    else:
        print(f"{framingham.file} is absent: set DPCORE_DATA to its folder", file=sys.stderr)
    breast = samples()["breast-cancer"]
    whole, schema = breast.frame(), breast.schema()
    positive = (whole[schema.label.name] == schema.label.positive).to_numpy()[:, np.newaxis]
    numbers = [column.name for column in schema.features]
    for title, of_class, of_others in (("telling", 0.3, 0.1), ("by chance", 0.2, 0.2)):
        coins = np.random.default_rng(0).random((len(whole), len(numbers)))
        holed = whole.copy()
        holed[numbers] = whole[numbers].mask(coins < np.where(positive, of_class, of_others))
        yield f"breast-cancer, {title}", holed, schema


def told(schema: Schema, frame: pd.DataFrame, missing: bool | None) -> Schema:
    """The schema with one way for all numbers that have gaps."""
    columns = (
        replace(column, missing=missing)
        if isinstance(column, Numeric) and frame[column.name].isna().any()
        else column
        for column in schema.columns
    )
    return Schema(tuple(columns), schema.title)


def areas(
    frame: pd.DataFrame, schema: Schema, kind: type, epsilon: float, draws: int
) -> np.ndarray:
    """AUC of each draw."""
    design, folds = encode(frame, schema), folds_of(len(frame), draws)
    found = []
    for draw, fold in enumerate(folds):
        train, test = design.rows(fold != draw % FOLDS), design.rows(fold == draw % FOLDS)
        model = kind(epsilon, classes=(0, 1), schema=train.space, noise=SeededNoise(draw))
        probability = model.fit(train.matrix, train.y).predict_proba(test.matrix)[:, 1]
        found.append(roc_auc_score(test.y, probability))
    return np.array(found)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--epsilons", default="0.5,2")
    arguments = parser.parse_args()
    print("| data | model | epsilon | middle | own value | difference |\n|---|---|---|---|---|---|")
    for name, frame, schema in tables():
        for title, kind in MODELS.items():
            for epsilon in map(float, arguments.epsilons.split(",")):
                middle, own = (
                    areas(frame, told(schema, frame, missing), kind, epsilon, arguments.draws)
                    for missing in (None, True)
                )
                gained = own - middle
                error = gained.std(ddof=1) / arguments.draws**0.5
                print(
                    f"| {name} | {title} | {epsilon:g} | {middle.mean():.3f} | {own.mean():.3f} "
                    f"| {gained.mean():+.4f} ± {error:.4f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
