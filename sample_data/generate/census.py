"""A synthetic stand-in for extracts of the 1940 census, from four western states.

Real extracts come from IPUMS, which lets nobody pass them on. This one has their shape: whole
populations with children, thirteen attributes, and a label that says whether the yearly wage of a
person is above the mean of everybody. Nothing was fitted to a census; levels and signs were set by
hand to plausible values, in one go, before any private method ran on them.

What is assumed:

state
    Blocks in the proportions of the states' populations. States differ a little in the share of
    men, of farm work, and of people born elsewhere.
background
    A latent standard normal of a person: raises schooling, wages and the better-paid occupations.
household
    Marital status and relationship follow age and sex (`census_household.py`).
work
    Who works, and at what, follows age, sex and marital status. Hours and weeks are zero for all
    who do not work, more than half of everybody, and have peaks at a full week and a full year
    (`census_work.py`).
wage
    Log-normal around schooling, occupation, sex, age, hours and weeks; zero without employment.
    Race and birthplace have no effect.

The label is a threshold on the wage, which is then left out, as in the paper's experiment.
"""

import numpy as np
import pandas as pd

from sample_data.generate.census_household import (
    BIRTHPLACE,
    EDUCATION,
    MARITAL,
    RACE,
    RELATIONSHIP,
    household,
)
from sample_data.generate.census_work import OCCUPATION, WORKER, wage, work
from sample_data.generate.draws import Floats, Ints, Stream

__all__ = ["FILE", "MEAN_WAGE", "PEOPLE", "ROWS", "SEED", "STATES", "generate", "wages"]

FILE = "census-1940.csv.gz"
# A fiftieth of the records of the paper's table.
ROWS = 61_200
SEED = 20_240_505

STATES = ("Wyoming", "Nevada", "Oregon", "Washington")
PEOPLE = (250_000, 110_000, 1_000_000, 1_700_000)
# Of everybody, in dollars a year.
MEAN_WAGE = 300


def generate(rows: int = ROWS, seed: int = SEED) -> pd.DataFrame:
    """Return the table: state, 13 attributes, and income ("at most mean" or "above mean")."""
    codes, paid = _people(rows, seed)
    return _named(codes).assign(income=np.where(paid > MEAN_WAGE, "above mean", "at most mean"))


def wages(rows: int = ROWS, seed: int = SEED) -> Floats:
    """Return the wages behind the labels of the same rows, in dollars a year."""
    return _people(rows, seed)[1]


def _people(rows: int, seed: int) -> tuple[dict[str, Ints], Floats]:
    stream = Stream(seed)
    ends = np.round(np.cumsum(PEOPLE) / sum(PEOPLE) * rows)
    state = np.searchsorted(ends, np.arange(rows), side="right")
    background = stream.normal(rows)
    codes = {"state": state, **household(stream, state, background)}
    codes |= work(stream, codes, background)
    return codes, wage(stream, codes, background)


def _named(codes: dict[str, Ints]) -> pd.DataFrame:
    """Return the codes as a table with level names, in the shipped order of columns."""
    names = {
        "state": STATES, "sex": ("female", "male"), "race": RACE, "birthplace": BIRTHPLACE,
        "marital_status": MARITAL, "relationship": RELATIONSHIP, "education": EDUCATION,
        "occupation": OCCUPATION, "class_of_worker": WORKER, "other_income": ("no", "yes"),
    }  # fmt: skip
    return pd.DataFrame(
        {
            column: np.asarray(names[column])[code] if column in names else code
            for column, code in codes.items()
        }
    )
