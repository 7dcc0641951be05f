"""Pictures of results: arrays in, Plotly figures out, for pages, reports and notebooks alike."""

from dpcore.figures.estimates import features_picture
from dpcore.figures.history import history_picture
from dpcore.figures.picture import Picture, plotly_folder
from dpcore.figures.roc import roc_picture, true_trace
from dpcore.figures.scores import classes_picture, scores_picture
from dpcore.figures.theme import DARK, LIGHT, Theme, theme_of
from dpcore.figures.thin import thin

__all__ = ["DARK", "LIGHT", "Picture", "Theme", "classes_picture", "features_picture"]
__all__ += ["history_picture", "plotly_folder", "roc_picture", "scores_picture", "theme_of", "thin"]
__all__ += ["true_trace"]
