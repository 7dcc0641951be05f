"""Calibration tables on the desk."""

from tests.desk.publications._outcomes import published


def test_the_stored_table_is_the_released_one() -> None:
    request, outcome, result = published("calibration", options={"groups": 5})
    loaded = request.kind.load(result)
    assert loaded.to_json() == outcome.evaluated.to_json()
    header, rows = request.kind.table(result)
    assert header[0] == "group"
    assert len(rows) == loaded.table.n.size <= 5
    assert f"{loaded.calibration_error:.3f}" in request.kind.headline(result)
    assert request.kind.measure(outcome).error < 0.02
