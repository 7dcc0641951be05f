"""``dpcore example`` prints a study that can be read back."""

import pytest

from dpcore.cli import main
from dpcore.data.reading import samples
from dpcore.study import from_json, to_json


@pytest.mark.parametrize("sample", [None, *samples()])
def test_the_example_is_a_valid_study(capsys, sample):
    assert main(["example", *(["--sample", sample] if sample else [])]) == 0
    text = capsys.readouterr().out
    study = from_json(text)
    assert to_json(study) == text
    assert study.noise.simulated
    assert sample in (None, study.data.sample)


def test_an_unknown_sample_is_a_usage_error(capsys):
    with pytest.raises(SystemExit) as left:
        main(["example", "--sample", "nonsense"])
    assert left.value.code == 2
    assert "bank-calls" in capsys.readouterr().err
