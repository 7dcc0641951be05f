"""Tables as programs print them: cells aligned by spaces, and names of groups above the header."""

import re
from collections import Counter
from collections.abc import Sequence

from dpcore.data.reading.dialect import GAP, is_full
from dpcore.data.reading.problems import Problem, listed
from dpcore.data.reading.text_columns import is_data_cell, repaired_names
from dpcore.schema.cells import MISSING

_NEARLY_ALL = 0.9


def is_aligned(lines: Sequence[str]) -> bool:
    """Whether two spaces or more stand between cells, in which single ones stand between words.

    Examples
    --------
    >>> is_aligned(["true outcome   score", "no event       0.25", "event seen     0.5"])
    True
    >>> is_aligned(["y p1   p2", "1 0.5  0.25", "0 0.25 0.5"])
    False
    """
    rows = [re.split(GAP, line.strip()) for line in lines]
    width = Counter(map(len, rows)).most_common(1)[0][0]
    start = next(at for at, row in enumerate(rows) if len(row) == width)
    even = [row for row in rows[start:] if len(row) == width]
    inner = [cell.split() for row in even for cell in row if " " in cell]
    words = bool(inner) and not any(all(map(is_data_cell, cell)) for cell in inner)
    # Above are titles, or a header that has no name for those of rows.
    wider = any(len(row) > width for row in rows[:start])
    return width > 1 and words and not wider and len(even) >= _NEARLY_ALL * (len(rows) - start)


def whose_columns(groups: Sequence[str], names: Sequence[str]) -> list[Problem]:
    """Say which group each column is of, where names stand again below those of groups.

    Examples
    --------
    >>> whose_columns(["", "rf", "lr"], ["y", "prob", "prob"])[0].sentence
    "The line above the names groups the columns: “rf” has 'prob', “lr” has 'prob_2'."
    """
    if is_full([*names]) or len({*groups} - {""}) < 2 or any(map(is_data_cell, groups)):
        return []
    found: dict[str, list[str]] = {}
    group = ""
    for place, name in enumerate(repaired_names([*names])[0]):
        group = groups[place].strip() if place < len(groups) and groups[place].strip() else group
        found.setdefault(group, []).append(name)
    told = [f"“{one}” has {listed(names)}" for one, names in found.items() if one]
    return [Problem("note", f"The line above the names groups the columns: {', '.join(told)}.")]


def names_numbers(rows: list[list[str]], at: int, width: int) -> bool:
    """Whether a row is full of names, one with nothing but numbers below it and none above.

    A name may stand again, and be a number, below names that group the columns, such as those of
    models; the first may lack then. Columns that hold nothing have none.
    """
    own = [cell.strip() for cell in rows[at]]
    data = all(any(map(is_data_cell, row)) for row in rows[at - 1 : at + 1])
    if data or len(own) != width or {*own} & (MISSING - {""}):
        return False
    cut = (
        [row[place].strip() if place < len(row) else "" for row in rows] for place in range(width)
    )
    columns = [cells for cells in cut if any(cells[at:])]
    names, groups = [cells[at] for cells in columns], [cells[at - 1] for cells in columns]
    named = not any(map(is_data_cell, groups))
    if named and any(groups) and not is_full(groups[1:]):
        whose = groups[:]
        for place, group in enumerate(groups):
            whose[place] = group or whose[max(place - 1, 0)]
        pairs = [*zip(whose, names, strict=True)]
        # What a group names alone has no name below it, and a number is one of several.
        alone = any(group and not name for group, name in zip(groups, names, strict=True))
        if alone or any(is_data_cell(name) and whose.count(one) < 2 for one, name in pairs):
            return False
        names = [f"{one} {name}".strip() or "row" for one, name in pairs]
    # Types below names are no names.
    typed = named and len(columns) < width and is_full(groups)
    if typed or not is_full(names) or any(map(is_data_cell, names)):
        return False
    for cells in columns:
        above, below = ({*some} - MISSING for some in (cells[:at], cells[at + 1 :]))
        named = cells[at] != "" and not any(map(is_data_cell, (cells[at], *above)))
        if named and below and all(map(is_data_cell, below)):
            return True
    return False
