"""What studies of public samples have computed: held once, however many visitors look at it."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import streamlit as st

from dpcore.study import StageCache

Outputs = WeakValueDictionary[tuple[str, str], Any]


class PublicStages(StageCache):
    """The outputs that one session holds; what another one holds already is taken from there.

    A key names the records, with all else that an output depends on, so it does not matter who has
    computed it. What no session holds any longer is forgotten.

    Parameters
    ----------
    shared : Outputs
        The outputs that any session holds.
    """

    def __init__(self, shared: Outputs) -> None:
        super().__init__()
        self._shared = shared

    def __getitem__(self, place: tuple[str, str]) -> Any:
        try:
            return super().__getitem__(place)
        except KeyError:
            output = self._shared[place]
            # From now on this session holds it too.
            super().__setitem__(place, output)
            return output

    def __setitem__(self, place: tuple[str, str], output: Any) -> None:
        super().__setitem__(place, output)
        self._shared[place] = output


def of_a_session(public: bool) -> StageCache:
    """A new cache: records of the visitor's own stay in the session, whoever else has the same."""
    return PublicStages(_shared()) if public else StageCache()


@st.cache_resource(show_spinner=False)
def _shared() -> Outputs:
    return WeakValueDictionary()
