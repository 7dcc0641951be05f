"""Ways to turn an output into one number that tells two data sets apart, learned from samples."""

from dpcore.audit.statistics.coordinates import coordinates
from dpcore.audit.statistics.exact_matches import exact_matches
from dpcore.audit.statistics.histograms import histograms
from dpcore.audit.statistics.logistic import logistic
from dpcore.audit.statistics.statistic import Statistic

__all__ = ["Statistic", "coordinates", "exact_matches", "histograms", "logistic"]
