"""The tables have the size, the rates and the learnability that SOURCES.md states."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from sample_data.generate import census
from tests.sample_data.shipped import FOLDER, table


def auc(model, X, y):
    """Area under the curve of predictions made out of the fold."""
    score = cross_val_predict(model, X, y, cv=3, method="predict_proba")[:, 1]
    return roc_auc_score(y, score)


def mixed(classifier):
    """A plain pipeline for numbers and categories with missing cells."""
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    levels = make_pipeline(
        SimpleImputer(strategy="constant", fill_value="missing"),
        OneHotEncoder(sparse_output=False, handle_unknown="ignore"),
    )
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (levels, make_column_selector(dtype_include=object)),
    )
    return make_pipeline(columns, classifier)


def features_and_label(name, label):
    frame = table(name)
    X = frame.drop(columns=label)
    text = list(X.select_dtypes(exclude="number"))
    # scikit-learn's imputer knows missing cells of object columns as NaN.
    X[text] = X[text].astype(object).where(X[text].notna(), np.nan)
    return X, (frame[label] == "yes").to_numpy()


@pytest.mark.parametrize(
    "name, rows, label, positive, low, high",
    [
        ("messages", 5_600, "label", "spam", 0.12, 0.14),
        ("bank-calls", 40_000, "subscribed", "yes", 0.11, 0.13),
        ("heart-risk", 4_200, "event", "yes", 0.14, 0.16),
        ("census-1940", 61_200, "income", "above mean", 0.28, 0.31),
    ],
)
def test_rows_and_positive_rate(name, rows, label, positive, low, high):
    frame = table(name)
    assert len(frame) == rows
    assert low < (frame[label] == positive).mean() < high


@pytest.mark.slow
def test_bank_calls_learnable_and_naive_bayes_a_little_worse():
    X, y = features_and_label("bank-calls", "subscribed")
    logistic = auc(mixed(LogisticRegression(max_iter=300)), X, y)
    bayes = auc(mixed(GaussianNB(var_smoothing=1e-3)), X, y)
    assert 0.88 < logistic < 0.92
    assert logistic - 0.09 < bayes < logistic - 0.01


def test_bank_balance_has_a_heavy_tail():
    balance = table("bank-calls")["balance"]
    assert balance.quantile(0.999) > 20 * balance.median()
    assert (balance < 0).mean() > 0.05


def test_bank_contact_history_is_consistent():
    frame = table("bank-calls")
    never = frame["poutcome"] == "never"
    assert (frame.loc[never, "pdays"] == 400).all()
    assert (frame.loc[never, "previous"] == 0).all()
    assert (frame.loc[~never, "previous"] >= 1).all()


def test_heart_risk_learnable_but_hard():
    X, y = features_and_label("heart-risk", "event")
    assert 0.70 < auc(mixed(LogisticRegression(max_iter=300)), X, y) < 0.75


def test_heart_risk_missing_cells():
    frame = table("heart-risk")
    assert 0.11 < frame.isna().any(axis=1).mean() < 0.14
    assert frame["glucose"].isna().mean() == frame.isna().mean().max()
    assert not frame["event"].isna().any()


def test_heart_risk_non_smokers_smoke_nothing():
    frame = table("heart-risk").dropna(subset="cigarettes")
    smokes = frame["smoker"] == "yes"
    assert (frame.loc[~smokes, "cigarettes"] == 0).all()
    assert (frame.loc[smokes, "cigarettes"] >= 1).all()


def test_census_states_have_the_proportions_of_the_paper():
    sizes = table("census-1940")["state"].value_counts().to_dict()
    assert sizes == {"Wyoming": 5_000, "Nevada": 2_200, "Oregon": 20_000, "Washington": 34_000}


def test_census_label_is_above_the_mean_of_the_wages_behind_it():
    wages = census.wages()
    assert pytest.approx(wages.mean(), rel=0.02) == census.MEAN_WAGE
    above = table("census-1940")["income"] == "above mean"
    assert ((wages > census.MEAN_WAGE) == above).all()


def test_census_children_neither_work_nor_marry():
    frame = table("census-1940")
    children = frame[frame["age"] < 14]
    assert set(children["occupation"]) == set(children["class_of_worker"]) == {"none"}
    assert set(children["marital_status"]) == {"single"}
    assert (children[["hours", "weeks"]] == 0).all(axis=None)
    idle = frame["occupation"] == "none"
    assert (frame.loc[idle, ["hours", "weeks"]] == 0).all(axis=None)
    assert (frame["years_of_schooling"] <= (frame["age"] - 6).clip(lower=0)).all()


def test_census_wages_do_not_depend_on_race_or_birthplace():
    frame = table("census-1940").assign(wage=census.wages())
    paid = frame[(frame["wage"] > 0) & frame["age"].between(25, 60)]
    overall = np.log(paid["wage"])
    for column in ("race", "birthplace"):
        for _, part in overall.groupby(paid[column]):
            # Five standard errors, and the age at which people of a birthplace came.
            assert abs(part.mean() - overall.mean()) < 5 * overall.std() / np.sqrt(len(part)) + 0.03


def test_messages_learnable_but_not_separable():
    frame = table("messages")
    y = (frame["label"] == "spam").to_numpy()
    bayes = auc(make_pipeline(CountVectorizer(binary=True), BernoulliNB()), frame["text"], y)
    assert 0.97 < bayes < 0.99


def test_predictions_rank_well_and_are_overconfident():
    frame = pd.read_csv(FOLDER / "bank-model-predictions.csv")
    assert list(frame.columns) == ["label", "score"]
    assert len(frame) == 5_000
    assert frame["score"].between(0, 1).all()
    assert 0.11 < frame["label"].mean() < 0.14
    assert 0.88 < roc_auc_score(frame["label"], frame["score"]) < 0.93
    confident = frame[frame["score"] > 0.8]
    assert confident["label"].mean() < confident["score"].mean() - 0.05
