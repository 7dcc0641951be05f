"""Who lives where and with whom in the synthetic census: `sample_data.generate.census`."""

import numpy as np

from sample_data.generate.draws import Floats, Ints, Stream

__all__ = ["BIRTHPLACE", "EDUCATION", "MARITAL", "MARRIED", "RACE", "RELATIONSHIP", "household"]

# Five-year groups from birth; the last is 80 to 99.
AGES = (85, 80, 84, 90, 90, 88, 82, 75, 70, 66, 60, 50, 42, 34, 24, 14, 12)
# By state: log odds of a man, and of birth in another state.
MEN = (0.14, 0.20, 0.06, 0.08)
NEWCOMERS = (0.5, 0.7, 0.3, 0.4)

MARITAL = ("single", "married", "widowed", "divorced")
SINGLE, MARRIED = 0, 1
RELATIONSHIP = ("head", "wife", "child", "other relative", "lodger")
RACE = ("white", "Black", "American Indian", "Japanese", "other")
RACE_WEIGHTS = (970, 6, 9, 9, 6)
BIRTHPLACE = ("same state", "another state", "Canada", "Europe", "Asia", "elsewhere")
EDUCATION = (
    "none", "some grammar school", "grammar school", "some high school", "high school",
    "some college", "college",
)  # fmt: skip
# Years of schooling from which on a level is reached; "none" is reached by all.
LEVEL_YEARS = (1, 8, 9, 12, 13, 16)


def household(stream: Stream, state: Ints, background: Floats) -> dict[str, Ints]:
    """Return codes of age, sex, race, birthplace, family and schooling, shape (rows,) each."""
    rows = len(state)
    group = stream.pick(AGES, rows)
    width = np.where(group == len(AGES) - 1, 20, 5)
    age = 5 * group + np.floor(width * stream.uniform(rows)).astype(np.int64)
    man = stream.coin(np.asarray(MEN)[state], rows).astype(np.int64)
    marital = _marital(stream, age, man)
    years = _schooling(stream, age, background)
    return {
        "age": age,
        "sex": man,
        "race": stream.pick(RACE_WEIGHTS, rows),
        "birthplace": _birthplace(stream, state, age),
        "marital_status": marital,
        "relationship": _relationship(stream, age, man, marital == MARRIED),
        "years_of_schooling": years,
        "education": np.searchsorted(LEVEL_YEARS, years, side="right"),
    }


def _marital(stream: Stream, age: Ints, man: Ints) -> Ints:
    later = (age - 40) / 10
    grown = stream.pick_by_row(
        [0.0, 2.0 + 0.3 * later - 0.35 * later**2, -2.6 + 1.1 * later - 0.5 * man, -1.9], len(age)
    )
    return np.where(age >= 17, grown, SINGLE)


def _relationship(stream: Stream, age: Ints, man: Ints, married: Floats) -> Ints:
    grown, wife = age >= 17, married & (man == 0)
    husband = married & (man == 1)
    own = np.where(grown, -1.2 * np.maximum(age - 20, 0) / 5, 6.0)
    return stream.pick_by_row(
        [
            np.where(grown, 0.8 + 2.5 * husband - 8.0 * wife, -9.0),
            np.where(wife, 2.0, -20.0),
            1.5 + own - 2.0 * married,
            -1.0,
            np.where(grown, -0.6 - 1.5 * married, -4.0),
        ],
        len(age),
    )


def _birthplace(stream: Stream, state: Ints, age: Ints) -> Ints:
    later = (age - 40) / 10
    newcomer = np.asarray(NEWCOMERS)[state]
    return stream.pick_by_row(
        [
            1.0 - 0.5 * later,
            newcomer + 0.2 * later,
            -2.2 + 0.2 * later,
            -1.6 + 0.5 * later,
            -4.0,
            -3.6,
        ],
        len(age),
    )


def _schooling(stream: Stream, age: Ints, background: Floats) -> Ints:
    rows, later = len(age), (age - 40) / 10
    longest = np.round(9.8 + 2.6 * background - 0.5 * later + stream.normal(rows, 0, 1.4))
    # Many leave at the end of a school.
    left = np.where(stream.coin(-0.2, rows), np.where(longest < 10, 8, 12), longest)
    return np.clip(np.minimum(left, age - 6), 0, 17).astype(np.int64)
