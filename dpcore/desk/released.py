"""A stored release: all that may leave the server."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from dpcore.data.reading.prediction_scores import ScoreScale
from dpcore.exported import reading_export
from dpcore.figures import Picture, Theme
from dpcore.postprocess.monotone import to_be_checked
from dpcore.privacy import Charge, Loss, charges_from_json
from dpcore.publications import Found, Publication, publication
from dpcore.schema import Numeric, Schema
from dpcore.store import Entry

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
    def name(self) -> str:
        """Stem of the files that it is saved as."""
        return f"release-{self.request_id[:12]}"

    def picture(self, theme: Theme) -> Picture | None:
        """What was released, drawn; None of what has no picture, such as a model."""
        return self.kind.picture and self.kind.picture(self.found, theme)

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
        a, b = told.get("score"), told.get("score_b")
        columns = () if self.schema is None else self.schema.features
        numbers = {one.name for one in columns if isinstance(one, Numeric)}
        return Found(
            release=self.result,
            epsilon=Fraction(request["study"]["epsilon"][self.kind.phases[-1]]),
            classes=self.classes,
            options=request["options"],
            features=tuple(chosen["all"]),
            selected=tuple(chosen["selected"]),
            numbers=tuple(name for name in chosen["all"] if name in numbers),
            scores=chosen["scores"],
            model=model,
            models=(a, b) if a and b else None,
            scale=ScoreScale.of(told.get("scale", "probability"), told.get("bounds")),
        )

    @cached_property
    def schema(self) -> Schema | None:
        """The declaration of a table; None of predictions."""
        told = self.document["schema"]
        return None if told is None else Schema.from_toml(told)

    @property
    def classes(self) -> tuple[str, str]:
        """What the negative and the positive class are called in the declaration."""
        if self.schema is None:
            told = self.document["request"]["study"]["data"]
            return told.get("negative") or f"not {told['positive']}", str(told["positive"])
        return self.schema.label.sides

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
        """What this showing costs, in words, and what to look at if it says nothing."""
        told = f"Released for {self.total}."
        if self.replayed:
            told = f"Stored on {self.minute}; showing it again costs nothing."
        return f"{told} {to_be_checked(self.headline)}".rstrip()

    def to_json(self) -> str:
        """The release with its ledger entries, as JSON text; of their moments the day."""
        ledger = [row.as_published() for row in self.entries]
        named = {"format": FORMAT, "request_id": self.request_id}
        document = named | {"release": self.document, "ledger": ledger}
        return json.dumps(document, indent=1, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Released:
        """Read what `to_json` wrote.

        Raises
        ------
        DataError
            If the text is something else.
        """
        with reading_export("release of the desk", "Released"):
            document = json.loads(text)
            if document["format"] != FORMAT:
                raise ValueError(document["format"])
            entries = tuple(Entry(**row) for row in document["ledger"])
            name, told = document["request_id"], document["release"]
            return cls(request_id=name, document=told, entries=entries, replayed=True)


# A zip entry carries a time; a fixed one makes equal releases give equal bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)


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
            entry = zipfile.ZipInfo(f"{release.name}/{name}", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, text.encode())
    return archive.getvalue()


def _template(name: str) -> str:
    return Path(__file__).with_name("bundled").joinpath(name).read_text(encoding="utf-8")


def _script(release: Released) -> str:
    return _template("reproduce.txt").format(version=release.document["versions"]["dpcore"])


def _readme(release: Released) -> str:
    neighbors, kind = release.document["privacy"]["neighbors"], release.kind
    told = {"headline": release.headline, "title": kind.title, "table": f"{kind.name}.csv"}
    told |= {"day": release.day, "total": str(release.total), "neighbors": neighbors}
    return _template("README.txt").format(**told)


def _notebook(release: Released) -> str:
    """The script as a notebook (nbformat 4.5), with its folder as the working directory."""
    code = _script(release).partition('"""\n\n')[2].replace("Path(__file__).parent", "Path()")
    notebook = json.loads(_template("notebook.txt"))
    for cell, source in zip(notebook["cells"], (_readme(release), code), strict=True):
        cell["source"] = source
    return json.dumps(notebook, indent=1) + "\n"
