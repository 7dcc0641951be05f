"""Regression where the rows are, beside the same fit on gathered rows: one table, one run."""

from __future__ import annotations

import logging
import os
import tempfile
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
from distributed import Client, LocalCluster

from benchmarks._model_sets import ModelSet
from benchmarks._ratios import both_clocks
from dpcore import SeededNoise
from dpcore.models import DPLogisticRegression
from tests._real_data import real_data_folder

FILES, WORKERS = 16, 2


class _Gathered(DPLogisticRegression):
    """The same regression, on rows that are brought here first."""

    _methods_on_workers = frozenset()


def parted_lines(one: ModelSet, rows: int) -> list[str]:
    """Seconds and ratios, as lines of a table: this process alone, and a cluster beside it."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _write(one, rows, Path(folder))
        table = dd.read_parquet(folder)
        here, there = (
            partial(_fitted, kind, table, one) for kind in (_Gathered, DPLogisticRegression)
        )
        with dask.config.set(scheduler="synchronous"):
            gathered, used = both_clocks(here)
            parted, ours = both_clocks(there)
        lines = [
            f"| gathered here | {rows:,} | {gathered:.1f} | {used:.1f} | 1.00 |",
            f"| parted here | {rows:,} | {parted:.1f} | {ours:.1f} | {parted / gathered:.2f} |",
        ]
        found, used_there = _on_cluster(there, table, one)
        ratio = found / gathered
        lines.append(
            f"| parted on {WORKERS} workers | {rows:,} | {found:.1f} | {used_there:.1f} "
            f"| {ratio:.2f} |"
        )
    return [*lines, f"\nLoad of the machine {os.getloadavg()[0]:.1f}."]


def _on_cluster(fit: Any, table: Any, one: ModelSet) -> tuple[float, float]:
    """Wall-clock seconds, and processor seconds of all workers and of this process."""
    options = {"threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with LocalCluster(n_workers=WORKERS, **options) as cluster, Client(cluster) as client:
        # Workers import on their first task, which is not what is measured.
        _fitted(DPLogisticRegression, table.partitions[:WORKERS], one)
        before = sum(client.run(_processor_seconds).values())
        wall, used = both_clocks(fit)
        return wall, used + sum(client.run(_processor_seconds).values()) - before


def _processor_seconds() -> float:
    times = os.times()
    return times.user + times.system


def _fitted(kind: type[DPLogisticRegression], table: Any, one: ModelSet) -> None:
    model = kind(1.0, schema=one.schema, noise=SeededNoise(0))
    model.fit(table, table[one.schema.label.name])


def _write(one: ModelSet, rows: int, folder: Path) -> None:
    frame = one.read(real_data_folder() / one.file)
    for number, places in enumerate(np.array_split(np.arange(rows) % len(frame), FILES)):
        frame.iloc[places].to_parquet(folder / f"{number:02}.parquet", index=False)
