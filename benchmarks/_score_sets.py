"""Test scores of plain scikit-learn classifiers on real data, made once and kept in a cache.

Each score set is the held-out part of a data set (a public coin per record) with the probability
that a classifier trained on the rest gave it. The data are found where the tests find them:
DPCORE_DATA, else ../shared/data; a data set that is absent is left out with a message.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from dpcore.data.counting import ScoreHistogram
from tests._real_data import real_data_folder

CACHE = Path(tempfile.gettempdir()) / "dpcore-score-sets-1"
TEST_FRACTION = 0.5

Labels = NDArray[np.int64]
Scores = NDArray[np.float64]
Table = tuple[pd.DataFrame, Labels]


def sms() -> Table:
    frame = pd.read_csv(
        real_data_folder() / "SMSSpamCollection.gz",
        sep="\t",
        quoting=3,
        header=None,
        names=["label", "text"],
    )
    return frame[["text"]], (frame["label"] == "spam").to_numpy(np.int64)


def tweets() -> Table:
    frame = pd.read_csv(real_data_folder() / "sentiment140_sample20k.csv.gz")
    return frame[["text"]], (frame["target"] == 4).to_numpy(np.int64)


def framingham() -> Table:
    frame = pd.read_csv(real_data_folder() / "framingham.csv.gz")
    return frame.drop(columns="TenYearCHD"), frame["TenYearCHD"].to_numpy(np.int64)


def bank() -> Table:
    frame = pd.read_csv(real_data_folder() / "bank-full.csv.gz", sep=";")
    return frame.drop(columns="y"), (frame["y"] == "yes").to_numpy(np.int64)


def adult() -> Table:
    frame = pd.read_csv(real_data_folder() / "adult.csv.gz")
    return frame.drop(columns=["income", "split"]), (frame["income"] == ">50K").to_numpy(np.int64)


def diabetes() -> Table:
    frame = pd.read_csv(real_data_folder() / "diabetic_data.csv.gz", low_memory=False)
    label = (frame["readmitted"] == "<30").to_numpy(np.int64)
    codes = ["diag_1", "diag_2", "diag_3"]
    return frame.drop(columns=["readmitted", "encounter_id", "patient_nbr", *codes]), label


def _words(top: int | None) -> list[object]:
    count = make_column_transformer((CountVectorizer(binary=True, min_df=2), "text"))
    return [count] if top is None else [count, SelectKBest(k=top)]


def _columns() -> list[object]:
    numeric = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    levels = OneHotEncoder(handle_unknown="ignore", min_frequency=20)
    return [
        make_column_transformer(
            (numeric, lambda frame: frame.select_dtypes("number").columns),
            (levels, lambda frame: frame.select_dtypes(exclude="number").columns),
        )
    ]


def _dense(matrix: object) -> object:
    return matrix.toarray() if sparse.issparse(matrix) else matrix


def _logistic() -> list[object]:
    return [LogisticRegression(max_iter=1000)]


def _gaussian() -> list[object]:
    return [FunctionTransformer(_dense), GaussianNB(var_smoothing=1e-3)]


def _tree() -> list[object]:
    return [DecisionTreeClassifier(max_depth=6, min_samples_leaf=50, random_state=0)]


Build = Callable[[], list[object]]
# name -> (table, steps of the pipeline)
RECIPES: dict[str, tuple[Callable[[], Table], Build]] = {
    "SMS NB 100": (sms, lambda: [*_words(100), BernoulliNB()]),
    "SMS NB 500": (sms, lambda: [*_words(500), BernoulliNB()]),
    "SMS NB all": (sms, lambda: [*_words(None), BernoulliNB()]),
    "SMS LR 100": (sms, lambda: [*_words(100), *_logistic()]),
    "SMS LR 500": (sms, lambda: [*_words(500), *_logistic()]),
    "SMS LR all": (sms, lambda: [*_words(None), *_logistic()]),
    "tweets NB": (tweets, lambda: [*_words(None), BernoulliNB()]),
    "tweets LR": (tweets, lambda: [*_words(None), *_logistic()]),
    "Framingham NB": (framingham, lambda: [*_columns(), *_gaussian()]),
    "Framingham LR": (framingham, lambda: [*_columns(), *_logistic()]),
    "Bank NB": (bank, lambda: [*_columns(), *_gaussian()]),
    "Bank LR": (bank, lambda: [*_columns(), *_logistic()]),
    "Bank tree": (bank, lambda: [*_columns(), *_tree()]),
    "Adult NB": (adult, lambda: [*_columns(), *_gaussian()]),
    "Adult LR": (adult, lambda: [*_columns(), *_logistic()]),
    "Adult tree": (adult, lambda: [*_columns(), *_tree()]),
    "Diabetes LR": (diabetes, lambda: [*_columns(), *_logistic()]),
}


def _make(name: str, test_fraction: float) -> tuple[Labels, Scores]:
    read, build = RECIPES[name]
    frame, label = read()
    rng = np.random.default_rng(20140)
    test = rng.random(len(label)) < test_fraction
    steps = [(f"step{position}", step) for position, step in enumerate(build())]
    model = Pipeline(steps).fit(frame[~test], label[~test])
    return label[test], np.asarray(model.predict_proba(frame[test])[:, 1], dtype=np.float64)


def score_set(name: str, test_fraction: float = TEST_FRACTION) -> tuple[Labels, Scores]:
    """Labels and scores of one set, from the cache if it was made before."""
    path = CACHE / f"{name.replace(' ', '-')}-{test_fraction:g}.npz"
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        label, score = _make(name, test_fraction)
        np.savez(path, label=label, score=score)
    with np.load(path) as stored:
        return stored["label"], stored["score"]


def score_sets(
    names: list[str] | None = None, test_fraction: float = TEST_FRACTION
) -> Iterator[tuple[str, ScoreHistogram]]:
    """Each score set as a histogram, the ones whose data are absent left out."""
    for name in names or list(RECIPES):
        try:
            label, score = score_set(name, test_fraction)
        except FileNotFoundError as absent:
            print(f"{name} is left out: {absent.filename} is absent (set DPCORE_DATA)")
            continue
        yield name, ScoreHistogram.from_arrays(label, score)
