"""The sparse vector laboratory: one run step by step, seven algorithms, and what each misses."""

from dpcore.curves.selection.variants import selector_of
from dpcore.data.reading.problems import count_of
from dpcore.mechanisms.threshold.sparse_vector import RATIOS
from dpcore.privacy import Neighbors
from dpcore.selection import selectors
from pages.session import state
from pages.shell import page_shell
from pages.sparse_vector_lab import algorithms as lab_algorithms
from pages.sparse_vector_lab import choices, run, views
from pages.sparse_vector_lab import errors as lab_errors
from pages.sparse_vector_lab.choices import PREFIX, LabChoice
from pages.widgets import badges, cards, forms, pin, score_pages

ALGORITHMS = {str(number): f"Alg. {number}" for number in range(1, 8)}


def declared(choice: LabChoice):
    """The method whose verdict stands beside."""
    if choice.view == "errors":
        return selectors()["best"]
    if choice.view == "run" and choice.algorithm == 7 and choice.retraverse:
        return selectors()["sparse-vector-retraversal"]
    return selectors()[selector_of(choice.algorithm)]


def sliders(choice: LabChoice) -> None:
    """What is moved while looking at the figure."""
    with forms.moves():
        if choice.view == "errors":
            forms.epsilon_slider(f"{PREFIX}epsilon", stops=choices.AVERAGED_EPSILONS)
            forms.stops(f"{PREFIX}largest", choices.LARGEST_CUTS)
            return
        forms.epsilon_slider(f"{PREFIX}epsilon")
        forms.slider(f"{PREFIX}c", 1, choices.MOST_C)
        if choice.view == "algorithms":
            forms.stops(f"{PREFIX}questions", choices.QUESTIONS)


def controls(choice: LabChoice) -> None:
    """What is chosen now and then."""
    if choice.view == "errors":
        forms.segments(f"{PREFIX}measure")
    elif choice.view == "run":
        forms.listed(f"{PREFIX}algorithm", ALGORITHMS)
        badges.verdict(declared(choice))
    if choice.view == "algorithms":
        forms.segments(f"{PREFIX}across")
    else:
        choices.pick(choice)
    # What only retraversal takes is asked where it is compared.
    compared = choice.view == "errors" and "retraversal" in choice.methods
    retraversed = choice.view == "run" and choice.algorithm == 7
    divides = compared or retraversed or choice.view == "algorithms"
    told = [count_of(choice.runs, "run")] if choice.view == "errors" else []
    told += [f"budget {choice.ratio}"] if divides else []
    if told:
        with forms.settings(*told):
            if choice.view == "errors":
                forms.stops(f"{PREFIX}runs", choices.RUNS)
            if divides:
                forms.listed(f"{PREFIX}ratio", {ratio: ratio for ratio in RATIOS})
            if compared or retraversed:
                boost(choice)
    if choice.view == "algorithms":
        forms.toggle(f"{PREFIX}monotone")


def boost(choice: LabChoice) -> None:
    """How far the threshold is raised, and whether those that failed are asked again."""
    if choice.view == "run":
        forms.toggle(f"{PREFIX}retraverse")
        if not choice.retraverse:
            return
    low, step, *_, high = choices.BOOSTS
    forms.slider(f"{PREFIX}boost", low, high, step=step)


def redraw() -> None:
    """Other noise, and the whole run."""
    state.count_on(f"{PREFIX}redraw")
    state.set_choice(f"{PREFIX}step", 0)


# No fragment, because a click in one does not end a long run.
def body() -> None:
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    forms.segments(f"{PREFIX}view")
    figure, side = pin.frame(drawn)
    with side:
        controls(choice)
        if choice.view != "algorithms":
            redraws = f" (redraw {choice.redraw})" if choice.redraw else ""
            forms.draw_again(f"Redraw the noise{redraws}", redraw)
    with figure:
        sliders(choice)
        {"run": run.show, "algorithms": lab_algorithms.show, "errors": errors}[choice.view](choice)
    with side:
        score_pages.offer(views.files(choice))
    words = cards.words_of("sparse_vector_lab", choice.view)
    cards.what_is_this(*words, declared(choice), Neighbors.ADD_REMOVE)
    views.follow(choice)


def drawn() -> pin.Drawn:
    """The figure of the present choices, for a pin."""
    choice = choices.read(state.chosen())
    if choice.view == "errors":
        return pin.growing(lab_errors.Errors(choice))
    return run.drawn(choice) if choice.view == "run" else lab_algorithms.losses_picture(choice)


def errors(choice: LabChoice) -> None:
    """Curves over c, under their picker."""
    lab_errors.picker(choice)
    pin.grow(lambda: lab_errors.Errors(choice))


page_shell.run(body)
