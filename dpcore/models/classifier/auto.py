"""Naive Bayes for texts, and for levels with few records; else the regression, or both in one."""

import math

from dpcore.models.additive import AdditiveModel
from dpcore.models.class_sizes import released_sizes
from dpcore.models.logistic.objective import objective_of
from dpcore.models.naive_bayes.calibration import calibrates
from dpcore.models.naive_bayes.histogram import histogram_of, released_ratios
from dpcore.models.naive_bayes.l1_counts import l1_counts
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate

# From so many records per unit of noise on the regression is the better of the two for two classes:
# for levels alone. Most of them come in as numbers vanish, so many in proportion to the share of
# levels; for numbers it is never the worse. For more classes (records of a pair of them): for
# numbers, and so many more in proportion to the square of that share.
_LEVELS, _SOME = 120.0, 10.0
_OF_SEVERAL, _OF_SEVERAL_LEVELS = 20.0, 110.0

# For two classes columns of so many levels or more are counted, up to so many records per unit of
# noise for each level: noise is that of one level, and each holds the fewer records the more there
# are. Their share of epsilon is this part of what they would have beside as many other columns.
_FEWEST_LEVELS, _RECORDS_A_LEVEL = 9, 20.0
_COUNTED, _OTHERS = 3, 5


def auto(training: Training, *, loss: Loss, gate: Gate) -> AdditiveModel:
    """Train by `l1_counts` if the schema has a text, else by `histogram`, `objective` or both.

    The class sizes, which each releases first, choose between the last two: the regression takes
    over from some records per unit of noise on (records times epsilon over columns). For two
    classes it is taken at once if all columns are numbers, from 5 on if half of them are, and from
    120 on if none is; for more, of which the records of two count, from 20, 47 and 130 on. Of two
    classes, columns of K levels are counted even then, as naive Bayes does, while there are 20 K
    records per unit of noise or less, if K is 9 or more; what they say is a column of the
    regression.

    Sensitivity
        That of the method chosen; of counted levels that of `released_ratios`.
    Privacy
        epsilon. The choice reads the schema and released class sizes, never a record, and costs
        nothing: the method chosen goes on from those sizes.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPClassifier
    >>> model = DPClassifier(2, classes=(0, 1, 2), bounds=(0, 1), noise=SeededNoise(2))
    >>> X, y = [[0.1], [0.5], [0.9]], [0, 1, 2]
    >>> [charge.label for charge in model.fit(X, y).release_.charges]
    ['class sizes', 'class sizes again', 'range of numbers', 'histograms of 3 cells']
    >>> [charge.label for charge in model.fit(X * 20, y * 20).release_.charges]
    ['class sizes', 'class sizes again', 'range of numbers', 'weights']
    """
    blocks = training.rows.indicator_blocks
    if training.space.has_words:
        return l1_counts(training, loss=loss, gate=gate)
    sizes, rest = released_sizes(training, loss=loss, gate=gate)
    columns = max(training.rows.numeric.shape[1] + len(blocks), 1)
    per_noise = sizes.of_a_pair * float(loss.epsilon) / (gate.neighbors.steps * columns)
    share = sum(block.stop - block.start > 1 for block in blocks) / columns
    enough = _SOME * share + (_LEVELS - _SOME) * share**12
    fewest = max(_FEWEST_LEVELS, per_noise / _RECORDS_A_LEVEL)
    if training.n_classes > 2:
        enough, fewest = _OF_SEVERAL + _OF_SEVERAL_LEVELS * share**2, math.inf
    counted = tuple(block for block in blocks if block.stop - block.start >= fewest)
    if training.n_classes > 1 and per_noise >= enough and columns > len(counted):
        ratios = None
        if counted:
            # What the counts say is a column of its own.
            parts = _COUNTED * len(counted), _OTHERS * (columns - len(counted) + 1)
            for_counts, rest = rest.split(parts)
            found = released_ratios(training, sizes, (), counted, for_counts, gate)
            ratios = found.second_against_first()
        return objective_of(training, sizes, loss=loss, rest=rest, gate=gate, counted=ratios)
    calibrated = calibrates(training, "fitted")
    return histogram_of(training, sizes, loss=loss, rest=rest, gate=gate, calibrated=calibrated)


METHOD = Method.told("auto", __file__, run=auto)
