"""The paper's synthetic records: a Poisson number of them at each of N values."""

from __future__ import annotations

from dpcore.evaluation import CellCounts, uniform_grid
from dpcore.noise.seeded import monte_carlo


def poisson_records(rate: float, points: int, seed: int) -> CellCounts:
    """Counts of records on the values 1, 2, ..., N.

    Parameters
    ----------
    rate
        The paper's lambda: mean number of records at a value.
    points
        N, a power of two.
    seed
        Public.

    Examples
    --------
    >>> cells = poisson_records(3.0, 1024, 0)
    >>> cells.grid[-1], bool(abs(cells.counts.mean() - 3.0) < 0.3)
    (np.float64(1024.0), True)
    """
    counts = monte_carlo(seed).poisson(rate, points)
    return CellCounts(counts, uniform_grid(1, points, points))
