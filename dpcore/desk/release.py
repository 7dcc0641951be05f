"""The desk's one deliberate act: charge, draw, store, and only then show what was released."""

from __future__ import annotations

import io
import json
import platform
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib.metadata import version
from typing import Any

from dpcore import __version__
from dpcore.data.reading.prediction_scores import ScoreScale
from dpcore.desk.preview import rehearse
from dpcore.desk.reading import require_public
from dpcore.desk.request import Request, request_id
from dpcore.errors import DataError, MissingResource, NeighborsMismatch, ReleaseVoid
from dpcore.privacy import Charge, Loss, charges_as_json, charges_from_json
from dpcore.publications import Found, Publication, publication
from dpcore.schema import Schema
from dpcore.store import Account, Entry, LedgerStore
from dpcore.store.account import recorded, state_of
from dpcore.store.chain import canonical
from dpcore.study import NoiseChoice, WorkflowResult
from dpcore.study.result import composition
from dpcore.study.sources import StudyData

FORMAT = "dpcore release 1"


@dataclass(frozen=True, kw_only=True, eq=False)
class Released:
    """What was published, with the account of what it cost; nothing in it is private.

    Parameters
    ----------
    request_id : str
        HMAC of everything that defines the release.
    document : mapping
        As it was stored: request, schema, result, privacy, versions.
    entries : tuple of Entry
        Its rows in the ledger.
    replayed : bool
        Whether it had been stored before it was asked for this time.
    """

    request_id: str
    document: Mapping[str, Any]
    entries: tuple[Entry, ...]
    replayed: bool = False

    @property
    def kind(self) -> Publication:
        """The declaration of what was published."""
        return publication(self.document["request"]["what"])

    @property
    def result(self) -> Any:
        """The released object: RocRelease, ClassCurves, CalibrationRelease, names or a model."""
        return self.kind.load(self.document["result"])

    @property
    def headline(self) -> str:
        """What it says, in one sentence made from released values."""
        return self.kind.headline(self.found)

    @cached_property
    def found(self) -> Found:
        """What was released, as the kind's headline, table and picture take it."""
        request, result = self.document["request"], self.document["result"]
        told = request["study"]["data"]
        chosen = result.get("features", {"all": (), "selected": (), "scores": None})
        model = publication("model").load(result) if "model" in result else None
        return Found(
            release=self.result,
            epsilon=Fraction(request["study"]["epsilon"][self.kind.phases[-1]]),
            classes=self.classes,
            options=request["options"],
            features=tuple(chosen["all"]),
            selected=tuple(chosen["selected"]),
            scores=chosen["scores"],
            model=model,
            scale=ScoreScale.of(told.get("scale", "probability"), told.get("bounds")),
        )

    @property
    def classes(self) -> tuple[str, str]:
        """What the negative and the positive class are called in the declaration."""
        if self.document["schema"] is None:
            told = self.document["request"]["study"]["data"]
            return told.get("negative") or f"not {told['positive']}", str(told["positive"])
        label = Schema.from_toml(self.document["schema"]).label
        others = [name for name in label.classes if name != label.positive]
        return (others[0] if len(others) == 1 else "all others"), label.positive

    @property
    def charges(self) -> tuple[Charge, ...]:
        """What the ledger charged."""
        return charges_from_json(self.document["privacy"]["charges"])

    @property
    def total(self) -> Loss:
        """The composed loss of its charges, each attempt by itself."""
        privacy = self.document["privacy"]
        return Loss(privacy["epsilon"], privacy["delta"])

    @property
    def moment(self) -> str:
        """When it was charged; UTC, ISO 8601, without the time if read from JSON."""
        return next(row.moment for row in self.entries if row.kind == "release")

    @property
    def day(self) -> str:
        """The day of `moment`, which is all of it that is published."""
        return self.moment.partition("T")[0]

    @property
    def minute(self) -> str:
        """The minute of `moment`, in words."""
        return f"{self.moment[:16].replace('T', ' ')} UTC"

    @property
    def notice(self) -> str:
        """What this showing costs, in words."""
        if self.replayed:
            return f"Stored on {self.minute}; showing it again costs nothing."
        return f"Released for {self.total}."

    def to_json(self) -> str:
        """The release with its ledger entries, as JSON text; of their moments the day."""
        document = {
            "format": FORMAT,
            "request_id": self.request_id,
            "release": self.document,
            "ledger": [row.as_published() for row in self.entries],
        }
        return json.dumps(document, indent=1, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Released:
        """Read what `to_json` wrote.

        Raises
        ------
        DataError
            If the text is something else.
        """
        try:
            document = json.loads(text)
            if document["format"] != FORMAT:
                raise ValueError(document["format"])
            return cls(
                request_id=document["request_id"],
                document=document["release"],
                entries=tuple(Entry(**row) for row in document["ledger"]),
                replayed=True,
            )
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(
                "this is no release of the desk", remedy="pass the text of Released.to_json()"
            ) from error


def releases(store: LedgerStore, data_digest: str | None = None) -> list[Released]:
    """All stored releases, oldest first; of one data set, or of all."""
    rows = store.entries(data_digest)
    return [
        Released(
            request_id=request_id,
            document=json.loads(text),
            entries=tuple(row for row in rows if row.request == request_id),
            replayed=True,
        )
        for request_id, text in store.results(data_digest).items()
    ]


# A zip entry carries a time; a fixed one makes equal releases give equal bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)

_SCRIPT = '''\
"""Show a private release again, from the files beside this one; nothing is drawn or charged.

Needs the package dpcore {version}: python reproduce.py
"""

from pathlib import Path

from dpcore.desk import Released

folder = Path(__file__).parent
release = Released.from_json((folder / "release.json").read_text(encoding="utf-8"))
print(release.headline)
print("Privacy:", release.total, "-", release.document["privacy"]["composition"])
print("Request:", release.request_id)

# The released object, for figures and further work that costs no privacy:
result = release.result
'''

_README = """\
{headline}

{title}. Released on {day} for {total} ({neighbors} neighbours).
Everything in this archive is private by differential privacy or public; no record is in it.

  release.json        the release: request, schema, result, charges, versions, ledger entries
  {what}.csv          the result as a table
  ledger.json         the ledger entries of this release, to the day; the hashes are the ledger's
  reproduce.py        prints it again from release.json
  reproduce.ipynb     the same as a notebook
"""


def table_csv(release: Released) -> str:
    """The result as CSV; a text that a spreadsheet would run as a formula is quoted."""
    return release.kind.csv(release.found)


def bundle(release: Released) -> bytes:
    """Zip archive of a release: CSV, JSON, script and notebook.

    Parameters
    ----------
    release : Released

    Returns
    -------
    bytes
        The same for the same release, byte by byte.
    """
    files = {
        "README.txt": _readme(release),
        f"{release.kind.name}.csv": table_csv(release),
        "ledger.json": json.dumps([row.as_published() for row in release.entries], indent=1) + "\n",
        "release.json": release.to_json(),
        "reproduce.ipynb": _notebook(release),
        "reproduce.py": _script(release),
    }
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            entry = zipfile.ZipInfo(f"release-{release.request_id[:12]}/{name}", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, text.encode())
    return archive.getvalue()


def _script(release: Released) -> str:
    return _SCRIPT.format(version=release.document["versions"]["dpcore"])


def _readme(release: Released) -> str:
    return _README.format(
        headline=release.headline,
        title=release.kind.title,
        day=release.day,
        total=release.total,
        neighbors=release.document["privacy"]["neighbors"],
        what=release.kind.name,
    )


def _notebook(release: Released) -> str:
    """The script as a notebook (nbformat 4.5), with its folder as the working directory."""
    code = _script(release).partition('"""\n\n')[2].replace("Path(__file__).parent", "Path()")
    cells = [
        {"cell_type": "markdown", "id": "what", "metadata": {}, "source": _readme(release)},
        {
            "cell_type": "code",
            "id": "show",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": code,
        },
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1) + "\n"


_SYSTEM = NoiseChoice(None)
_FAILED = "the run failed after its charge"
_PACKAGES = ("numpy", "opendp", "pandas", "scikit-learn", "scipy")


def release(
    request: Request, data: StudyData, store: LedgerStore, *, again: bool = False
) -> Released:
    """Publish, once: the same request on the same data replays what is stored, for nothing.

    Parameters
    ----------
    request : Request
    data : Dataset or Predictions
        See `read_records`.
    store : LedgerStore
        With a budget for `data.digest`.
    again : bool, default False
        Whether to pay once more if an earlier run was interrupted.

    Returns
    -------
    Released

    Raises
    ------
    PrivateInference, NotPrivate, NeighborsMismatch, SchemaError, InvalidArgument
        If the request cannot be released; nothing is charged.
    BudgetExceeded
        With what is needed, what is left, and the largest epsilon that fits; nothing is charged.
    MissingResource
        If there is no budget, or another release from these data takes too long.
    ReleaseVoid
        If this or an earlier run was interrupted after its charge.

    Notes
    -----
    *Asked twice at once*, by processes, threads or visits: one draws, the others wait and replay.
    If the one that draws dies, its charge stays spent and the others are told that it is void.

    Privacy
        The noise is the system's. Charges are committed before anything is drawn, and the result
        before anybody sees it. A run that fails in between is void, and never drawn afresh under
        the same charge: whether it failed may depend on what was drawn, and results that are
        repeated until they please have another law than the one that was proven (see the decision
        on durable releases).
    """
    schema = require_public(request, data)
    identity = request_id(request, data, store)
    if (found := _stored(identity, data, store)) is not None:
        return found
    # One look at the ledger: what others charge between two looks would be taken for their doing.
    rows = store.entries(data.digest)
    account, state = Account.of(rows), state_of(rows, identity)
    if account.neighbors is not request.study.neighbors:
        raise NeighborsMismatch(request.study.neighbors, account.neighbors)
    # While another process draws this very release its charge is on record: whoever asks meanwhile
    # waits for the result, whatever is left, or for word that the run is void.
    if state == "new" or (state == "void" and again):
        account.require(recorded(request.charges, identity, 0))
    # How much room the records leave is told by a failure after the charge only.
    with suppress(MemoryError):
        rehearse(request, schema)
    with store.drawing(data.digest):
        # Another process may have drawn it while this one waited.
        if (found := _stored(identity, data, store)) is not None:
            return found
        # Nothing whose success depends on the records comes before the charge, not even reading
        # them into a matrix: where memory ends, a failure tells how many there are.
        charged = store.begin(data.digest, identity, request.charges, again=again)
        try:
            outcome = request.carry_out(data, noise=_SYSTEM)
            text = _document(request, schema, outcome, charged)
            store.step("drawn")
        except Exception:  # noqa: BLE001  # raised anew, without what it quotes
            # Where even that cannot be written, whoever draws next makes it void.
            with suppress(MissingResource):
                store.void(data.digest, identity, _FAILED)
            # What failed may quote the records, down to their number, and is shown nowhere.
            raise ReleaseVoid(identity, _FAILED) from None
        text = store.finish(data.digest, identity, text)
    return _read(identity, text, data, store, replayed=False)


def _stored(identity: str, data: StudyData, store: LedgerStore) -> Released | None:
    text = store.stored(data.digest, identity)
    return None if text is None else _read(identity, text, data, store, replayed=True)


def _read(
    identity: str, text: str, data: StudyData, store: LedgerStore, *, replayed: bool
) -> Released:
    rows = store.entries(data.digest)
    return Released(
        request_id=identity,
        document=json.loads(text),
        entries=tuple(row for row in rows if row.request == identity),
        replayed=replayed,
    )


def _document(
    request: Request, schema: Schema | None, outcome: WorkflowResult, charged: tuple[Charge, ...]
) -> str:
    """The release as it is stored: canonical JSON of public facts and released values."""
    neighbors, total = request.study.neighbors, request.cost
    privacy: dict[str, Any] = {
        "neighbors": neighbors.value,
        "noise": "system",
        "simulated": False,
        "charges": charges_as_json(charged),
        "mechanisms": charges_as_json(outcome.charges),
        "epsilon": str(total.epsilon),
        "delta": str(total.delta),
        "composition": composition(request.charges, neighbors),
        "guarantees": {method.name: method.guarantee.reason for method in request.methods},
    }
    return canonical(
        {
            "request": request.public(),
            "schema": None if schema is None else schema.to_toml(),
            "schema_digest": None if schema is None else schema.digest(),
            "result": request.kind.result(outcome),
            "privacy": privacy,
            "versions": {
                "dpcore": __version__,
                "python": platform.python_version(),
                **{name: version(name) for name in _PACKAGES},
            },
        }
    )
