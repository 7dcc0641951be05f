"""A synthetic campaign of a bank that phones its customers to sell a savings plan.

Shaped like the well-known telemarketing tables (customer, calendar, contact history, outcome of an
earlier campaign), with category names and coefficients of our own; nothing was fitted to a real
table. There is no length-of-call column: every feature is known before the call.

Latent variables of a customer, independent standard normals unless said otherwise:

wealth
    Raises education, balance, the better-paid jobs; lowers default and loans.
engagement
    How close the customer is to the bank: raises logins, earlier contacts, calls to a mobile.
appetite
    Interest in savings plans, 0.6 engagement + 0.8 of its own: raises logins and decides the
    outcome of the earlier campaign together with the label.

The label is a coin whose log odds are `_log_odds` below.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sample_data.generate.draws import Floats, Ints, Stream

__all__ = ["FILE", "ROWS", "SEED", "generate"]

FILE = "bank-calls.csv.gz"
ROWS = 40_000
SEED = 20_240_502

JOBS = (
    "office", "trade", "technical", "management", "service", "retired",
    "self-employed", "student", "unemployed", "household", "other",
)  # fmt: skip
JOB_AGE_PULL = (-0.1, 0.0, -0.1, 0.1, -0.1, 0.0, 0.1, 0.0, 0.0, 0.2, 0.0)
JOB_WEALTH_PULL = (0.1, -0.6, 0.3, 1.1, -0.4, 0.0, 0.3, -0.2, -0.7, -0.3, 0.0)
JOB_BASE = (2.2, 2.1, 1.9, 1.7, 1.4, -0.2, 0.4, -0.2, 0.0, 0.0, -1.2)
JOB_EFFECT = (0.0, -0.2, 0.0, 0.1, -0.2, 0.6, -0.1, 0.9, 0.2, -0.1, 0.0)
MARITAL = ("married", "single", "separated")
EDUCATION = ("basic", "secondary", "college", "unstated")
CONTACT = ("mobile", "landline", "unstated")
MONTHS = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
MONTH_VOLUME = (4, 6, 2, 8, 28, 12, 15, 13, 2, 3, 9, 1)
MONTH_EFFECT = (-0.6, 0.3, 2.0, 0.8, -1.2, -0.1, -0.7, -0.2, 1.9, 1.8, -0.6, 1.9)
PREVIOUS = ("never", "declined", "accepted", "other")
PREVIOUS_EFFECT = (0.0, 0.9, 2.3, 1.1)

INTERCEPT = -4.7
MAX_DAYS_BACK = 400


def generate(rows: int = ROWS, seed: int = SEED) -> pd.DataFrame:
    """Return the table: 16 features and the label subscribed ("no" or "yes")."""
    stream = Stream(seed)
    wealth, engagement, own = (stream.normal(rows) for _ in range(3))
    appetite = 0.6 * engagement + 0.8 * own
    customer = _customer(stream, wealth)
    call = _call(stream, engagement, appetite)
    history = _history(stream, engagement, appetite)
    codes = {**customer, **call, **history}
    subscribed = stream.coin(_log_odds(codes, appetite), rows)
    return _named(codes).assign(subscribed=np.where(subscribed, "yes", "no"))


def _customer(stream: Stream, wealth: Floats) -> dict[str, Ints]:
    rows = len(wealth)
    stage = stream.normal(rows)
    age = np.clip(np.round(40 + 12 * stage + 1.5 * stage**2), 18, 95)
    decades = (age - 40) / 10
    job_pull = zip(JOB_BASE, JOB_AGE_PULL, JOB_WEALTH_PULL, strict=True)
    job_logits = [base + by_age * decades + by_wealth * wealth
                  for base, by_age, by_wealth in job_pull]  # fmt: skip
    job_logits[JOBS.index("retired")] += 8.0 * np.clip((age - 60) / 10, -1, 1)
    job_logits[JOBS.index("student")] += 4.0 * np.clip((28 - age) / 10, -1, 1)
    savings = 800 * np.exp(0.7 * wealth + stream.normal(rows, 0.0, 1.1))
    balance = savings - 400 + stream.normal(rows, 0.0, 200)
    return {
        "age": age.astype(np.int64),
        "job": stream.pick_by_row(job_logits, rows),
        "marital": stream.pick_by_row([1.0, -1.1 * decades, -0.7 + 0.2 * decades], rows),
        "education": stream.pick_by_row([-0.9 * wealth, 1.1, 0.5 + 1.1 * wealth, -1.9], rows),
        "default": stream.coin(-4.3 - 0.9 * wealth, rows).astype(np.int64),
        "balance": np.round(balance).astype(np.int64),
        "housing": stream.coin(0.3 - 0.5 * np.abs(decades), rows).astype(np.int64),
        "loan": stream.coin(-1.7 - 0.5 * wealth, rows).astype(np.int64),
    }


def _call(stream: Stream, engagement: Floats, appetite: Floats) -> dict[str, Ints]:
    rows = len(engagement)
    month = stream.pick(MONTH_VOLUME, rows)
    landline_months = np.isin(month, (MONTHS.index("may"), MONTHS.index("jun")))
    habit = 1.5 + 0.2 * engagement + 0.5 * appetite + stream.normal(rows, 0.0, 0.6)
    return {
        "contact": stream.pick_by_row(
            [1.2 + 0.5 * engagement, -0.9, 0.4 * landline_months - 0.4], rows
        ),
        "day": 1 + stream.pick([1.0] * 31, rows),
        "month": month,
        "logins": np.floor(np.maximum(habit, 0) ** 2).astype(np.int64),
        "campaign": 1
        + np.floor(stream.exponential(rows, np.exp(0.5 - 0.3 * appetite))).astype(np.int64),
    }


def _history(stream: Stream, engagement: Floats, appetite: Floats) -> dict[str, Ints]:
    """Return the earlier campaign; who was never called has the cap of 400 days and 0 calls."""
    rows = len(engagement)
    known = stream.coin(-0.8 + 0.6 * engagement, rows)
    days = np.round(60 + stream.exponential(rows, 150.0)).clip(1, MAX_DAYS_BACK)
    outcome = 1 + stream.pick_by_row([0.9, -0.6 + 1.2 * appetite, -0.6], rows)
    calls = 1 + np.floor(stream.exponential(rows, np.exp(-0.1 + 0.2 * engagement)))
    return {
        "pdays": np.where(known, days, MAX_DAYS_BACK).astype(np.int64),
        "previous": np.where(known, calls, 0).astype(np.int64),
        "poutcome": np.where(known, outcome, 0),
    }


def _log_odds(codes: dict[str, Ints], appetite: Floats) -> Floats:
    """Return the log odds of a subscription, shape (rows,)."""
    decades = (codes["age"] - 40) / 10
    return np.asarray(
        INTERCEPT
        + 1.0 * appetite
        + 1.1 * np.log1p(codes["logins"])
        + np.asarray(JOB_EFFECT)[codes["job"]]
        + np.asarray(MONTH_EFFECT)[codes["month"]]
        + np.asarray(PREVIOUS_EFFECT)[codes["poutcome"]]
        + np.asarray((0.5, 0.3, -1.4))[codes["contact"]]
        + np.asarray((-0.1, 0.2, 0.1))[codes["marital"]]
        + np.asarray((-0.2, 0.0, 0.3, 0.1))[codes["education"]]
        + 0.25 * np.log1p(np.maximum(codes["balance"], 0) / 500)
        + 0.08 * decades**2
        - 0.9 * codes["housing"]
        - 0.7 * codes["loan"]
        - 0.4 * codes["default"]
        - 0.12 * (codes["campaign"] - 1)
    )


def _named(codes: dict[str, Ints]) -> pd.DataFrame:
    """Return the codes as a table with level names, in the shipped order of columns."""
    no_yes = ("no", "yes")
    names: dict[str, Sequence[str]] = {
        "job": JOBS, "marital": MARITAL, "education": EDUCATION, "default": no_yes,
        "housing": no_yes, "loan": no_yes, "contact": CONTACT, "month": MONTHS,
        "poutcome": PREVIOUS,
    }  # fmt: skip
    return pd.DataFrame(
        {
            column: np.asarray(names[column])[code] if column in names else code
            for column, code in codes.items()
        }
    )
