"""The release desk: choose what to publish, see its cost and what to expect, release it once."""

from dataclasses import replace

import streamlit as st

from dpcore.desk import releases
from pages.release_desk import choices, controls, plan, preview
from pages.session import mode, state
from pages.shell import page_shell, wrong_mode
from pages.widgets import cards, private_data, private_source, stored_release

TITLE = "Release desk"
PURPOSE = "Publish from private data, once, for a charge that the ledger never forgets."
WORDS = """
**Preview.** The request is carried out twenty times on records that are made up to the public
schema. The band holds nine in ten of the curves at every place; nothing of your data is in it.

**Charge, draw, store, show.** A release is charged to the ledger before noise is drawn, and its
result is stored before anybody sees it. If the server stops in between, the charge stays spent and
the release is void: it was never shown, and nobody can draw until they like the result.

**Replay.** The same request on the same data shows the stored release, for nothing, from every tab
and on every day.

**Composition.** Train and test records are disjoint parts, so one person pays the larger of both
sums; releases at different times toss coins of their own, so their losses add up.
"""
FORMULA = (
    r"\Pr[M(D)\in S]\le e^{\varepsilon}\,\Pr[M(D')\in S],\qquad"
    r"\varepsilon_{\text{all}}=\sum_{\text{releases}}\max\Bigl(\sum_{\text{train}}\varepsilon_i,"
    r"\sum_{\text{test}}\varepsilon_j\Bigr)"
)


def stored(opened: private_data.Private) -> None:
    """The releases of these data, the present one first."""
    found = releases(private_data.store(), opened.digest)
    if not found:
        return
    shown, replayed = st.session_state.get(plan.SHOWN, (found[-1].request_id, True))
    st.subheader("Released", anchor=False)
    release = stored_release.pick(found, {}, shown)
    replayed = replayed or release.request_id != shown
    stored_release.card(replace(release, replayed=replayed))


def desk(opened: private_data.Private) -> None:
    """Choices, preview and plan."""
    controls.settle(opened)
    left, right = st.columns([5, 3], gap="large")
    with right:
        controls.choose(opened)
        source = choices.declared(state.chosen(), opened.source, opened.schema)
        request = choices.request(state.chosen(), source)
        controls.losses(request)
        preview.seek(request, opened.schema)
    with left:
        if private_data.account() is None:
            cards.headline("These data have no budget yet, so nothing can be released.")
            cards.ways_on(
                ("pages/budget/page.py", "Set their budget", ":material/account_balance_wallet:")
            )
        else:
            plan.show(request, opened)
        st.divider()
        st.markdown("**What to expect**, simulated")
        preview.show(request, opened.schema)
    if request.methods:
        cards.what_is_this(WORDS, FORMULA, request.methods[-1], request.study.neighbors)


def body() -> None:
    if not mode.is_private():
        wrong_mode.in_teach_mode(TITLE, PURPOSE, "Releases are made in Private mode.")
        return
    cards.heading(TITLE, PURPOSE)
    opened = private_data.current()
    if opened is None:
        cards.headline("Nothing is open. A release begins with data that their owner declares.")
        private_source.choose()
        wrong_mode.no_figure()
        return
    private_source.choose()
    # What has just been released comes first; what was released before stands below.
    if plan.SHOWN in st.session_state:
        stored(opened)
        st.divider()
        desk(opened)
    else:
        desk(opened)
        stored(opened)


page_shell.run(body, private=True)
