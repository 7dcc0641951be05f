"""What every source of noise can do, and noise for real releases: OpenDP's samplers."""

from __future__ import annotations

import ctypes
import math
import secrets
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

import numpy as np
from opendp._data import object_type
from opendp._lib import AnyObjectPtr, FfiResult, FfiSlice, lib, unwrap
from opendp.core import measurement_input_carrier_type
from opendp.domains import atom_domain, vector_domain
from opendp.measurements import make_laplace, make_noisy_max
from opendp.measures import zero_concentrated_divergence
from opendp.metrics import l1_distance, linf_distance
from opendp.mod import enable_features

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray, NDArray
from dpcore.errors import InvalidArgument

# Noise of this scale stays below 2^61, and sums with clamped values inside 64 bits, but for a
# probability of exp(-512). Beyond it samplers saturate and integers wrap, which would give the
# value away.
LARGEST_SCALE = 2.0**52

LARGEST_VALUE = 2**61


@lru_cache(maxsize=256, typed=True)
def checked_scale(scale: Fraction | float) -> float:
    """A positive scale as a double, rounded up, or `InvalidArgument` if it is too wide to draw.

    Examples
    --------
    >>> checked_scale(Fraction(5, 2))
    2.5
    """
    _check.positive(scale=scale)
    if scale > LARGEST_SCALE:
        raise InvalidArgument(
            "scale", float(scale), "at most 2^52 cells, so ask for a larger epsilon"
        )
    return ceil_to_float(scale)


def ceil_to_float(value: Fraction | float) -> float:
    """The smallest double that is not below an exact value.

    A scale rounded down would spend slightly more than was charged; rounded up, it never does.

    Examples
    --------
    >>> Fraction(ceil_to_float(Fraction(1, 10))) >= Fraction(1, 10)
    True
    """
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


@runtime_checkable
class NoiseSource(Protocol):
    """The few primitives from which every mechanism is built.

    Mechanisms call them, and nothing else does: all other code goes through the gate,
    `dpcore.release`. `coins` is the exception, because a coin protects nothing by itself.
    """

    @property
    def simulated(self) -> bool:
        """Whether someone could repeat the draws."""

    def discrete_laplace(self, scale: float | Fraction, size: int) -> IntArray:
        """Draw integers z with probability proportional to exp(-abs(z) / scale)."""

    def uniform(self, size: int) -> FloatArray:
        """Draw numbers uniformly from the open interval (0, 1)."""

    def choose(self, log_weights: FloatArray) -> int:
        """Draw an index with probability proportional to exp(log_weights[index])."""

    def coins(self, size: int, probability: float) -> BoolArray:
        """Flip independent coins that come up True with this probability."""


# OpenDP marks mechanisms whose proofs its maintainers have not formally vetted as "contrib"; the
# two used here (discrete Laplace and noisy max) have proofs in its documentation.
enable_features("contrib")

# Above this many candidates a choice goes through groups of so many. A call of the sampler costs as
# much as several hundred candidates near the likeliest, or as some fifty far below it: those whose
# weights are below exp(-6) of the largest are one group.
_CHOSEN_AT_ONCE, _NEAR = 256, 6.0

_FARTHEST = float(np.finfo(np.float64).max)

# Not 2^-53: the middle of the last of 2^53 cells is no double and would round to 1.
_UNIT = 2.0**-52


_WHOLE_NUMBERS, _L1 = vector_domain(atom_domain(T="i64")), l1_distance(T="i64")


@lru_cache(maxsize=64)
def _laplace_sampler(scale: float) -> Callable[[IntArray], list[int]]:
    return sampler(make_laplace(_WHOLE_NUMBERS, _L1, scale=scale))


@lru_cache(maxsize=1)
def _gumbel_sampler() -> Callable[[FloatArray], list[int]]:
    domain = vector_domain(atom_domain(T="f64", nan=False))
    # Under this measure OpenDP adds Gumbel noise, and the index of the maximum of
    # log-weights plus Gumbel noise has exactly the softmax distribution.
    return sampler(
        make_noisy_max(domain, linf_distance(T="f64"), zero_concentrated_divergence(), scale=1.0)
    )


def _one_of(log_weights: FloatArray) -> int:
    """A place by a few calls of the sampler, mostly one; all log-weights are finite."""
    near = log_weights >= log_weights.max() - _NEAR
    candidates = near.nonzero()[0]
    if candidates.size <= _CHOSEN_AT_ONCE:
        if candidates.size == log_weights.size:
            return _gumbel_sampler()(log_weights)[0]
        far = log_weights[~near]
        both = np.concatenate((log_weights[candidates], _log_sums(far[None])))
        place = _gumbel_sampler()(both)[0]
        if place < candidates.size:
            return int(candidates[place])
        return int(np.flatnonzero(~near)[_one_of(far)])
    first = _CHOSEN_AT_ONCE * _one_of(_log_sums(_in_groups(log_weights)))
    return first + _one_of(log_weights[first : first + _CHOSEN_AT_ONCE])


def _in_groups(log_weights: FloatArray) -> FloatArray:
    """Shape (groups, `_CHOSEN_AT_ONCE`); the last is filled up with weights of zero."""
    filled = np.full(-(-log_weights.size // _CHOSEN_AT_ONCE) * _CHOSEN_AT_ONCE, -np.inf)
    filled[: log_weights.size] = log_weights
    return filled.reshape(-1, _CHOSEN_AT_ONCE)


def _below_largest(log_weights: FloatArray) -> FloatArray:
    """The same law with the largest at 0: sums of weights are then rounded least where it counts.

    None becomes a weight of zero, however far below it lies.
    """
    with np.errstate(over="ignore"):
        shifted = log_weights - log_weights.max()
    near: FloatArray = np.maximum(shifted, -_FARTHEST, dtype=np.float64)
    return near


def _log_sums(groups: FloatArray) -> FloatArray:
    """Logarithm of the weight of each group, which has one that is not zero."""
    largest = groups.max(axis=1)
    # Added to a sum of one or more, exp(-700) is nothing; below, it takes six times as long.
    below = np.maximum(groups - largest[:, None], -700.0)
    sums: FloatArray = largest + np.log(np.exp(below, out=below).sum(axis=1))
    return sums


class SystemNoise:
    """Unrepeatable noise.

    Notes
    -----
    Integers come from OpenDP's exact discrete Laplace sampler, and choices from its exact Gumbel
    sampler: neither touches floating-point noise, whose low bits give values away (Mironov 2012).
    Uniform numbers are the middles of 2^52 equal cells of the interval.

    A choice is drawn in steps where that is less work: candidates far below the likeliest are one
    group, and so is each run of 256 where more than so many are near it; of a group that is drawn
    one is chosen in the same way. That is the same law. Log-weights are counted from the largest,
    and so is the logarithm of a group's weight: at a distance of d each is rounded by a few units
    of 2^-53 (1 + d) at each step, however large the log-weights are.

    References
    ----------
    I. Mironov (2012), On significance of the least significant bits for differential privacy, CCS.
    doi:10.1145/2382196.2382264

    Examples
    --------
    >>> SystemNoise().discrete_laplace(1.0, 3).shape
    (3,)
    """

    simulated = False

    def discrete_laplace(self, scale: float | Fraction, size: int) -> IntArray:
        """Draw integers z with probability proportional to exp(-abs(z) / scale)."""
        width = checked_scale(scale)
        if size == 0:
            return np.zeros(0, dtype=np.int64)
        return np.array(_laplace_sampler(width)(np.zeros(size, dtype=np.int64)), dtype=np.int64)

    def uniform(self, size: int) -> FloatArray:
        """Draw numbers uniformly from the open interval (0, 1)."""
        words = np.frombuffer(secrets.token_bytes(8 * size), dtype=np.uint64)
        return ((words >> np.uint64(12)).astype(np.float64) + 0.5) * _UNIT

    def choose(self, log_weights: FloatArray) -> int:
        """Draw an index with probability proportional to exp(log_weights[index])."""
        support = finite_support(log_weights)
        if support.size == log_weights.size:
            return _one_of(_below_largest(log_weights))
        return int(support[_one_of(_below_largest(log_weights[support]))])

    def coins(self, size: int, probability: float) -> BoolArray:
        """Flip independent coins that come up True with this probability."""
        _check.in_range(0, 1, probability=probability)
        return self.uniform(size) < probability

    def __repr__(self) -> str:
        """There is nothing to tell one from another."""
        return "SystemNoise()"

    def __sklearn_clone__(self) -> SystemNoise:
        """There is one system entropy."""
        return self


def finite_support(log_weights: FloatArray) -> IntArray:
    """The indices of positive weight, or `InvalidArgument` if there is none."""
    finite = np.isfinite(log_weights)
    if finite.all() and finite.size:
        return np.arange(finite.size)
    if not np.all(log_weights[~finite] == -np.inf):
        raise InvalidArgument("log_weights", "NaN or infinity", "finite, or minus infinity")
    support = np.flatnonzero(finite)
    if support.size == 0:
        raise InvalidArgument("log_weights", "no positive weight", "somewhere finite")
    return support


# OpenDP's samplers, called without what its Python layer does for each of many small draws.
# Functions of its own: OpenDP declares the arguments of those that it shares anew at every call.
_LIBRARY = ctypes.CDLL(lib._name)
_TAKES = {"Vec<f64>": np.float64, "Vec<i64>": np.int64}
_GIVES = {"Vec<i64>": ctypes.c_int64, "usize": ctypes.c_size_t}


def _function(name: str, *arguments: Any) -> Callable[..., Any]:
    found = _LIBRARY[name]
    found.argtypes, found.restype = arguments, FfiResult
    return found


_as_object = _function("opendp_data__slice_as_object", ctypes.POINTER(FfiSlice), ctypes.c_char_p)
_invoke = _function("opendp_core__measurement_invoke", ctypes.c_void_p, ctypes.c_void_p)
_as_slice = _function("opendp_data__object_as_slice", ctypes.c_void_p)
_free_slice = _function("opendp_data__slice_free", ctypes.c_void_p)
_free_object = _function("opendp_data__object_free", ctypes.c_void_p)


def sampler(measurement: Any) -> Callable[[NDArray[Any]], list[int]]:
    """What a measurement draws for a vector: one whole number or several.

    The calls are those that OpenDP makes for ``measurement(vector)``, in the same order. Only the
    types of what goes in and comes out, which it asks for and reads each time, are looked up once:
    they are those of the measurement.

    Examples
    --------
    >>> from opendp.mod import enable_features
    >>> import opendp.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    >>> len(sampler(dp.m.make_laplace(*space, scale=2.0))(np.zeros(3, dtype=np.int64)))
    3
    """
    carrier = measurement_input_carrier_type(measurement)
    kind, name = _TAKES[carrier], carrier.encode()

    def drawn(vector: NDArray[Any]) -> Any:
        """An object that its reader frees."""
        cells = np.ascontiguousarray(vector, dtype=kind)
        given = FfiSlice(cells.ctypes.data, cells.size)
        argument = _result(_as_object(ctypes.byref(given), name))
        try:
            return _result(_invoke(measurement, argument))
        finally:
            _free_object(argument)

    # A draw that nobody sees: it says what type all of them have, and is freed with its pointer.
    number = _GIVES[object_type(ctypes.cast(drawn(np.zeros(1)), AnyObjectPtr))]

    def draw(vector: NDArray[Any]) -> list[int]:
        found = drawn(vector)
        try:
            view = ctypes.cast(_result(_as_slice(found)), ctypes.POINTER(FfiSlice))
            try:
                several = ctypes.cast(view.contents.ptr, ctypes.POINTER(number))
                return several[: view.contents.len]
            finally:
                _free_slice(view)
        finally:
            _free_object(found)

    return draw


def _result(returned: Any) -> Any:
    """The pointer that a call returned, or the error of OpenDP that it returned instead."""
    return returned.payload.Ok if returned.tag == 0 else unwrap(returned, ctypes.c_void_p)
