"""Seeded generators of the synthetic tables in ``sample_data``.

``python -m sample_data.generate`` rewrites all of them, byte for byte the same every time with the
pinned packages. (Another zlib may compress to other bytes; the tables inside are still the same.)
"""
