"""Predictions in Parquet files of any number of rows, made once and kept in a temporary folder."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

CACHE = Path(tempfile.gettempdir()) / "dpcore-predictions-2"
ROWS_PER_FILE = 10_000_000


def prediction_set(rows: int) -> list[Path]:
    """Files with a label (int8), a score (float32) and a site (int8), the same every time.

    Scores are beta(1/2, 2) and labels are drawn with the score as their chance; sites are 0 to 4.
    Files are written as pyarrow writes them by default.
    """
    folder = CACHE / str(rows)
    paths = []
    for start in range(0, rows, ROWS_PER_FILE):
        path = folder / f"{start // ROWS_PER_FILE:03d}.parquet"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _write(path, min(ROWS_PER_FILE, rows - start), seed=start // ROWS_PER_FILE)
        paths.append(path)
    return paths


def _write(path: Path, rows: int, seed: int) -> None:
    rng = np.random.default_rng([rows, seed])
    unfinished = path.with_suffix(".part")
    schema = pa.schema({"y": pa.int8(), "p": pa.float32(), "site": pa.int8()})
    with pq.ParquetWriter(unfinished, schema) as writer:
        for start in range(0, rows, 2**20):
            score = rng.beta(0.5, 2.0, min(2**20, rows - start)).astype(np.float32)
            label = (rng.random(score.size) < score).astype(np.int8)
            site = rng.integers(0, 5, score.size, dtype=np.int8)
            writer.write_table(pa.table({"y": label, "p": score, "site": site}))
    unfinished.rename(path)
