"""Keep the linear algebra library to one thread for a while."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Any

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

__all__ = ["ONE_BLAS_THREAD"]


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
                self._lowered.restore_original_limits()


ONE_BLAS_THREAD = _OneThread()
