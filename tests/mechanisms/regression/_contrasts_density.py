"""The density of `ContrastsOfBlocks` for blocks of one entry, by quadrature over what it sums."""

from __future__ import annotations

import numpy as np

from dpcore.mechanisms.regression.signed_blocks import ContrastsOfBlocks

# How far the grid goes beyond all entries, in units of 1 over the rate of the rows.
_BEYOND = 9.0


def log_density(law: ContrastsOfBlocks, matrix: np.ndarray, step: float) -> float:
    """Up to a constant; for three classes (a row of noise for each pair) or five or more.

    Of matrices of whole steps it is the exact density of such a law on whole steps.
    """
    assert set(law.sizes) == {1}
    assert law.n_classes != 4
    paired = law.n_classes == 3
    rate = law.rate * (2.0 if paired else 1.0)
    # Of three classes noise that goes round all pairs changes nothing, nor does noise for all of
    # several classes alike: with u the first pair's, the others have these.
    moves = [(1, 0.0), (-1, matrix[0]), (1, matrix[1])] if paired else [(1, one) for one in matrix]
    ends = np.array([-sign * np.broadcast_to(one, matrix.shape[1:]) for sign, one in moves])
    far = _BEYOND / rate
    axes = [
        step * np.arange(np.floor((low - far) / step), np.ceil((high + far) / step) + 1)
        for low, high in zip(ends.min(axis=0), ends.max(axis=0), strict=True)
    ]
    places = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    logs = np.zeros(places.shape[:-1])
    for sign, one in moves:
        moved = sign * places + one
        logs -= rate * (moved.max(axis=-1).clip(0) - moved.min(axis=-1).clip(max=0))
    highest = logs.max()
    return float(highest + np.log(np.exp(logs - highest).sum()))
