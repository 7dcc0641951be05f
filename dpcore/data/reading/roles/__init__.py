"""Roles of the columns of predictions: which is the label, which are scores, and of which class.

A new form of a file is added where its question is asked; imports go downward:

=============  =====================================================================================
`refusals`     of which tables nobody could tell whose the scores are, and in which sentence
`columns`      which column is the label, which are the scores and the group, by names and by cells
`pairs`        which columns speak of the classes, and of two which speaks of which
`classes`      which classes the labels are, which is positive, and each label as one of them
=============  =====================================================================================
"""

import tomllib
from pathlib import Path

_FILE = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
# The words by which all of them tell.
KNOWN = {what: tuple(map(str, words)) for what, words in _FILE.items()}
