"""One thread for linear algebra on small matrices, whoever asks for it at the same time."""

import threading
from functools import cached_property
from typing import Any

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]


class _OneThread:
    """A context that may be entered by several threads at once.

    The number of threads belongs to the whole process: whoever enters first lowers it, and whoever
    leaves last restores it, in whatever order they leave.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._lowered: Any = None

    @cached_property
    def _pools(self) -> Any:
        # Once: it scans all libraries that the process has loaded.
        return ThreadpoolController()

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._lowered = self._pools.limit(limits=1, user_api="blas")
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                # Who entered first may be another thread: while the libraries belong to it, nobody
                # else restores anything, and it stays with all that belongs to it.
                self._belong_to_nobody()
                self._lowered.restore_original_limits()
                self._belong_to_nobody()

    def _belong_to_nobody(self) -> None:
        for library in self._pools.lib_controllers:
            if hasattr(library, "clear_controlling_thread"):
                library.clear_controlling_thread(force=True)


ONE_BLAS_THREAD = _OneThread()
