"""The rows of a workbook, each cell read by itself: what one of them holds spoils no other.

openpyxl reads a workbook whole. A cell that contradicts its own type, a letter that XML does not
know, a font or a link that nobody has heard of is then an error, and all rows are lost with one.
"""

import re
from collections.abc import Iterator
from typing import IO, Any
from zipfile import ZipFile

from openpyxl.packaging.manifest import Manifest
from openpyxl.reader.excel import ExcelReader
from openpyxl.styles.numbers import builtin_format_code, is_date_format, is_timedelta_format
from openpyxl.worksheet._reader import WorkSheetParser
from openpyxl.xml.constants import ARC_CONTENT_TYPES, ARC_STYLE, SHARED_STRINGS, SHEET_MAIN_NS
from openpyxl.xml.functions import fromstring, iterparse

from dpcore.data.reading.dialect import MOST_ABOVE

# Letters that XML does not know, which programs write all the same: by their number, or as UTF-8.
_LETTER = re.compile(
    rb"&#(x[0-9A-Fa-f]{1,6}|[0-9]{1,7});|\xef\xbf[\xbe\xbf]|\xed[\xa0-\xbf][\x80-\xbf]"
)
_UNKNOWN = "\ufffd".encode()
_STEP, _LONGEST = 2**16, 11


def _known(letter: re.Match[bytes]) -> bytes:
    if letter[1] is None:
        return _UNKNOWN
    number = int(letter[1][1:], 16) if letter[1].startswith(b"x") else int(letter[1])
    plain = 0x20 <= number < 0xD800 or 0xE000 <= number < 0xFFFE or 0x10000 <= number < 0x110000
    return letter[0] if plain or number in (9, 10, 13) else _UNKNOWN


class _Letters:
    """A part of a workbook in which every letter is one that XML knows."""

    def __init__(self, part: IO[bytes]) -> None:
        self._part, self._held = part, b""

    def read(self, _: int = -1) -> bytes:
        """Some of it; nothing at its end."""
        more = self._part.read(_STEP)
        text, self._held = self._held + more, b""
        # What may be the beginning of a letter waits for the rest.
        start = max(text.rfind(mark, -_LONGEST) for mark in (b"&", b"\xef", b"\xed"))
        if more and start > 0:
            text, self._held = text[:start], text[start:]
        return _LETTER.sub(_known, text)


def _elements(archive: ZipFile, part: str, name: str) -> Iterator[Any]:
    """The elements of one name, one after the other; nothing else of the part is looked at."""
    with archive.open(part) as content:
        for _, element in iterparse(_Letters(content)):
            if element.tag == f"{{{SHEET_MAIN_NS}}}{name}":
                yield element
                element.clear()


def _text(element: Any) -> str:
    """What a text says, whatever it looks like; how it is pronounced is left out."""
    space = {"m": SHEET_MAIN_NS}
    said = [*element.iterfind("m:t", space), *element.iterfind("m:r/m:t", space)]
    return "".join(one.text or "" for one in said).replace("x005F_", "")


class _Cells(WorkSheetParser):  # type: ignore[misc]
    col_counter: int

    def parse_cell(self, element: Any) -> dict[str, Any]:
        """One cell; empty if it is none, and a text without what it looks like if that is odd."""
        before = self.col_counter
        try:
            found: dict[str, Any] = super().parse_cell(element)
        # Whatever it stumbles over is this cell's.
        except Exception:  # noqa: BLE001
            self.col_counter = max(self.col_counter, before + 1)
            words = element.find(f"{{{SHEET_MAIN_NS}}}is")
            said = None if words is None else _text(words)
            found = {"column": self.col_counter, "value": said}
        return found

    def parse_row(self, row: Any) -> tuple[int, list[dict[str, Any]]]:
        """The number of a row, that of the next one if it says none, and its cells."""
        try:
            number, cells = super().parse_row(row)
        except ValueError:
            del row.attrib["r"]
            number, cells = super().parse_row(row)
        return number, cells


class Book(ExcelReader):  # type: ignore[misc]
    """An open workbook: the names of its sheets, and their rows."""

    def read(self) -> None:
        """Read what all sheets share: texts, formats of dates, and when days are counted from."""
        self.package = Manifest.from_tree(fromstring(self.archive.read(ARC_CONTENT_TYPES)))
        part = self.package.find(SHARED_STRINGS)
        if part is not None:
            found = _elements(self.archive, part.PartName[1:], "si")
            self.shared_strings = [_text(element) for element in found]
        self.read_workbook()
        sheets = ((sheet.name, rel) for sheet, rel in self.parser.find_sheets())
        self.sheets = {
            name: rel.target
            for name, rel in sheets
            if rel.target in self.valid_files and "chartsheet" not in rel.Type
        }
        self._dates, self._durations = self._formats()

    def _formats(self) -> tuple[set[int], set[int]]:
        """The styles of cells that hold dates, and durations; by their formats alone."""
        dates, durations, codes = set[int](), set[int](), dict[str | None, str | None]()
        if ARC_STYLE in self.valid_files:
            for one in _elements(self.archive, ARC_STYLE, "numFmt"):
                codes[one.get("numFmtId")] = one.get("formatCode")
            # Those beside the cells' own are of named styles.
            own = next(_elements(self.archive, ARC_STYLE, "cellXfs"), ())
            for place, one in enumerate(own):
                number = one.get("numFmtId", "0")
                usual = builtin_format_code(int(number)) if number.isdecimal() else None
                code = codes.get(number, usual)
                dates |= {place} if is_date_format(code) else set()
                durations |= {place} if is_timedelta_format(code) else set()
        return dates, durations

    def rows(self, sheet: str) -> Iterator[list[object]]:
        """The rows of a sheet, those that are not there near its top too."""
        told = {"date_formats": self._dates, "timedelta_formats": self._durations}
        parser = _Cells(None, self.shared_strings, data_only=True, epoch=self.wb.epoch, **told)
        count = 0
        for element in _elements(self.archive, self.sheets[sheet], "row"):
            number, cells = parser.parse_row(element)
            yield from ([] for _ in range(count + 1, min(number, MOST_ABOVE + 1)))
            count = max(count + 1, number)
            row: list[object] = [None] * max((cell["column"] for cell in cells), default=0)
            for cell in cells:
                row[cell["column"] - 1] = cell["value"]
            yield row
