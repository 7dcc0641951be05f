"""The privacy budget: meters for the sidebar, the split with its locks, ledgers and accounts."""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from functools import partial

import streamlit as st

from dpcore.errors import left_of
from dpcore.figures import history_picture
from dpcore.privacy import Charge, Ledger, Loss, composition, shown
from dpcore.selection import selectors
from dpcore.store import Account
from dpcore.study import PHASES, Workflow, WorkflowResult, rebalance
from dpcore.study.sections import TRAIN
from pages.session import state, study
from pages.session.study_fields import EPSILON, LOCKED, NO_LOCK
from pages.session.text import OPTIONS, escape, piece, said
from pages.widgets import cards, forms, plot, private_data, python_code

MOVED = "shares or their total moved"
# The Model page divides the budget, and thresholds are read off the curve.
WITH_THE_CURVE = ("overview", "model", "roc", "threshold")
LOCK_IS_ON = "Locked: take the lock off to move it."


def meter(ledger: Ledger) -> str:
    """HTML of what a study charges to each part of the records, and what one person pays."""
    parts, whole = _parts(ledger), ledger.spent.epsilon
    bars = "".join(_bar(name, ledger.total(group), group, whole) for name, group in parts.items())
    rule = [*([_rule(ledger, parts)] if len(parts) > 1 else []), ledger.neighbors.words]
    return piece("meter", spent=ledger.spent, bars=bars, rule=" · ".join(rule))


def cost(ledger: Ledger) -> str:
    """What one person pays of the sum that is divided, as a sentence."""
    parts = _parts(ledger)
    pays = f"One person pays **{ledger.spent}**"
    if len(parts) < 2:
        return f"{pays}."
    each = " and ".join(
        f"{ledger.total(group).short} about the {name} records" for name, group in parts.items()
    )
    return f"{pays}: {each}; {_rule(ledger, parts)}."


def of_page(charges: Iterable[Charge]) -> tuple[Charge, ...]:
    """What of a study the open page would release: the ROC curve only where it is shown."""
    page = st.session_state[state.PAGE]
    if page in WITH_THE_CURVE:
        return tuple(charges)
    found = (one for one in charges if one.part == TRAIN)
    return tuple(one for one in found if page != "features" or one.label == "selection")


def _parts(ledger: Ledger) -> dict[str, list[Charge]]:
    """The charges by the part of the records that they are about."""
    parts: dict[str, list[Charge]] = {}
    for charge in ledger.charges:
        parts.setdefault(charge.part.member if charge.part else "all", []).append(charge)
    return parts


def _rule(ledger: Ledger, parts: dict[str, list[Charge]]) -> str:
    largest = max(ledger.total(group).epsilon for group in parts.values())
    return "the larger part counts" if ledger.spent.epsilon == largest else "the parts add"


def _bar(name: str, loss: Loss, charges: list[Charge], whole: Fraction) -> str:
    shares = ((escape(one.label), float(one.loss.epsilon / whole)) for one in charges)
    parts = [piece("part of a bar", what=what, share=share) for what, share in shares]
    told = {"what": escape(" + ".join(one.label for one in charges)), "loss": loss.short}
    return piece("bar", name=escape(name), parts="".join(parts), **told)


def shares(config: Workflow, *only: str) -> None:
    """A slider for the share of each phase that reads data, or of these; they always add up."""
    phases = tuple(config.phases)
    for phase in only or phases:
        _share(phase, phases, _total(phases))


def locks(config: Workflow) -> None:
    """What one person pays, and which shares stay where they are while another one moves."""
    st.caption(cost(study.charged(config.charges, config.neighbors)))
    phases = list(config.phases)
    with st.container(horizontal=True):
        for phase in phases if len(phases) > 1 else []:
            tie = state.seeded(f"lock {phase}", phase in _locked())
            st.checkbox(f"Lock {phase}", on_change=_lock, args=(phase,), width="content", **tie)


def _total(phases: Iterable[str]) -> Fraction:
    """What is divided."""
    return sum((state.epsilon(phase) for phase in phases), Fraction(0))


def _share(phase: str, phases: tuple[str, ...], total: Fraction) -> None:
    """Slider of one share, called by what it comes to."""
    share, locked = state.epsilon(phase) / total, phase in _locked()
    now, most = (float(f"{float(100 * one):.3g}") for one in (share, _most(phase, phases, total)))
    # Whenever its ends change the browser begins a new slider: it is told where it stands. A small
    # share is not none.
    key = state.control(f"share {phase}")
    st.session_state[key], low, high = now, min(1.0, now), max(most, now)
    fixed = locked or not _others(phase, phases) or high == low
    also = LOCK_IS_ON if locked else "A larger share: less noise."
    tie = {"key": key, "on_change": _move, "args": (phase, phases), "disabled": fixed}
    tie |= {"min_value": low, "max_value": max(high, low + 1.0), "step": 1.0, "format": "%g %%"}
    label = f"{phase.capitalize()}: epsilon {shown(state.epsilon(phase))}"
    st.slider(label, help=" ".join([OPTIONS["share of a phase"][phase], also]), **tie)


def _others(phase: str, phases: Sequence[str]) -> list[str]:
    """The phases that make room for one."""
    return [other for other in phases if other != phase and other not in _locked()]


def _most(phase: str, phases: Sequence[str], total: Fraction) -> Fraction:
    """The largest share that a phase can have: none that reads data can lose its last percent."""
    locked = sum(state.epsilon(one) for one in phases if one != phase and one in _locked())
    return 1 - locked / total - Fraction(len(_others(phase, phases)), 100)


def take_selector(name: str, offered: Collection[object]) -> None:
    """A method that reads data needs a share of the budget; one that does not needs none."""
    state.choice_from_widget(name, offered)
    give_selection_a_share(selectors()[state.chosen()[name]].spends)


def give_selection_a_share(spends: bool) -> None:
    """A selector that reads data gets a tenth of what training has; another gives it back."""
    selection, training = state.epsilon("selection"), state.epsilon("training")
    if spends and selection == 0:
        state.set_choice(EPSILON["selection"], training / 10)
        state.set_choice(EPSILON["training"], training - training / 10)
    elif not spends:
        state.set_choice(EPSILON["selection"], 0)
        state.set_choice(EPSILON["training"], selection + training)
    _forget_controls()


def total_slider(config: Workflow) -> None:
    """What is divided; the page knows by `MOVED` that its shares have to be written again."""
    total = _total(config.phases)
    options = [shown(option) for option in sorted({*forms.EPSILON_GRID, total})]
    tie = state.seeded("total", shown(total)) | {"on_change": _scale, "args": (total,)}
    st.select_slider("Total epsilon", options, help=forms.SMALLER, **tie)


def _scale(before: Fraction) -> None:
    """A new total: every phase keeps its share."""
    if not state.has_widget("total"):
        return
    after = Fraction(st.session_state[state.control("total")])
    for phase in PHASES:
        state.set_choice(EPSILON[phase], state.epsilon(phase) * after / before)
    st.session_state[MOVED] = True
    _forget_controls()


def _move(changed: str, phases: tuple[str, ...]) -> None:
    """A new share: the unlocked others make room for it."""
    if not state.has_widget(f"share {changed}"):
        return
    total = _total(phases)
    shares = {phase: state.epsilon(phase) / total for phase in phases}
    wanted = Fraction(str(st.session_state[state.control(f"share {changed}")])) / 100
    # A slider that stands beyond what it can be moved to comes back.
    wanted = max(min(wanted, _most(changed, phases, total)), Fraction(1, 100))
    moved = rebalance(shares, changed, wanted, _locked() & set(phases))
    others = _others(changed, phases)
    for small in (name for name in others if moved[name] == 0):
        # The largest of the others gives the last one a percent.
        largest = max(others, key=lambda name: moved[name])
        moved |= {small: Fraction(1, 100), largest: moved[largest] - Fraction(1, 100)}
    if min(moved.values()) > 0:
        for phase, share in moved.items():
            state.set_choice(EPSILON[phase], share * total)
    st.session_state[MOVED] = True
    _forget_controls()


def _locked() -> set[str]:
    return set(state.chosen()[LOCKED].split(",")) - {NO_LOCK}


def _lock(phase: str) -> None:
    state.chosen()[LOCKED] = ",".join(sorted(_locked() ^ {phase})) or NO_LOCK


def _forget_controls() -> None:
    """Let every slider show the new state."""
    for name in ("total", *(f"share {phase}" for phase in PHASES)):
        st.session_state.pop(state.control(name), None)


def ledger_table(result: WorkflowResult) -> None:
    """What was charged, in order, and how it adds up."""
    st.html(cards.charges(result.charges))
    st.markdown(composition(result.charges, result.config.neighbors))


def of_account() -> str:
    """HTML of what is left for the open data."""
    if private_data.current() is None:
        return aside("No private data are open", "Open them on the release desk.")
    found = private_data.account()
    if found is None:
        return aside(private_data.title(), "No budget has been set yet.")
    return aside(private_data.title(), "") + _left(found)


def aside(name: str, more: str) -> str:
    """HTML of what the sidebar says of the open data."""
    return piece("aside", name=escape(name), more=escape(more))


def _left(account: Account) -> str:
    total = account.budget.epsilon
    spent, kept = (float(loss.epsilon / total) for loss in (account.spent, account.reserve))
    reserve = f" · epsilon {shown(account.reserve.epsilon)} reserved" if kept else ""
    rule = f"{account.spent} of {shown(total)} spent{reserve} · {account.neighbors.words}"
    return piece("left", left=left_of(account.available), spent=spent, kept=kept, rule=rule)


def history(name: str, account: Account) -> None:
    """What had been spent after each charge, drawn; `name` is public, that of the data set."""
    ends = {"budget": account.budget, "reserve": account.reserve}
    plot.show(history_picture(account.history, theme=state.theme(), **ends), key="history")
    needs = "ledger.json, which the Ledger page exports"
    lines = partial(python_code.written, "history of an account", name=name)
    python_code.show(lines, needs=needs, key="python history")


def rehearsal(result: WorkflowResult) -> None:
    """What the study of this visit would cost, charge by charge, if it were released."""
    ledger = study.charged(result.charges, result.config.neighbors)
    ends = range(1, len(ledger.charges) + 1)
    steps = [(ledger.charges[end - 1].label, ledger.total(ledger.charges[:end])) for end in ends]
    st.markdown(said("rehearsal").format(ledger.spent))
    told = {"budget": ledger.spent, "reserve": None, "theme": state.theme()}
    plot.show(history_picture(steps, **told), key="rehearsal")
    script = partial(python_code.of_study, result.config)
    python_code.show(lambda: python_code.written("rehearsal", script()), result.config)
    ledger_table(result)


def overview(accounts: dict[str, Account]) -> str:
    """HTML of all accounts, by their public names."""
    rows = [
        (one.title or "without a title",
         *(loss.short for loss in (one.budget, one.spent, one.reserve, one.available)), name[:12])
        for name, one in accounts.items()
    ]  # fmt: skip
    header = ("data set", "budget", "spent", "reserved", "available", "name")
    return cards.table(header, rows, caption="Every data set of this ledger, in epsilon")
