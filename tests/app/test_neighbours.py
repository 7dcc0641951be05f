"""Neighbours to whom the gate hands out the same are shown the same, but for keyed names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import dpcore.release
from dpcore import LedgerStore, Loss
from dpcore.desk import Request, release, table_csv
from dpcore.study import Epsilons, Workflow
from pages.widgets import private_data
from tests.app.private_visit import SOURCE, locked, opened, scores, visit

ROWS = scores(60).decode().splitlines()
# Records that are there or not, and behind which others. The first page is of a new visit.
ODD = ((), (), (30, "1,0.9"), (61, '1,"0.5'))
ASKED = Request(what="roc", study=Workflow(data=SOURCE, epsilon=Epsilons(evaluation="0.5")))


def public(text: str) -> str:
    """Without what no neighbours have in common: keyed names and moments."""
    return re.sub(r"\b[0-9a-f]{12,}|\d\d:\u2060?\d\d", "", text)


def test_the_page_after_a_release(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """All that the browser is sent, and what can be taken away from it."""
    real, kept = dpcore.release.release, list[Any]()

    def again(mechanism: Any, value: Any, *, noise: Any, **told: Any) -> Any:
        made = real(mechanism, value, noise=noise, **told)
        if noise.simulated:
            return made
        if len(handed) == len(kept):
            kept.append(made)
        handed.append(kept[len(handed)])
        return handed[-1]

    monkeypatch.setattr(dpcore.release, "release", again)
    said = list[str]()
    with locked(), mock.patch("pages.release_desk.preview.show"):
        app = visit("release_desk", epsilon="0.5")
        for place, odd in enumerate(ODD):
            handed, rows = list[Any](), [*ROWS]
            monkeypatch.setenv("DPCORE_LEDGER", str(tmp_path / f"{place}.sqlite"))
            store = LedgerStore()
            if odd:
                rows.insert(*odd)
            private = opened("\n".join([*rows, ""]).encode())
            store.open_budget(private.digest, Loss(1))
            found = release(ASKED, private.records, store)
            app.session_state[private_data.OPENED] = private
            app.run()
            assert "Released" in [one.value for one in app.subheader]
            shown = [str(getattr(one, "proto", "")) for one in app._tree]
            said.append(public("\n".join([*shown, table_csv(found), found.to_json()])))
    assert len(kept) > 1
    assert [one == said[1] for one in said[1:]] == [True] * (len(ODD) - 1)
