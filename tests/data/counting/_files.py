"""Predictions in files, as small as tests need them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd


def predictions(rows: int, seed: int = 0) -> pd.DataFrame:
    """Labels (int8) and scores (float32)."""
    rng = np.random.default_rng(seed)
    score = rng.beta(0.5, 2.0, rows).astype(np.float32)
    return pd.DataFrame({"y": (rng.random(rows) < score).astype(np.int8), "p": score})


def parquet_files(folder: Path, frame: pd.DataFrame, files: int = 3) -> list[Path]:
    """The rows in several files of several row groups."""
    paths = []
    for number, rows in enumerate(np.array_split(np.arange(len(frame)), files)):
        paths.append(folder / f"{number}.parquet")
        frame.iloc[rows].to_parquet(paths[-1], row_group_size=max(len(rows) // 3, 1), index=False)
    return paths
