"""What happens to a test set that is asked again and again, and what noise does about it."""

import streamlit as st

from dpcore.curves.holdout.selection import HoldoutResult
from dpcore.evaluation import holdout_methods
from dpcore.figures import Picture
from dpcore.privacy import Neighbors
from pages.reusable_holdout import choices, running_counts, view
from pages.reusable_holdout.choices import PREFIX, HoldoutChoice
from pages.session import state
from pages.session import study as session_study
from pages.shell import page_shell
from pages.widgets import badges, cards, forms, fragments, long_task, pin, python_code, score_pages

GROWING = "Choosing variables, once for each use of the test set."


def take_records(name: str, offered: tuple[str, ...]) -> None:
    """What stands above the figure names the records, so the whole page runs again."""
    state.choice_from_widget(name, offered)
    st.session_state[score_pages.REDRAWN] = True


def controls(choice: HoldoutChoice) -> None:
    """What is chosen now and then."""
    forms.segments(f"{PREFIX}data", on_change=take_records)
    if st.session_state.pop(score_pages.REDRAWN, False):
        st.rerun()
    st.markdown("**Thresholdout**")
    badges.verdict(holdout_methods()["thresholdout"])
    told = choice.settings
    words = f"noise {told.sigma:g}, budget {told.budget:,}, threshold {told.threshold:g}"
    with forms.settings(words):
        forms.stops(f"{PREFIX}sigma")
        forms.stops(f"{PREFIX}budget")
        forms.slider(f"{PREFIX}threshold", 0.0, 0.2, step=0.01)
    with st.expander("The blog’s variant"):
        broken = holdout_methods()["zumel-published"]
        badges.word(broken.guarantee)
        st.caption(f"{broken.summary} No proof: {broken.guarantee.reason}.")
        forms.stops(f"{PREFIX}tolerance")
    with st.expander("The problem"):
        problem(choice)
    words = "Other records, or another deal of yours, and other noise: the next seed."
    forms.draw_again("Draw again", state.count_on, f"{PREFIX}seed", help_text=words)


def problem(choice: HoldoutChoice) -> None:
    """Size and strength of the problem."""
    forms.stops(f"{PREFIX}train_rows")
    forms.stops(f"{PREFIX}test_rows")
    forms.slider(f"{PREFIX}steps", 1, choices.LARGEST_STEPS)
    if not choice.own:
        most = choices.LARGEST_VARIABLES
        forms.slider(f"{PREFIX}variables", 1, most)
        forms.slider(f"{PREFIX}signal", 0, most)
        forms.stops(f"{PREFIX}strength")


def downloads(result: HoldoutResult, step: int) -> None:
    """Files of what is shown."""
    stem = "reusable-holdout-simulation"
    table = score_pages.csv_file(stem, *view.table(result, step))
    score_pages.offer([table, ("JSON", f"{stem}.json", result.to_json)])


def means(choice: HoldoutChoice) -> None:
    """One draw says little: the same with twenty seeds, on demand."""
    label = f"Average over {view.DRAWS} draws"
    words = "Single draws vary by several points. This takes a few seconds."
    forms.button(label, "functions", view.ask_for_means, choice, help_text=words)
    draws = view.means(choice)
    if draws is None:
        return

    def show() -> None:
        long_task.bar("draws", draws)
        if draws.work.results:
            st.html(view.means_html(draws.work.results, choice.step))

    long_task.watch(draws, show)


def picture(study: view.Study, step: int) -> Picture:
    """The figure as far as it is."""
    return view.picture(study.result, step, state.theme(), grows=not study.work.done)


def drawn() -> pin.Drawn:
    """The figure of the present choices, for a pin."""
    choice = choices.read(state.chosen())
    study = view.study(choice)
    return study, lambda: picture(study, choice.step)


@fragments.fragment
def reuse() -> None:
    """Figure and controls; nothing else reruns while they move."""
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    study = view.study(choice)
    study.prepare()
    figure, side = pin.frame(drawn)
    with figure:
        cards.headline(GROWING if study.running else view.headline(study.result, choice.step))
        with forms.moves():
            forms.slider(f"{PREFIX}step", 1, choices.LARGEST_STEPS)

        def show() -> None:
            long_task.bar("holdout", study)
            pin.show(picture(study, choice.step), key="holdout")
            st.html(cards.numbers(view.figures(study.result, choice.step)))

        long_task.watch(study, show)
    result = study.result
    with side:
        controls(choice)
        downloads(result, choice.step)
    if not study.running:
        st.html(view.table_html(result, choice.step))
        about = session_study.config() if choice.own else None
        python_code.show(lambda: view.code(choice), about)
    means(choice)
    with cards.costs():
        st.markdown(view.cost(result))
    method = holdout_methods()["thresholdout"]
    cards.what_is_this(*cards.words_of("reusable_holdout", "reuse"), method, Neighbors.REPLACE)


def body() -> None:
    reuse()
    running_counts.section()


page_shell.run(body)
