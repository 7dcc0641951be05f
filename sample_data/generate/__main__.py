"""Rewrite every generated file of ``sample_data``."""

from sample_data.generate.files import FOLDER, GENERATORS, content

for name in GENERATORS:
    data = content(name)
    (FOLDER / name).write_bytes(data)
    print(f"{name}: {len(data):,} bytes")
