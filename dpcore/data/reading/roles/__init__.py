"""Roles of the columns of predictions: which is the label, which are scores, and of which class.

A new form of a file is added where its question is asked; imports go downward:

=============  =====================================================================================
`columns`      which column is the label, which are the scores and the group
`refusals`     of which tables nobody could tell whose the scores are, and in which sentence
`scores`       how a column of scores is recognised; which of two classes' scores is the positive's
`classes`      which classes the labels are, and each label as one of them
`positive`     which of the classes is the positive one, by words, rarity or the name of a score
`names`        what the words of a name say; the words themselves are in ``words.toml``
=============  =====================================================================================
"""
