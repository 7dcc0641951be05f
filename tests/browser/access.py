"""What axe-core finds wrong with a page."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE = ("serious", "critical")
_OPTIONS = {"resultTypes": ["violations"]}
_AXE = Axe()


def violations(page: Page) -> list[str]:
    """Every serious or critical violation: rule, and the elements that break it."""
    found: list[dict[str, Any]] = _AXE.run(page, options=_OPTIONS).response["violations"]
    return [
        f"{one['id']}: {node['html'][:160]}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]
