"""What to expect of a release, from made-up records: no private record has any part in it."""

from functools import partial

import streamlit as st

from dpcore.desk import Assumed, Preview, Request, epsilon_for, preview
from dpcore.errors import DpcoreError
from dpcore.privacy import shown
from dpcore.schema import Schema
from dpcore.study.python import Expression, Script, shortened
from pages.release_desk import choices, controls
from pages.release_desk.choices import PREFIX, TARGET
from pages.session import state
from pages.session.text import plain, said, stated
from pages.widgets import cards, forms, plot, python_code

KEPT = "kept preview"
SEEK, FOUND = "epsilon to be found", "epsilon found"
# The same runs for both: the epsilon that is found is one whose preview keeps to the target.
REPEATS = 20


def show(request: Request, schema: Schema | None) -> None:
    """The expectation as sentence and figure, and the guesses that it rests on."""
    try:
        about = request.to_json(), choices.assumed(state.chosen()), schema
        expected = state.cached(KEPT, _simulated, *about)
    except DpcoreError as error:
        # The rehearsal would refuse it for the same reason, and nothing would be charged.
        cards.headline("These choices cannot be released.")
        st.info(plain(stated(error)), icon=":material/info:")
        return
    cards.headline(expected.sentence)
    if (figure := expected.picture(state.theme())) is not None:
        plot.show(figure, key=f"expected {request.what}")
        needs = "your schema as schema.toml, which “Save the schema” saves" if schema else ""
        lines = partial(code, request, expected.assumed)
        python_code.show(lines, needs=needs, key="python expected")
    elif request.what == "features":
        st.caption("Without noise no feature would be chosen, so there is no curve to expect.")
    st.markdown(expected.spread_sentence)
    with st.expander("What the preview takes for granted", icon=":material/help:"):
        st.markdown(said("guesses of yours"))
        for guess in ("n", "prevalence", "auc"):
            forms.stops(PREFIX + guess)


def _simulated(request: str, assumed: Assumed, schema: Schema | None) -> Preview:
    with st.spinner("Simulating releases"):
        return preview(schema, Request.from_json(request), assumed=assumed, repeats=REPEATS)


def code(request: Request, assumed: Assumed) -> Script:
    """The lines that simulate the same releases."""
    script, study = Script(), request.study
    script.line(f"# Of records made up by seed {assumed.seed}: none is read, and nothing charged.")
    script.study(study)
    told = {"what": request.what, "study": Expression("study")}
    if (method := request.kind.method(request.method, study.neighbors)) is not None:
        told |= {"method": method.name, "parameters": shortened(method, request.parameters)}
    usual = {one.name: one.default for one in request.kind.options}
    told["options"] = {name: it for name, it in request.options.items() if it != usual[name]}
    script.let("request", Request, **{name: it for name, it in told.items() if it})
    if study.trains:
        script = python_code.written("declared schema", script)
    about = Expression("schema" if study.trains else "None"), Expression("request")
    expected = script.call(preview, *about, assumed=assumed, repeats=REPEATS)
    return python_code.written("expected release", script, expected=expected)


def seek(request: Request, schema: Schema | None) -> None:
    """ "I need AUC ± 0.03": the least epsilon that reaches it in the simulation."""
    label = f"I need {_mark(request)} this ({request.kind.unit})"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(**forms.tied(TARGET, float(state.chosen()[TARGET]), label=label))
        forms.button("Find epsilon", "search", st.session_state.update, {SEEK: True})
    if st.session_state.pop(SEEK, False):
        _find(request, schema)
    sentence, about = st.session_state.get(FOUND, ("", {}))
    # It is true of what was chosen when it was found.
    if sentence and about == state.chosen():
        st.caption(plain(sentence))


def _mark(request: Request) -> str:
    """Features and models are released without an interval: there is only an error to bound."""
    return "at most" if request.kind.methods is None else "±"


def _find(request: Request, schema: Schema | None) -> None:
    wanted = choices.target(state.chosen())
    assumed = choices.assumed(state.chosen())
    try:
        with st.spinner("Trying epsilons on simulated records"):
            total = epsilon_for(wanted, request, schema=schema, assumed=assumed, repeats=REPEATS)
    except DpcoreError as error:
        sentence = stated(error)
    else:
        controls.take_total(request, total)
        sentence = (
            f"{_mark(request).capitalize()} {wanted:g} takes epsilon {shown(total)} in all, if the "
            "records are like the simulated ones: that is what the preview now expects."
        )
    st.session_state[FOUND] = sentence, dict(state.chosen())
    st.rerun()
