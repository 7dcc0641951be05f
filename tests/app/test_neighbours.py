"""Neighbours to whom the gate hands out the same are shown the same, but for keyed names."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import dpcore.release
from dpcore import LedgerStore, Loss, SystemNoise
from dpcore.data.reading import limited_process
from dpcore.desk import (
    Released,
    Request,
    publications_of,
    read_blindly,
    release,
    table_csv,
)
from dpcore.study import Epsilons, Selection, Workflow
from pages.widgets import private_data
from tests.app.private_visit import SOURCE, locked, opened, scores, visit
from tests.conformance.test_replayed_releases import PREDICTIONS, TABLE, WITH_WORDS, records

ROWS = scores(60).decode().splitlines()
# Records that are there or not, and behind which others. The first page is of a new visit.
ODD = ((), (), (30, "1,0.9"), (61, '1,"0.5'))
ASKED = Request(what="roc", study=Workflow(data=SOURCE, epsilon=Epsilons(evaluation="0.5")))
# Columns of all kinds of predictions, and of a table.
EVERY = {"y,s,t,r,g": (PREDICTIONS, None), "x,z,l,b,w,y": (TABLE, WITH_WORDS)}
KINDS = [
    (header, what)
    for header, (source, schema) in EVERY.items()
    for what in publications_of(source, schema)
]
PAGES = ("release_desk", "budget", "ledger")


def public(text: str) -> str:
    """Without what no neighbours have in common: keyed names and moments."""
    return re.sub(r"\b[0-9a-f]{12,}|\d\d:\u2060?\d\d(:\d\d)?|[:\u2060]+\d\d\b", "", text)


class Again:
    """The gate: what it has released once it hands out for all that come after, in that order."""

    def __init__(self) -> None:
        self._release, self.kept, self.handed = dpcore.release.release, list[Any](), 0

    def __call__(self, mechanism: Any, value: Any, *, noise: Any, **told: Any) -> Any:
        made = self._release(mechanism, value, noise=noise, **told)
        if noise.simulated:
            return made
        self.kept[self.handed :] = self.kept[self.handed :] or [made]
        self.handed += 1
        return self.kept[self.handed - 1]


@pytest.fixture
def again(monkeypatch: pytest.MonkeyPatch) -> Again:
    made = Again()
    monkeypatch.setattr(dpcore.release, "release", made)
    return made


def shown(app: Any) -> str:
    """All that the browser is sent."""
    return public("\n".join(str(getattr(one, "proto", "")) for one in app._tree))


def taken_away(found: Released) -> str:
    return public(table_csv(found) + found.to_json())


def test_the_page_after_a_release(
    again: Again, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """All that the browser is sent, and what can be taken away from it."""
    said = list[str]()
    with locked(), mock.patch("pages.release_desk.preview.show"):
        app = visit("release_desk", epsilon="0.5")
        for place, odd in enumerate(ODD):
            again.handed, rows = 0, [*ROWS]
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
            said.append(shown(app) + taken_away(found))
    assert len(again.kept) > 1
    assert [one == said[1] for one in said[1:]] == [True] * (len(ODD) - 1)


@pytest.mark.few(2)
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
@pytest.mark.parametrize("header, what", KINDS)
def test_every_page_before_and_after_every_kind_of_release(
    header: str,
    what: str,
    neighbors: str,
    again: Again,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """One record more or another one, which is plain, of odd cells, or torn."""
    (source, schema), width = EVERY[header], header.count(",") + 1
    rows = records(header, 40, random.Random(what))
    cells = ["b", "9" * 400, "<b>", "NA", "\x00", "new"]
    odd = [",".join("b" * width), ",".join(cells[:width]), '"1,' * width]
    study = Workflow(
        data=source,
        neighbors=neighbors,
        epsilon=Epsilons(selection="1/2", training="1", evaluation="1/2"),
        selection=Selection(method="one-shot", parameters={"top_k": 2}),
    )
    request, said = Request(what=what, study=study), list[list[str]]()
    monkeypatch.setattr(limited_process, "_within", False)
    coins = mock.patch.object(
        SystemNoise, "coins", lambda _, size, share: np.arange(size) % 3 < 3 * share
    )
    with locked(), mock.patch("pages.release_desk.preview.show"):
        apps = [visit(page, release_desk_what=what, neighbors=neighbors) for page in PAGES]
        # The first page is of a new visit.
        for place, other in enumerate(["", "", *odd]):
            again.handed = 0
            monkeypatch.setenv("DPCORE_LEDGER", str(tmp_path / f"{place}.sqlite"))
            store, here = LedgerStore(), [*rows, other] if other else rows
            if neighbors == "replace" and other:
                del here[0]
            content = "\n".join([header, *here, ""]).encode()
            read = read_blindly(content, request, schema=schema)
            private, seen = private_data.Private(read, source, schema), list[str]()
            for act in (None, "budget", "release"):
                if act == "budget":
                    store.open_budget(private.digest, Loss(10), neighbors)
                if act == "release":
                    with coins:
                        seen.append(taken_away(release(request, read, store)))
                for app in apps:
                    app.session_state[private_data.OPENED] = private
                    seen.append(shown(app.run()))
                    assert not app.exception
            said.append(seen)
    assert again.kept
    assert [one == said[1] for one in said[2:]] == [True] * len(odd)
