"""Make naive Bayes less sure of itself: a small private logistic regression on its output."""

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import BlockObjective
from dpcore.mechanisms.regression.parted_objective import OnGrid, RowPart
from dpcore.mechanisms.regression.tables import Rows
from dpcore.models.additive import AdditiveModel
from dpcore.models.naive_bayes.ratio_tables import LEANING, RatioTables
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.release import Gate

# Where the log-odds of all features together are cut, so that rows lie in a public box.
_TOTAL_WIDTH = 8.0
# Where those of one feature are cut: wider, and noisier, with more records per unit of noise.
_FEATURE_WIDTHS = ((1_000, 2.0), (4_000, 2.5), (float("inf"), 4.0))
# Strength of the penalty, above 1, where noise hides all but one of the records of a calibration:
# an intercept that is mostly noise would call the smaller class the larger.
_LEAN = 100.0


def calibrates(training: Training, calibration: str) -> bool:
    """Whether a calibration follows the counts; from public facts only.

    Raises
    ------
    InvalidArgument
        If it does, and the records are not here: it reads the rows after the counts are released.
    """
    wanted = calibration == "fitted" and training.n_classes > 1 and bool(training.space.features)
    if wanted and not training.has_rows:
        requirement = '"none" to train on aggregates, since it reads rows once more'
        raise InvalidArgument("calibration", calibration, requirement)
    return wanted


def calibrate_total(
    tables: RatioTables, training: Training, *, loss: Loss, gate: Gate, records: float = np.inf
) -> AdditiveModel:
    """Fit an intercept and a slope to the log-odds (Platt scaling), for two classes.

    The penalty draws the slope towards the less, the more of the ratios is noise (`trust_in`), and
    the intercept towards where the prior counts in full: noise alone is no reason to call anybody
    of the smaller class.

    Sensitivity
        The row (s, 1), s the log-odds cut at +-8 and divided by 8, lies in the box [-1, 1]^2
        whatever the record; the tables are released already.
    Privacy
        `BlockObjective` with the whole of `loss`; one charge. The slope is applied to the log-odds
        uncut, which is post-processing.

    References
    ----------
    J. Platt (1999), Probabilistic outputs for support vector machines, in Advances in Large Margin
    Classifiers, MIT Press.
    """
    odds = tables.second_against_first()
    total = odds.sums(training.rows) + odds.log_prior
    trust = LEANING * tables.trust
    anchor = np.array([trust * _TOTAL_WIDTH, (1.0 - trust) * float(odds.log_prior[0])])
    # How much there is to lean on depends on released numbers only.
    leaning = records * float(loss.epsilon) / gate.neighbors.steps
    strength = 1.0 + _LEAN / max(leaning, 1.0)
    rows = np.column_stack([total / _TOTAL_WIDTH, np.ones(total.size)])
    np.clip(rows, -1.0, 1.0, out=rows)
    slope, intercept = _fitted((rows, training.classes), anchor, loss, gate, strength)
    # A slope below zero is noise: it would turn every prediction round.
    factor = max(float(slope), 0.0) / _TOTAL_WIDTH
    prior = odds.log_prior * factor + intercept
    return _sigmoid(odds.rescaled(prior, np.full(len(odds), factor), width=np.inf))


def temper_total(tables: RatioTables, factor: float) -> AdditiveModel:
    """Weigh the log-ratios by how much of them is not noise, without asking the records again.

    The noise of many words or columns adds up, so naive Bayes is the surer of itself the less it
    knows: the best slope of noisy evidence is the share of its variance that is not noise. The
    prior stays.

    Privacy
        Post-processing of released numbers.

    Examples
    --------
    >>> prior, odds = np.log([0.5, 0.5]), np.array([[-2.0, 2.0], [2.0, -2.0]])
    >>> tables = RatioTables(prior, (np.array([0.0, 1.0, 2.0]),), (odds,), (), ())
    >>> temper_total(tables, 0.5).terms[0].weights[0].round(6).tolist()
    [[-1.0, 1.0], [1.0, -1.0]]
    """
    factors = np.full(len(tables), factor)
    return tables.rescaled(tables.log_prior, factors, width=np.inf).model()


def calibrate_features(
    tables: RatioTables, training: Training, *, loss: Loss, gate: Gate, records_per_noise: float
) -> AdditiveModel:
    """Fit an intercept and a weight per feature to the log-odds, for two classes without texts.

    Sensitivity
        The row of the features' log-odds, each cut at a width and divided by it, and a 1, lies in
        the box [-1, 1]^(features + 1) whatever the record; tables and width are released already.
    Privacy
        `BlockObjective` with the whole of `loss`; one charge.
    """
    width = next(width for below, width in _FEATURE_WIDTHS if records_per_noise < below)
    odds = tables.second_against_first()
    anchor = np.append(np.full(len(odds), LEANING * width), odds.log_prior)
    rows = np.empty((training.rows.n_rows, len(odds) + 1), order="F")
    rows[:, -1] = 1.0
    odds.on_grid(width).responses(training.rows, out=rows[:, :-1])
    # A number has one entry of its table, which was cut to the box; indicators were added up.
    indicated = rows[:, len(odds.numeric) : -1]
    np.clip(indicated, -1.0, 1.0, out=indicated)
    *weights, intercept = _fitted(OnGrid((rows, training.classes)), anchor, loss, gate)
    return _sigmoid(odds.rescaled(np.array([intercept]), np.array(weights), width=width))


def _fitted(
    held: tuple[Rows, IntArray], anchor: FloatArray, loss: Loss, gate: Gate, strength: float = 1.0
) -> FloatArray:
    """Weights of the columns, the last a constant, of rows in the box."""
    parts = (RowPart(kind="box", width=anchor.size),)
    mechanism = BlockObjective(parts=parts, anchor=anchor, strength=strength, **gate.terms(loss))
    return gate.release(mechanism, held, label="calibration")[0, :]


def _sigmoid(odds: RatioTables) -> AdditiveModel:
    bias, terms = odds.additive_parts()
    return AdditiveModel("sigmoid", bias, terms)
