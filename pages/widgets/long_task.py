"""Figures that take a while: the first picture at once, then finer ones, and a way to stop."""

import math
from collections.abc import Callable, Hashable, Sequence
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

import streamlit as st

from dpcore._numbers import percent
from dpcore.curves import Growing
from dpcore.figures import Picture
from dpcore.study import Workflow
from dpcore.study.python import Script
from pages.session import memory, mode
from pages.widgets import fragments

Plan, Found = TypeVar("Plan"), TypeVar("Found")
Kept = TypeVar("Kept")
CELLS, TASKS = "computed cells", "tasks under way"
MOST_CELLS = 20_000
# Seconds of work before the next picture: short enough for a click to be answered at once.
CHUNK = 0.4
# How often the browser asks for the next chunk, in seconds: the server hardly waits for that, and
# what is asked for again while a chunk is under way counts once.
EVERY = CHUNK / 4.0
# After so many seconds chunks grow with the time that went by, up to so many times as long: each
# ends with a picture, which takes a tenth of a second.
PATIENCE, LONGEST = 0.5, 3.0
# If there is nothing to show yet, or if the work would then be done, a chunk takes up to so many
# times as long: no picture is drawn that the last one would take the place of at once.
NEARLY = 3.0


class Work(Protocol):
    """What is computed piece by piece; see `dpcore.curves.Growing` and `dpcore.audit.Attack`.

    It may have a `share` that is done, roughly, and what is `found` so far, None if nothing is.
    """

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""

    def advance(self) -> None:
        """Do a piece of it, for a part of a second."""


class Task:
    """Work under way, and whether the visitor has stopped it."""

    def __init__(self, work: Work, fits: Hashable = None) -> None:
        self.work, self.fits = work, fits
        self.stopped = False
        # Whether a chunk was just done that has not been drawn.
        self.fresh = False
        self.began = monotonic()
        self.error: Exception | None = None

    @property
    def running(self) -> bool:
        """Whether more is to be done."""
        return not (self.stopped or self.work.done)

    @property
    def share(self) -> float:
        """How much is done; 0 as long as nobody knows."""
        return float(getattr(self.work, "share", self.work.done))

    def prepare(self) -> None:
        """Do the chunk that the next picture shows, once for each run of the page."""
        if not self.fresh:
            self.do_chunk()
        self.fresh = True

    def do_chunk(self) -> None:
        """Work for a while, unless that has just been done; a piece of work is never cut short."""
        if self.fresh:
            self.fresh = False
            return
        begin, share = monotonic(), self.share
        # Whoever has waited for long gets pictures less often, and the last one sooner.
        nearly = CHUNK * NEARLY
        enough = CHUNK * min(max((begin - self.began) / PATIENCE, 1.0), LONGEST)
        with memory.reused():
            while self.running:
                self.work.advance()
                spent, gained = monotonic() - begin, self.share - share
                whole = spent * (1.0 - share) / gained if gained > 0.0 else math.inf
                waits = whole <= nearly or getattr(self.work, "found", self) is None
                if spent >= (max(enough, nearly) if waits else enough):
                    break

    def stop(self) -> None:
        """Do nothing more until `resume`; what was computed is kept."""
        self.stopped = True

    def resume(self) -> None:
        """Go on where it was stopped."""
        self.stopped = False


class Growth(Generic[Plan, Found]):
    """A figure that is computed plan by plan, and shown as soon as the first is complete.

    Attributes
    ----------
    name : str
        Of the figure.
    fits : hashable
        All that it depends on: for another choice, what is under way ends, and what was stopped
        starts again.
    plans : sequence
        As of `Growing`, as is `study`.
    config : Workflow or None
        As `python_code.show` takes it, and `code`.
    """

    name: str
    fits: Hashable
    plans: Sequence[Plan]
    config: Workflow | None = None

    def study(self, plan: Plan, **told: Any) -> Found:
        """What is found for a plan."""
        raise NotImplementedError

    def picture(self, plan: Plan, found: Found) -> Picture:
        """The figure."""
        raise NotImplementedError

    def headline(self, plan: Plan, found: Found) -> str:
        """The sentence above it."""
        raise NotImplementedError

    def table(self, plan: Plan, found: Found) -> str:
        """The HTML beneath it."""
        raise NotImplementedError

    def code(self) -> Script:
        """The lines that compute it."""
        raise NotImplementedError

    def task(self) -> Task:
        """The work, which begins with the cells that there are."""
        cells = st.session_state.setdefault(CELLS, {})
        if len(cells) > MOST_CELLS:
            cells.clear()
        return Task(Growing(self.plans, self.study, cells), self.fits)


def complete(task: Task) -> tuple[Any, ...]:
    """The largest plan of a growing figure that is complete, and what was found for it, if any."""
    return () if task.work.found is None else (task.work.plan, task.work.found)


def run(growth: Growth[Plan, Found], draw: Callable[[Plan, Found], None]) -> tuple[Any, ...]:
    """Compute a figure plan by plan, and let `draw` show each that is complete; as `complete`."""
    # One at a time: whoever looks at another view has left this one.
    task = latest(TASKS, (growth.name, growth.fits), growth.task, 1)

    def show() -> None:
        bar(growth.name, task)
        if found := complete(task):
            draw(*found)

    watch(task, show)
    return complete(task)


def latest(place: str, fits: Hashable, make: Callable[[], Kept], most: int) -> Kept:
    """The task of these choices: the one under way, or a new one; the last few are kept."""
    kept: dict[Hashable, Kept] = st.session_state.setdefault(place, {})
    if fits not in kept:
        kept[fits] = make()
        for old in list(kept)[:-most]:
            del kept[old]
    return kept[fits]


def is_done(name: str) -> bool:
    """Whether the figure of that name is complete."""
    tasks = st.session_state.get(TASKS, {}).items()
    return any(known == name and task.work.done for (known, _), task in tasks)


def watch(task: Task, show: Callable[[], None]) -> None:
    """Do a chunk, and draw; as long as there is more to do, again and again.

    The first chunk belongs to the run of the page, the next ones to runs that the browser asks for:
    between any two of them a click is answered, and a choice that moves ends the work.
    """
    task.prepare()
    polled = task.running

    def repeated() -> None:
        # A browser may ask for a part of a page that was open before the mode changed.
        if mode.is_private():
            return
        with fragments.calm():
            if task.error is not None:
                raise task.error
            try:
                task.do_chunk()
                show()
            except Exception as error:
                task.stop()
                task.error = error
                raise
        if task.running is not polled:
            # Only a run of the whole page begins or ends the asking for the next chunk.
            st.rerun()

    st.fragment(repeated, run_every=EVERY if polled else None)()


def bar(name: str, task: Task, share: float | None = None, words: str = "") -> None:
    """How far it is, in words that may be its own, and the end of it; nothing once it is done."""
    if task.work.done:
        return
    share = min(task.share if share is None else share, 1.0)
    said = f"{'Stopped at' if task.stopped else 'Computing:'} {percent(share, digits=0)}"
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"bar {name}"):
        st.progress(share, text=words or said, width="stretch")
        if task.running:
            st.button("Stop", icon=":material/stop:", on_click=task.stop, key=f"stop {name}")
        else:
            words, symbol = "Go on", ":material/play_arrow:"
            st.button(words, icon=symbol, on_click=task.resume, key=f"go on {name}")
