"""A synthetic cohort for the ten-year risk of heart disease.

Shaped like the well-known cohort tables (questionnaire, examination, blood test, outcome after ten
years); the numbers are our own, set by hand to plausible levels and to the signs that textbooks
give, not fitted to a real cohort, and mean nothing medically.

Latent variables of a person, independent standard normals:

metabolism
    Raises body mass, glucose, diabetes, cholesterol.
vessels
    Stiff vessels: raises both blood pressures, hypertension, stroke.
strain
    Raises heart rate, a little blood pressure, and smoking.

The label is a coin whose log odds are `_log_odds` below. Cells are blanked afterwards,
independently of each other, at the public rates `MISSING`.
"""

import numpy as np
import pandas as pd

from sample_data.generate.draws import Floats, Stream

__all__ = ["FILE", "ROWS", "SEED", "generate"]

FILE = "heart-risk.csv.gz"
ROWS = 4_200
SEED = 20_240_503

EDUCATION = ("primary", "secondary", "vocational", "college")
MISSING = {
    "education": 0.024,
    "cigarettes": 0.007,
    "bp_medication": 0.012,
    "cholesterol": 0.012,
    "bmi": 0.005,
    "heart_rate": 0.001,
    "glucose": 0.062,
}
INTERCEPT = -2.43


def generate(rows: int = ROWS, seed: int = SEED) -> pd.DataFrame:
    """Return the table: 15 features, some cells missing, and the label event ("no" or "yes")."""
    stream = Stream(seed)
    metabolism, vessels, strain = (stream.normal(rows) for _ in range(3))
    person = _person(stream, strain)
    examined = _examined(stream, person, metabolism, vessels, strain)
    complete = {**person, **examined}
    event = stream.coin(_log_odds(complete), rows)
    frame = _named(complete)
    for column, rate in MISSING.items():
        frame[column] = frame[column].mask(stream.uniform(rows) < rate)
    return frame.assign(event=np.where(event, "yes", "no"))


def _person(stream: Stream, strain: Floats) -> dict[str, Floats]:
    rows = len(strain)
    age = np.round(np.clip(stream.normal(rows, 50, 9), 30, 74))
    male = stream.coin(-0.2, rows).astype(float)
    smoker = stream.coin(-0.1 + 0.7 * male - 0.05 * (age - 50) + 0.3 * strain - 0.2, rows)
    amount = 1 + stream.exponential(rows, 7 + 7 * male) + 5 * stream.uniform(rows)
    return {
        "sex": male,
        "age": age,
        "education": stream.pick_by_row(
            [0.8 + 0.04 * (age - 50), 0.5, -0.1 - 0.3 * male, -0.4 + 0.3 * male], rows
        ).astype(float),
        "smoker": smoker.astype(float),
        "cigarettes": np.where(smoker, np.minimum(np.round(amount), 60), 0.0),
    }


def _examined(
    stream: Stream,
    person: dict[str, Floats],
    metabolism: Floats,
    vessels: Floats,
    strain: Floats,
) -> dict[str, Floats]:
    rows = len(vessels)
    older = person["age"] - 50
    bmi = 25.5 * np.exp(0.11 * metabolism + stream.normal(rows, 0.0, 0.09))
    load = 0.08 * older + 0.9 * vessels + 0.2 * strain + 0.05 * (bmi - 25.5)
    systolic = 130 * np.exp(0.11 * load + stream.normal(rows, 0.0, 0.05))
    diastolic = 82 + 0.35 * (systolic - 131) + stream.normal(rows, 0, 6.5)
    diabetic = stream.coin(-4.6 + 1.0 * metabolism + 0.05 * older, rows)
    glucose = 79 + 5 * metabolism + stream.normal(rows, 0, 9) + stream.exponential(rows, 2)
    hypertensive = (systolic >= 140) | (diastolic >= 92)
    return {
        "bp_medication": (hypertensive & stream.coin(-2.6 + 0.3 * load, rows)).astype(float),
        "stroke": stream.coin(-5.6 + 0.6 * load, rows).astype(float),
        "hypertension": hypertensive.astype(float),
        "diabetes": diabetic.astype(float),
        "cholesterol": np.round(
            232 + 1.1 * older + 12 * metabolism + stream.normal(rows, 0, 38)
        ).clip(110, None),
        "systolic": np.round(systolic),
        "diastolic": np.round(diastolic),
        "bmi": np.round(bmi, 1),
        "heart_rate": np.round(76 + 6 * strain - 2 * person["sex"] + stream.normal(rows, 0, 9)),
        "glucose": np.round(glucose + diabetic * stream.exponential(rows, 85)).clip(45, None),
    }


def _log_odds(person: dict[str, Floats]) -> Floats:
    """Return the log odds of an event within ten years, shape (rows,)."""
    return (
        INTERCEPT
        + 0.060 * (person["age"] - 50)
        + 0.50 * person["sex"]
        + 0.022 * person["cigarettes"]
        + 0.017 * (person["systolic"] - 131)
        + 0.003 * (person["cholesterol"] - 232)
        + 0.006 * (person["glucose"] - 82)
        + 0.15 * person["bp_medication"]
        + 0.70 * person["stroke"]
        + 0.15 * person["hypertension"]
        + 0.10 * person["diabetes"]
        + 0.010 * (person["bmi"] - 25.5)
    )


def _named(codes: dict[str, Floats]) -> pd.DataFrame:
    """Return the codes as a table: level names, or integers except for bmi."""
    no_yes = ("no", "yes")
    yes_no_columns = ("smoker", "bp_medication", "stroke", "hypertension", "diabetes")
    names = {"sex": ("female", "male"), "education": EDUCATION}
    names |= dict.fromkeys(yes_no_columns, no_yes)
    columns: dict[str, object] = {}
    for column, code in codes.items():
        if column in names:
            columns[column] = np.asarray(names[column])[code.astype(int)]
        else:
            columns[column] = code if column == "bmi" else code.astype(int)
    return pd.DataFrame(columns).convert_dtypes()
