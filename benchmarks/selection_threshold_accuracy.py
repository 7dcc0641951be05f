"""How well do selections by a threshold agree with the truth? (Figure 3 of Stoddard et al. 2014)

Run ``python -m benchmarks.selection_threshold_accuracy [--quick]``.

F1 of the selected words against those that truly occur in more than tau messages, at epsilon 1, in
two ways. "buckets": as in a release, words hashed to 4,096 public buckets, rows cut to 10 by the
public order of the columns. "words": as in the figures seen in a prototype, which gave neither: the
words of the corpus as they are (which a release cannot know), and of a longer message 15 words
chosen at random. Each way has its own true set. A row bound takes words away from the counts, so it
misses some at a high threshold; its noise lets more through at a low one.
"""

from __future__ import annotations

import argparse
import re
import sys

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from benchmarks._messages import Messages
from benchmarks._model_sets import SETS
from dpcore import SeededNoise
from dpcore.selection import f1, select_features
from tests._real_data import real_data_folder

EPSILON, MAX_ROWS = 1, 10_000
THRESHOLDS = (150.0, 60.0, 10.0)
BUCKETS_BOUND, WORDS_BOUND = 10, 15
SEEN = {
    "noisy-scores": (0.860, 0.682, 0.348),
    "cluster": (0.451, 0.483, 0.268),
    "threshold-testing-published": (0.995, 0.989, 0.967),
    "noisycut-published": (0.979, 0.970, 0.838),
}
NOISE = 0.05  # both are means of few runs


def words_of_messages() -> csr_array:
    """Which message has which word of the corpus."""
    texts = SETS["sms"].read(real_data_folder() / SETS["sms"].file)["text"]
    sets = [sorted(set(re.findall(r"\w+", text.lower()))) for text in texts]
    place = {word: number for number, word in enumerate(sorted({w for one in sets for w in one}))}
    columns = np.array([place[word] for one in sets for word in one])
    rows = np.repeat(np.arange(len(sets)), [len(one) for one in sets])
    return csr_array((np.ones(rows.size), (rows, columns)), shape=(len(sets), len(place)))


def cut_at_random(rows: csr_array, most: int, seed: int) -> csr_array:
    """So many random words of every longer row."""
    where = rows.tocoo().coords[0]
    drawn = np.random.default_rng(seed).random(where.size)
    order = np.lexsort((drawn, where))
    starts = np.searchsorted(where[order], np.arange(rows.shape[0]))
    kept = order[np.arange(where.size) - starts[where[order]] < most]
    coords = tuple(axis[kept] for axis in rows.tocoo().coords)
    return csr_array((np.ones(kept.size), coords), shape=rows.shape)


def agreement(
    method: str,
    tau: float,
    run: int,
    rows: csr_array,
    y: NDArray[np.int64],
    bound: int,
    *,
    cut: bool,
) -> float:
    """F1 of one run."""
    truth = np.flatnonzero(np.asarray(rows.sum(axis=0)).ravel() > tau)
    # What is not private is published without a row bound.
    bounded = "published" not in method
    seen = cut_at_random(rows, bound, run) if bounded and cut else rows
    most = {"max_nonzeros": bound} if bounded else {}
    chosen = select_features(
        seen, y, method=method, threshold=tau, epsilon=EPSILON, max_rows=MAX_ROWS,
        noise=SeededNoise(run), **most,  # type: ignore[arg-type]
    )  # fmt: skip
    return f1(chosen.selected, truth)


def main() -> int:
    """Print the table; the exit code counts the figures that fall short of those seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three runs")
    runs = 3 if parser.parse_args().quick else 10
    try:
        data, words = Messages.of_sms(), words_of_messages()
    except FileNotFoundError as absent:
        print(f"left out, because {absent.filename} is absent (set DPCORE_DATA)")
        return 0
    print(f"F1 at epsilon {EPSILON}, {runs} runs: buckets / words (seen)")
    print(" " * 28 + "".join(f"{f'tau={tau:.0f}':>24}" for tau in THRESHOLDS))
    short = 0
    for method, seen in SEEN.items():
        cells = []
        for tau, before in zip(THRESHOLDS, seen, strict=True):
            ours, theirs = (
                np.mean(
                    [
                        agreement(method, tau, run, rows, data.y, bound, cut=cut)
                        for run in range(runs)
                    ]
                )
                for rows, bound, cut in (
                    (data.rows, BUCKETS_BOUND, False),
                    (words, WORDS_BOUND, True),
                )
            )
            short += int(theirs < before - NOISE)
            cells.append(f"{f'{ours:.3f} / {theirs:.3f} ({before:.3f})':>24}")
        print(f"{method:<28}" + "".join(cells), flush=True)
    print("the last two are not private: any data set can be told from its neighbour")
    return short


if __name__ == "__main__":
    sys.exit(main())
