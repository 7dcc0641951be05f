"""Private ROC curves: one file per method, each ending in ``METHOD``.

A method is a function ``run(scores, *, loss, gate, **parameters) -> RocCurve`` of a
`dpcore.data.counting.ScoreHistogram`. It releases everything private through the gate, spends at
most `loss`, and never fails on data: empty classes, ties and single records give a noisy curve too.
"""
