"""``dpcore methods`` lists every method with its verdict."""

from dpcore.cli import main
from dpcore.study.sections import all_methods


def test_every_method_is_listed_with_its_verdict(capsys):
    assert main(["methods"]) == 0
    said = capsys.readouterr().out
    flat = " ".join(said.split())
    for heading, methods in all_methods().items():
        assert heading.upper() in said
        for name, method in methods.items():
            assert f"  {name}  [{method.guarantee.word}]" in said
            assert " ".join(method.guarantee.reason.split()) in flat
            assert " ".join(method.reference.split()) in flat
            for parameter in method.parameters:
                assert f"Parameter {parameter.name} (" in said


def test_no_reference_is_left_blank(capsys):
    main(["methods"])
    said = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert any(line.startswith("Reference: ") for line in said)
    assert "Reference:" not in said


def test_broken_methods_can_be_left_out(capsys):
    assert main(["methods", "--proven"]) == 0
    said = capsys.readouterr().out
    assert "[PROVEN]" in said
    assert "BROKEN" not in said


def test_lines_fit_a_terminal(capsys):
    main(["methods"])
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 100
