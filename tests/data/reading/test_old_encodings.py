"""Texts older than UTF-8 are told by the letters of their languages."""

from __future__ import annotations

import time

import pytest

from dpcore.data.reading.old_encodings import ALPHABETS, SCRIPTS, old_encoding
from dpcore.data.reading.source import to_utf8


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("gb18030", ["城市", "北京", "男", "复旦大学附属医院"]),
        ("cp932", ["都市", "東京", "はい", "テスト"]),
        ("cp949", ["도시", "서울", "아니오", "고혈압"]),
        ("windows-1251", ["Город", "Москва", "нет", "ёлка"]),
        ("windows-1250", ["Miasto", "Wrocław", "mężczyzna", "Łódź"]),
        ("windows-1252", ["Größe", "l’été", "¿qué", "m³/h", "5 × 2", "ÉCOLE", "créée"]),
        ("windows-1252", ["it’s", "“so”", "5 €", "£m", "µg"]),
        ("windows-1252", ["año", "Niño", "situações", "São", "città", "sì", "køn", "från"]),
        ("windows-1250", ["Győr", "férfi", "életkor", "város"]),
        ("windows-1250", ["město", "věk", "úmrtí", "Plzeň", "Česká"]),
        ("windows-1251", ["да", "не", "ъгъл", "подъезд", "Київ"]),
        ("koi8-r", ["город", "Москва", "нет", "РЯЗАНЬ"]),
        ("koi8-u", ["місто", "Київ", "так", "ні", "хворий"]),
        ("cp866", ["город", "Казань", "да", "РЯЗАНЬ"]),
        ("windows-1251", ["ФАМИЛИЯ", "ПЕТРОВА", "ЩЕРБАКОВ", "БОЛЬНА"]),
        ("windows-1253", ["Πόλη", "Αθήνα", "όχι", "Πάτρα", "υγιής"]),
        ("iso-8859-7", ["Άρτα", "Άνδρας", "Αθήνα", "όχι"]),
        ("windows-1254", ["yaş", "şehir", "Muğla", "İstanbul", "ölüm"]),
        ("windows-1255", ["גיל", "זכר", "נקבה", "ירושלים"]),
        ("windows-1256", ["القاهرة", "نعم", "لا"]),
        ("windows-1257", ["amžius", "Šiauliai", "Klaipėda", "įstaiga"]),
        ("cp874", ["กรุงเทพ", "เชียงใหม่", "ไม่"]),
        ("mac-roman", ["Größe", "Köln", "Nürnberg", "Gießen"]),
        ("mac-roman", ["décès", "Orléans", "Besançon", "sí"]),
        ("latin-1", ["Þórshöfn", "Ísafjörður", "já", "maður"]),
        ("windows-1255", ["לא", "כן"]),
        ("windows-1255", ["חולה", "בריא", "בריאה"]),
        ("windows-1251", ["да", "нет"]),
        ("windows-1251", ["жив", "умер"]),
        ("windows-1251", ["болен", "здоров"]),
        ("cp950", ["年齡", "台北", "高雄", "死亡"]),
        ("cp950", ["標籤", "是", "否"] * 4),
        ("cp950", ["正常", "異常"] * 4),
        ("gb18030", ["标签", "是", "否"] * 4),
        ("gb18030", ["正常", "异常", "阳性", "阴性"]),
        ("cp949", ["음성", "양성"] * 4),
        ("euc_jp", ["いいえ", "はい"] * 4),
        ("euc_jp", ["再発なし", "再発あり", "判定結果"]),
        ("euc_jp", ["陰性", "陽性"] * 4),
        ("cp932", ["陰性", "陽性"] * 4),
        ("euc_jp", ["年齢", "性別", "東京都", "大阪府"]),
    ],
)
def test_an_old_encoding_is_told_by_the_script_that_it_shows(
    encoding: str, words: list[str]
) -> None:
    text = "id,word\n" + "".join(f"{at},{word}\n" for at, word in enumerate(words * 5))
    assert to_utf8(text.encode(encoding), "x") == (text.encode(), encoding)
    # One record that is none of it takes nothing from the others.
    odd = text.encode(encoding) + b"99,\xff\xfe\x80\n"
    assert to_utf8(odd, "x")[0].startswith(text.encode())


def test_a_broken_byte_spoils_no_other_letter() -> None:
    text = "id,city\n1,Köln\n2,Århus\n3,Łódź\n".encode()
    assert to_utf8(text + b"4,K\xf6ln\n", "x") == (text + "4,K\ufffdln\n".encode(), "utf-8")


@pytest.mark.parametrize("encoding, end", [("cp850", "\r\n"), ("mac-roman", "\r")])
def test_how_lines_end_tells_dos_from_a_macintosh(encoding: str, end: str) -> None:
    """In DOS "Köln" is what "Kîln" is on a Macintosh, and there "Malmš" is Windows' of Prague."""
    text = end.join(["ort", *["Köln", "München", "Malmö"] * 9, ""])
    assert to_utf8(text.encode(encoding), "x") == (text.encode(), encoding)


def test_signs_alone_and_single_bytes_are_of_the_usual_encoding() -> None:
    """Every encoding is one that Python knows, and none but the usual is told by a few signs."""
    for encoding in (*ALPHABETS, *SCRIPTS):
        assert "a".encode(encoding) == b"a"
    for text in ("a;5 °C;3 µg", "“so” it’s", "m² ½ ±2"):
        assert old_encoding(text.encode("windows-1252")) == "windows-1252"
    assert old_encoding(b"caf\xe9 \x81") == "latin-1"


def test_one_long_word_is_read_once() -> None:
    """One record could make a file too costly, which is told to whoever opens it."""
    start = time.process_time()
    assert old_encoding(b"caf\xe9,\n" + b"a" * 60_000 + b"\n") == "windows-1252"
    assert time.process_time() - start < 1.0


def test_korean_of_which_some_pairs_are_letters_of_utf_8_by_chance_is_korean() -> None:
    text = "번호,정답,확률\n" + "1,아니오,0.2\n2,아니오,0.1\n3,예,0.9\n" * 30
    assert to_utf8(text.encode("cp949"), "the file") == (text.encode(), "cp949")
    # One byte that breaks UTF-8 makes no other encoding of it.
    for words in ("é,à\n", "да,нет\n", "正解,確率\n", "예,아니오\n"):
        assert to_utf8(words.encode() * 30 + b"\xe9\n", "the file")[1] == "utf-8"
