"""Comparison keys for many records, against bare AES.

Run ``python -m benchmarks.fss [--quick]``.

One side makes keys for 100,000 records at 16 bits and evaluates both servers' halves at one
threshold; the other enciphers the same number of AES-128 blocks in one call of the cryptography
package, into memory that is there already. Blocks are counted from what was enciphered: six for
each record and level when keys are made (three for each server's seed), two for each record, level
and server when they are evaluated. The last line sets the length of a key beside the paper's
O(L (lambda + log n)).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from benchmarks._ratios import Ratio, paired, save
from dpcore.federated.comparison import comparison_keys, key_bits
from dpcore.federated.key_server import blocks_needed, share_of_counts
from dpcore.federated.keys import SystemKeys

DEPTH, CLAIMED = 16, 30.0


def bare_aes(blocks: int) -> Callable[[], object]:
    """Encipher so many blocks in one call."""
    text, room = np.zeros(16 * blocks, dtype=np.uint8), np.zeros(16 * blocks + 16, dtype=np.uint8)
    encryptor = Cipher(algorithms.AES(bytes(16)), modes.ECB()).encryptor()
    return lambda: encryptor.update_into(text.data, room.data)


def rounds(records: int, repeats: int) -> list[Ratio]:
    """Generation, evaluation at one threshold, and both."""
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 1 << DEPTH, records)
    weights, keys, point = np.ones(records, dtype=np.int64), SystemKeys(), np.array([1 << 15])
    halves = comparison_keys(cells, weights, DEPTH, keys)

    def generate() -> object:
        return comparison_keys(cells, weights, DEPTH, keys)

    def evaluate() -> object:
        return [share_of_counts(half, point) for half in halves]

    made, used = 6 * DEPTH * records, 2 * blocks_needed(point, DEPTH) * records
    size = f"{records:,} records, {DEPTH} bits"
    return [
        paired(
            f"{what}, {size}",
            f"AES-128, {blocks:,} blocks",
            call,
            bare_aes(blocks),
            repeats=repeats,
            limit=CLAIMED,
        )
        for what, blocks, call in (
            ("keys made and evaluated", made + used, lambda: (generate(), evaluate())),
            ("keys made", made, generate),
            ("keys evaluated at one threshold", used, evaluate),
        )
    ]


def key_length(records: int) -> str:
    """The length of a key beside the order that the paper states."""
    bits, order = key_bits(DEPTH), DEPTH * (128 + np.log2(records))
    return (
        f"Key length per record and server: {bits:,} bits ({bits // 8} bytes), which is "
        f"{bits / order:.2f} L (lambda + log2 n) with L = {DEPTH}, lambda = 128, n = {records:,}: "
        f"{order:,.0f} bits."
    )


def main() -> None:
    """Print and keep the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few repeats; nothing is kept")
    quick = parser.parse_args().quick
    ratios = rounds(100_000, 2 if quick else 9)
    save("fss", ratios, remarks=[key_length(100_000)], quick=quick)


if __name__ == "__main__":
    main()
