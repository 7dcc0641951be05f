"""Tables at the limit pass, larger ones do not."""

from __future__ import annotations

import pytest

from dpcore.data.reading import Limits
from dpcore.data.reading.size import require_columns, require_rows
from dpcore.errors import IntakeError

LIMITS = Limits(rows=10, columns=5, cells=40)


def test_at_the_limit() -> None:
    require_columns(5, "x", LIMITS)
    require_rows(10, 4, "x", LIMITS)
    require_rows(8, 5, "x", LIMITS)


def test_past_the_limit() -> None:
    with pytest.raises(IntakeError, match="^x has 6 columns, more than the limit of 5; keep"):
        require_columns(6, "x", LIMITS)
    with pytest.raises(IntakeError, match="^x has 11 rows, more than the limit of 10; upload"):
        require_rows(11, 1, "x", LIMITS)
    with pytest.raises(IntakeError, match="^x has 45 cells, more than the limit of 40; upload"):
        require_rows(9, 5, "x", LIMITS)
