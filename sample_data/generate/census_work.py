"""Work and wages in the synthetic census: `sample_data.generate.census`."""

import numpy as np

from sample_data.generate.census_household import MARRIED
from sample_data.generate.draws import Floats, Ints, Stream

__all__ = ["OCCUPATION", "WORKER", "wage", "work"]

FARMS = (0.4, 0.1, 0.1, -0.1)  # log odds of farm work against other work, by state

OCCUPATION = (
    "none", "professional", "farmer", "manager", "clerical", "craftsman", "operative",
    "service", "farm labourer", "labourer",
)  # fmt: skip
FARMER, FARM_LABOURER = 2, 8
# Of all but "none".
JOB_BASE = (1.0, 0.9, 1.2, 1.7, 1.5, 1.8, 1.2, 0.5, 1.2)
JOB_MAN = (-0.8, 2.0, 0.8, -0.8, 2.5, 0.4, -1.2, 1.6, 2.2)
JOB_BACKGROUND = (1.2, -0.1, 0.6, 0.5, 0.1, -0.2, -0.3, -0.5, -0.5)
JOB_WAGE = (0.4, 0.0, 0.5, 0.15, 0.3, 0.05, -0.35, -0.5, -0.15)
WORKER = ("none", "private employee", "government employee", "own account", "unpaid family")
PRIVATE, GOVERNMENT, OWN_ACCOUNT = 1, 2, 3


def work(stream: Stream, codes: dict[str, Ints], background: Floats) -> dict[str, Ints]:
    """Return codes of occupation, class of worker, hours, weeks and other income."""
    rows, age, man = len(background), codes["age"], codes["sex"]
    married = codes["marital_status"] == MARRIED
    away = np.maximum(22 - age, 0) / 3 + np.maximum(age - 60, 0) / 6
    usual = np.where(man == 1, 2.6, 0.4 - 2.0 * married)
    works = stream.coin(usual - away + 0.1 * background, rows) & (age >= 14)
    job = np.where(works, _occupation(stream, codes, background), 0)
    worker = np.where(works, _worker(stream, job == FARMER, background), 0)
    idle = stream.coin(-2.0 - 0.3 * background, rows)
    hours = np.where(works & ~idle, _hours(stream, rows), 0)
    whole_year = stream.coin(0.5 + 0.4 * background, rows)
    weeks = np.where(whole_year, 52, np.ceil(52 * stream.uniform(rows) ** 0.6))
    other = stream.coin(-3.4 + 1.9 * (worker == OWN_ACCOUNT) + 0.03 * (age - 40), rows)
    return {
        "occupation": job,
        "class_of_worker": worker,
        "hours": hours.astype(np.int64),
        "weeks": np.where(works, weeks, 0).astype(np.int64),
        "other_income": other.astype(np.int64),
    }


def wage(stream: Stream, codes: dict[str, Ints], background: Floats) -> Floats:
    """Return yearly wages in dollars, shape (rows,); zero for all who are not paid any."""
    later = (np.clip(codes["age"], 14, 70) - 45) / 10
    usual_hours = np.where(codes["hours"] > 0, codes["hours"], 40)
    log_wage = (
        np.log(950)
        + 0.03 * (codes["years_of_schooling"] - 9)
        + 0.15 * background
        + np.asarray((0.0, *JOB_WAGE))[codes["occupation"]]
        + 0.45 * (codes["sex"] - 1)
        - 0.09 * later**2
        + 0.4 * np.log(usual_hours / 44)
        + np.log(np.maximum(codes["weeks"], 1) / 52)
        + stream.normal(len(background), 0.0, 0.45)
    )
    paid = np.isin(codes["class_of_worker"], (PRIVATE, GOVERNMENT))
    return np.asarray(np.where(paid, np.exp(log_wage), 0.0))


def _occupation(stream: Stream, codes: dict[str, Ints], background: Floats) -> Ints:
    logits = [
        base + by_man * codes["sex"] + by_background * background
        for base, by_man, by_background in zip(JOB_BASE, JOB_MAN, JOB_BACKGROUND, strict=True)
    ]
    for job in (FARMER, FARM_LABOURER):
        logits[job - 1] = logits[job - 1] + np.asarray(FARMS)[codes["state"]]
    return 1 + stream.pick_by_row(logits, len(background))


def _worker(stream: Stream, farmer: Floats, background: Floats) -> Ints:
    employed = -6.0 * farmer
    logits = [1.6 + employed, -0.6 + 0.5 * background + employed, -0.9 + 5.0 * farmer, -3.2]
    return 1 + stream.pick_by_row(logits, len(background))


def _hours(stream: Stream, rows: int) -> Floats:
    fixed = 40.0 + 8.0 * stream.coin(0.2, rows)
    found = np.where(stream.coin(0.0, rows), fixed, stream.normal(rows, 46, 14))
    return np.clip(np.round(found), 1, 98)
