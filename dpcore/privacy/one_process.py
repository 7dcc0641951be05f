"""One process, one copy: what must not go on as two, because it keeps a budget or noise."""

from __future__ import annotations

import os
from typing import Any, ClassVar, NoReturn, Self

from dpcore.errors import PrivacyError


class _Forks:
    """How many forks lie between this process and the first; process numbers come round again."""

    def __init__(self) -> None:
        self.count = 0
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._after)

    def _after(self) -> None:
        self.count += 1

    def here(self) -> tuple[int, int]:
        """What two processes never share."""
        return os.getpid(), self.count


_FORKS = _Forks()


class OneProcess:
    """An object of which there is one: copies are the object itself, and no process gets another.

    Two copies could spend one budget twice, or show the same noise under two counts, whose
    difference is then exact. So a copy is the object itself, pickling is refused, and a forked
    process is refused whatever calls `_require_own_process`: every method that spends, or that
    answers with noise drawn earlier.

    Examples
    --------
    >>> class Counter(OneProcess):
    ...     _called = "a counter"
    >>> import copy, pickle
    >>> counter = Counter()
    >>> copy.deepcopy(counter) is counter
    True
    >>> pickle.dumps(counter)
    Traceback (most recent call last):
    ...
    dpcore.errors.PrivacyError: a counter cannot be pickled, because a copy could show the same \
noise under other counts; use it in the process that made it
    """

    _called: ClassVar[str] = "an object that keeps noise"
    _danger: ClassVar[str] = "show the same noise under other counts"
    _if_pickled: ClassVar[str] = "use it in the process that made it"

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Note the process in which it is made."""
        made = super().__new__(cls)
        # Frozen data classes are among the heirs.
        object.__setattr__(made, "_process", _FORKS.here())
        return made

    def _require_own_process(self) -> None:
        """Raise `PrivacyError` in a forked process; before a lock is taken, which may be held."""
        if self.__dict__["_process"] != _FORKS.here():
            raise PrivacyError(
                f"{self._called} cannot be used in a forked process, because the copy left behind "
                f"could {self._danger}; use it in the process that made it"
            )

    def __copy__(self) -> Self:
        """There is one."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """There is one."""
        return self

    def __reduce__(self) -> NoReturn:
        """Refuse to leave the process."""
        raise PrivacyError(
            f"{self._called} cannot be pickled, because a copy could {self._danger}; "
            f"{self._if_pickled}"
        )
