"""Training and test records."""

from __future__ import annotations

from dpcore import _check
from dpcore._typing import BoolArray
from dpcore.noise import NoiseSource


def split_records(n: int, *, test_fraction: float, noise: NoiseSource) -> BoolArray:
    """Choose test records by one independent coin per record.

    Parameters
    ----------
    n : int
        Number of records.
    test_fraction : float
        Probability that a record is a test record, in [0, 1].
    noise : NoiseSource
        Where the coins come from.

    Returns
    -------
    BoolArray of shape (n,)
        True for test records. Their number is random.

    Raises
    ------
    InvalidArgument
        If `n` is negative or `test_fraction` is no probability.

    Privacy
        Costs nothing: a coin does not depend on any record. Because every record has its own coin,
        adding or removing one record moves no other record between the parts: the neighbouring
        table differs in one part only, whichever the coin says. So an epsilon_1-private release of
        the training part and an epsilon_2-private release of the test part are together
        max(epsilon_1, epsilon_2)-private under add/remove (parallel composition). A split into
        parts of exact size has no such property: there one record more shifts others across the
        border.

    References
    ----------
    F. McSherry (2009), Privacy integrated queries, SIGMOD, Theorem 4. doi:10.1145/1559845.1559850

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> is_test = split_records(1000, test_fraction=0.3, noise=SeededNoise(1))
    >>> is_test.shape, 250 < is_test.sum() < 350
    ((1000,), np.True_)
    """
    _check.integer_in_range(0, None, n=n)
    _check.in_range(0, 1, test_fraction=test_fraction)
    return noise.coins(n, test_fraction)
