"""A browser without a screen: what it tells a Streamlit server, and how it reads the answers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

ROOT = Path(__file__).resolve().parent.parent


class Browser:
    """One session of one page, without the socket: messages to be sent, answers to be taken.

    Parameters
    ----------
    query : str
        What stands behind the question mark of the address.
    page : str
        Name of the page in the address; the first one if it is empty.
    """

    def __init__(self, query: str = "", page: str = "") -> None:
        self.query, self.name = query, page
        self.states: dict[str, WidgetState] = {}
        self.page, self.fragment, self.slider, self.drawn = "", "", "", 0
        # Parts of the page that ask for a run of their own: every so often, and when the next is.
        self.polls: dict[str, tuple[float, float]] = {}
        self.asked: set[str] = set()

    def opening(self) -> bytes:
        """What asks for the page."""
        return self._rerun("")

    def move(self, epsilon: str) -> bytes:
        """What tells that the slider of epsilon was let go there."""
        state = WidgetState(id=self.slider)
        state.string_array_value.data.append(epsilon)
        self.states[self.slider] = state
        return self._rerun(self.fragment)

    def asks(self, now: float) -> list[bytes]:
        """What a browser asks for by itself, for parts of the page that run every so often."""
        due = [fragment for fragment, (_, at) in self.polls.items() if at <= now]
        for fragment in due:
            every = self.polls[fragment][0]
            self.polls[fragment] = every, now + every
        return [self._rerun(fragment) for fragment in due]

    def _rerun(self, fragment: str) -> bytes:
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_script_hash = self.page
        message.rerun_script.page_name = "" if self.page else self.name
        message.rerun_script.fragment_id = fragment
        message.rerun_script.widget_states.widgets.extend(self.states.values())
        return message.SerializeToString()

    def take(self, data: bytes) -> bool:
        """Note what an answer says; whether it was the last one of a run that was not cut short."""
        answer = ForwardMsg.FromString(data)
        kind = answer.WhichOneof("type")
        if kind == "script_finished":
            if answer.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                # A run of the whole page begins anew with what it asks for.
                self.polls = {name: at for name, at in self.polls.items() if name in self.asked}
            return answer.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
        if kind == "new_session":
            self.page = answer.new_session.page_script_hash
            self.asked.clear()
        elif kind == "navigation":
            # Before it the first page stands for every page that is asked for by its name.
            self.page = answer.navigation.page_script_hash
        elif kind == "auto_rerun":
            every = answer.auto_rerun.interval
            self.polls[answer.auto_rerun.fragment_id] = every, time.perf_counter() + every
            self.asked.add(answer.auto_rerun.fragment_id)
        elif kind == "stop_auto_rerun":
            for fragment in answer.stop_auto_rerun.fragment_ids:
                self.polls.pop(fragment, None)
        elif kind == "page_info_changed":
            self.query = answer.page_info_changed.query_string
        elif kind == "delta":
            self._note(answer)
        return False

    def _note(self, answer: ForwardMsg) -> None:
        element = answer.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise RuntimeError(element.exception.message)
        if kind == "alert" and element.alert.format == element.alert.ERROR:
            raise RuntimeError(element.alert.body)
        if kind == "slider" and "epsilon" in element.slider.id:
            self.slider, self.fragment = element.slider.id, answer.delta.fragment_id
        # Figures are components of ours, and so are other things.
        self.drawn += (
            kind == "bidi_component" and "figure-" in element.bidi_component.component_name
        )


def processor_time(process: int) -> float:
    """Seconds that all threads of a process have run, those that ended included."""
    # What clock_getcpuclockid(3) makes of a process identifier on Linux.
    return time.clock_gettime((~process << 3) | 2)


def descendants(process: int) -> list[int]:
    """The processes that a process has made and that run now, and those that they have made."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, task.read_text().split()):
                found += [child, *descendants(child)]
    return found


class Work:
    """Seconds that a process and all that it has made have run since now.

    Of one that ends between two looks, the last look counts: look often.
    """

    def __init__(self, process: int) -> None:
        self._process, self._ran, self._before = process, dict[int, float](), 0.0
        self._before = self.look()

    def look(self) -> float:
        """Read the clocks of all that are there, and add up."""
        for one in [self._process, *descendants(self._process)]:
            with suppress(OSError):
                self._ran[one] = processor_time(one)
        return sum(self._ran.values()) - self._before


@contextmanager
def served(
    script: str | Path, *options: str, root: Path = ROOT, **environment: str
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Serve a page on a free port of this machine; its process, and the address of its socket.

    As `make run` would: how many threads whoever measures allows himself is not handed on.
    """
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    fixed = ["--server.headless", "true", "--server.port", str(port)]
    here = {name: told for name, told in os.environ.items() if not name.endswith("_NUM_THREADS")}
    with subprocess.Popen(
        [*command, *fixed, *options], cwd=root,
        env={**here, "PYTHONPATH": str(root), **environment},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as server:  # fmt: skip
        try:
            yield server, f"ws://localhost:{port}/_stcore/stream"
        finally:
            server.terminate()
