"""A release to take away: table, account and a script, made from the stored one only."""

from __future__ import annotations

import io
import json
import zipfile

from dpcore.desk.released import Released

__all__ = ["bundle", "table_csv"]

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
