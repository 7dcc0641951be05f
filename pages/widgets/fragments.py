"""Parts of a page that rerun alone, errors in one sentence, and the meter that stays up to date."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

import streamlit as st
from streamlit import error_util

from dpcore.errors import DataError, DpcoreError
from dpcore.privacy import Charge
from pages.session import mode, page_list, state, study
from pages.session.text import plain, said, stated
from pages.widgets import budget_meter

P = ParamSpec("P")
LOG = logging.getLogger(__name__)
METER = "budget meter"
# Pages that publish nothing of the study; those that spend have an epsilon of their own.
BESIDE_THE_STUDY = {
    "data",
    *(name for part in ("Release", page_list.LEARN) for name, _, _ in page_list.PAGES[part]),
}


def show_meter(own: Charge | Sequence[Charge] | None = None) -> None:
    """Draw the budget meter: what of the study a page needs, and the page's own charge."""
    if mode.is_private():
        st.session_state[METER].html(budget_meter.of_account())
    elif st.session_state[state.PAGE] not in BESIDE_THE_STUDY:
        config, beside = study.config(), (own,) if isinstance(own, Charge) else own or ()
        charges = *budget_meter.of_page(config.charges), *beside
        ledger = study.charged(charges, config.neighbors)
        st.session_state[METER].html(budget_meter.meter(ledger))


@contextmanager
def calm() -> Iterator[None]:
    """Whatever goes wrong is one sentence for the visitor; the rest goes to the server's log."""
    try:
        yield
    except DpcoreError as error:
        st.error(plain(stated(error)), icon=":material/error:")
        if isinstance(error, DataError) and st.session_state[state.PAGE] != "data":
            st.page_link("pages/data/page.py", label="To the Data page", icon=":material/table:")
    # The last stop before a traceback on the screen.
    except Exception as error:
        if mode.is_private():
            # The kind of an error may depend on a row, and its text may quote one.
            LOG.error("a page failed in Private mode (%s)", type(error).__name__)
            st.error(said("failure in Private mode"), icon=":material/error:")
            return
        LOG.exception("a page failed")
        words = said("failure in Teach mode").format(type(error).__name__)
        st.error(words, icon=":material/error:")


def keep_the_log_private() -> None:
    """Let what fails outside any page, as a control's callback, say no more in the log either."""
    whole = error_util._log_uncaught_app_exception

    def log(error: BaseException) -> None:
        if mode.is_private():
            LOG.error("a callback failed in Private mode (%s)", type(error).__name__)
        else:
            whole(error)

    error_util._log_uncaught_app_exception = log


def fragment(body: Callable[P, Charge | Sequence[Charge] | None]) -> Callable[P, None]:
    """A part of a page that reruns alone, and keeps address and budget meter up to date.

    It may return what it would charge besides the study.
    """

    @st.fragment
    @wraps(body)
    def guarded(*arguments: P.args, **options: P.kwargs) -> None:
        # A browser may ask for a fragment of a page that was open before the mode changed.
        if mode.is_private():
            return
        charge = None
        with calm():
            charge = body(*arguments, **options)
        show_meter(charge)
        state.publish()

    return guarded
