"""OpenDP's samplers, called without what its Python layer does for each of many small draws."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from opendp._data import object_type
from opendp._lib import AnyObjectPtr, FfiResult, FfiSlice, lib, unwrap
from opendp.core import measurement_input_carrier_type

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
