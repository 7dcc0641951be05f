"""Private calibration: one file per method, each ending in ``METHOD``.

A method is a function ``run(scores, *, loss, gate, groups, edges, **parameters) -> Measurement`` of
a `dpcore.data.counting.ScoreHistogram`. It releases everything private through the gate, spends at
most `loss`, and never fails on data: empty classes, ties and single records give a noisy table too.
Statistics, p-values and bands are computed from the `Measurement`, so they cost nothing, and every
method gets the same ones.
"""
