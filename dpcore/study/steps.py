"""What each stage of a study does; no input or output except that `prepare` loads the records."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias, TypedDict, Unpack

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.data.reading import Grouping, split_records
from dpcore.errors import DataError, InvalidArgument, PrivateInference
from dpcore.evaluation import ExactScores, RocRelease, private_roc_curve
from dpcore.models.estimator import PrivateClassifier
from dpcore.models.training import RepeatedTraining, Training
from dpcore.noise import NoiseOff, NoiseSource, SeededNoise, SystemNoise
from dpcore.privacy import Ledger, Neighbors, Part
from dpcore.schema import Binary, Categorical, Design, Schema, encode
from dpcore.schema.cell_arrays import column_of
from dpcore.schema.cells import codes_of_classes
from dpcore.schema.schema import label_codes
from dpcore.schema.space import require_public_schema
from dpcore.selection import SelectionRelease, bins_of_equal_width, select_features
from dpcore.study import sections
from dpcore.study.baselines import fit_reference
from dpcore.study.sections import ESTIMATORS, TEST, TRAIN, Evaluation, Model, NoiseChoice, Selection
from dpcore.study.sources import Dataset, OpenData
from dpcore.study.truth import Performance, against_the_rest, right_shares

Noise: TypeAlias = NoiseChoice | NoiseOff

# Features that were chosen lately, whose records are kept within their bounds.
_KEPT = 4


class Account(TypedDict):
    """What a stage may spend, between which neighbours, and whom it charges."""

    epsilon: Fraction
    neighbors: Neighbors
    ledger: Ledger


@dataclass(frozen=True)
class Prepared:
    """Encoded records of both parts (private), and of the test part how many are left out.

    `test_rows` says which rows of the table its records are; they may be grouped by a column of the
    schema.
    """

    train: Design
    test: Design
    schema: Schema
    test_rows: BoolArray
    left_out: int = 0
    by: Grouping | None = None
    _bounded: dict[bytes, tuple[Training, BoundedRows]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @cached_property
    def train_rows(self) -> BoundedRows:
        """The training records within their bounds."""
        return BoundedRows.of(self.train.matrix, self.train.space)

    def bounded(self, chosen: IntArray) -> tuple[Training, BoundedRows]:
        """Training and test records with some of the features, read and counted once (private).

        The last few are kept: a study that is run again with other noise often chooses the same.
        """
        key = chosen.tobytes()
        found = self._bounded.get(key)
        if found is None:
            train, test = self.train.take(chosen), self.test.take(chosen)
            assert train.y is not None
            rows = BoundedRows.of(train.matrix, train.space)
            training = RepeatedTraining.of(rows, train.y, len(self.schema.label.classes))
            found = training, BoundedRows.of(test.matrix, test.space)
            self._bounded[key] = found
            for old in list(self._bounded)[:-_KEPT]:
                self._bounded.pop(old, None)
        return found

    @property
    def positive(self) -> int:
        """Position of the positive class among the classes."""
        return self.schema.label.positive_index


@dataclass(frozen=True)
class Scored:
    """Test scores (private), and their exact curve where a simulation may draw it."""

    performance: Performance
    part: Part | None
    n_train: int
    curve: tuple[FloatArray, FloatArray] | None


def prepare(
    opened: OpenData,
    *,
    split: sections.Split,
    simulated: bool,
    bins: int | None = None,
    group: str | None = None,
) -> Prepared:
    """Load, encode and divide the records.

    A label that is missing or no declared class stops a simulation with a sentence about its row.
    With real noise it only leaves its own record out: no cell of any record shows in an error, and
    none decides what happens to another record.

    Raises
    ------
    DataError
        If the table cannot be read, or does not fit its schema.
    PrivateInference
        If the schema, or how the file is read, is taken from the data and the noise is real.
    """
    data = opened.load()
    if not isinstance(data, Dataset):
        raise InvalidArgument("data", type(data).__name__, "a Dataset, because the study trains")
    require_public_schema(data.schema, simulated=simulated)
    _require_declared(data.taken_from_data, simulated=simulated)
    if simulated:
        data.schema.validate(data.frame)
    label = data.schema.label
    classes = label_codes(column_of(data.frame, label.name), label)
    features = encode(data.frame.drop(columns=label.name), data.schema)
    if bins is not None:
        features = bins_of_equal_width(features, bins)
    design = Design(features.matrix, features.space, classes)
    coins = SeededNoise(split.seed) if simulated else SystemNoise()
    is_test = split_records(len(data.frame), test_fraction=split.test_fraction, noise=coins)
    declared = classes >= 0
    test_rows = is_test & declared
    by = None if group is None else grouping(data, group, test_rows)
    train, test = design.rows(~is_test & declared), design.rows(test_rows)
    left_out = int(np.sum(is_test & ~declared))
    return Prepared(train, test, data.schema, test_rows, left_out, by)


def grouping(data: Dataset, name: str, here: BoolArray) -> Grouping:
    """The groups of some records, by a column whose levels are declared."""
    found = [one for one in data.schema.features if one.name == name]
    if not found or not isinstance(found[0], Binary | Categorical):
        raise InvalidArgument("data.group", name, "a column that the schema declares with levels")
    levels = tuple(found[0].levels)
    return Grouping(codes_of_classes(column_of(data.frame, name), levels)[here], levels)


def _require_declared(taken: frozenset[str], *, simulated: bool) -> None:
    if taken and not simulated:
        what = f"how the file is read ({', '.join(sorted(taken))})"
        remedy = "declare data.delimiter, data.decimal and data.encoding"
        raise PrivateInference(what, f"{remedy} (or read it with a dialect)")


def select(
    prepared: Prepared, *, selection: Selection, noise: Noise, **account: Unpack[Account]
) -> SelectionRelease:
    """Choose features on the train part."""
    train = prepared.train
    return select_features(
        prepared.train_rows if noise.simulated else train.matrix,
        train.y,
        method=selection.method,
        space=train.space,
        noise=_source(noise, "select"),
        part=TRAIN,
        **account,
        **selection.parameters,
    )


def train(
    prepared: Prepared,
    selected: SelectionRelease,
    *,
    model: Model,
    noise: Noise,
    **account: Unpack[Account],
) -> PrivateClassifier:
    """Fit the private model on the chosen features of the train part."""
    # With real noise nobody may learn that the part is empty: a model of no record is all noise.
    if noise.simulated and not prepared.train.matrix.shape[0]:
        what = "no record fell into the train part"
        raise DataError(what, remedy="make split.test_fraction smaller")
    chosen = selected.selected
    simulated = noise.simulated
    train = prepared.bounded(chosen)[0] if simulated else prepared.train.take(chosen)
    estimator = ESTIMATORS[model.kind](
        method=model.method,
        classes=tuple(range(len(prepared.schema.label.classes))),
        schema=train.space,
        noise=_source(noise, "train"),
        part=TRAIN,
        **account,
        **model.parameters,
    )
    if isinstance(train, Training):
        return estimator.fit_simulated(train)
    return estimator.fit(train.matrix, train.y)


def _source(noise: Noise, stage: str) -> NoiseSource:
    return noise.source(stage) if isinstance(noise, NoiseChoice) else noise


def score(
    prepared: Prepared, selected: SelectionRelease, model: PrivateClassifier, *, simulated: bool
) -> Scored:
    """Count the private model's scores on the test part."""
    classes = np.asarray(model.classes_)
    # scikit-learn refuses to score no records at all; an empty test part is a valid, dull one.
    probabilities = np.zeros((0, classes.size))
    if prepared.test.matrix.shape[0] and simulated:
        fitted = model.model_
        probabilities = fitted.probabilities(fitted.scores(prepared.bounded(selected.selected)[1]))
    elif prepared.test.matrix.shape[0]:
        probabilities = model.predict_proba(prepared.test.take(selected.selected).matrix)
    performance = _performance(prepared, probabilities, classes)
    n_train = prepared.train.matrix.shape[0]
    curve = performance.exact.curve if simulated else None
    return Scored(performance, TEST, n_train, curve)


def noise_free(
    prepared: Prepared,
    *,
    selection: Selection,
    model: Model,
    for_selection: Fraction,
    for_training: Fraction,
    neighbors: Neighbors,
) -> Performance:
    """Select, train and test as the study does, with the noise off; for simulations only.

    Everything else is as the study has it at its epsilon: the cells, the shares of the budget, the
    regularisation. So what the private model lacks beside this one is what the noise costs.
    """
    # Nobody's budget: nothing of this is ever released.
    nobodys: dict[str, Any] = {"ledger": Ledger(neighbors=neighbors), "neighbors": neighbors}
    nobodys["noise"] = NoiseOff()
    selected = select(prepared, selection=selection, epsilon=for_selection, **nobodys)
    fitted = train(prepared, selected, model=model, epsilon=for_training, **nobodys)
    return score(prepared, selected, fitted, simulated=True).performance


def reference(prepared: Prepared) -> Performance:
    """Fit and test the strong reference on all features; for simulations only."""
    fitted = fit_reference(prepared.train)
    n_test = prepared.test.matrix.shape[0]
    none = np.zeros((0, fitted.classes.size))
    probabilities = fitted.predict_proba(prepared.test) if n_test else none
    return _performance(prepared, probabilities, fitted.classes)


def tally(opened: OpenData, *, positive: str | None, simulated: bool) -> Scored:
    """Count the scores of a model trained elsewhere.

    Raises
    ------
    DataError
        If the predictions cannot be read.
    PrivateInference
        If the noise is real, and nobody said which label is positive or how the file is written.
    """
    if positive is None and not simulated:
        raise PrivateInference("the positive label", "name it in data.positive")
    data = opened.load()
    if isinstance(data, Dataset):
        raise InvalidArgument("data", "Dataset", "Predictions, because the study only evaluates")
    _require_declared(data.taken_from_data, simulated=simulated)
    performance = Performance.of_predictions(data)
    return Scored(performance, None, 0, performance.exact.curve if simulated else None)


def _performance(prepared: Prepared, probabilities: FloatArray, classes: IntArray) -> Performance:
    """What a model reaches on the test part; of each class too, where they are more than two."""
    y, positive = prepared.test.y, prepared.positive
    assert y is not None
    names = prepared.schema.label.classes
    column = np.flatnonzero(classes == positive)
    # A model that never saw the positive class gives it no chance.
    scores = probabilities[:, column[0]] if column.size else np.zeros(y.size)
    hits = classes[np.argmax(probabilities, axis=1)] == y
    exact = ExactScores(y == positive, np.clip(scores, 0.0, 1.0))
    shares = right_shares(hits, y, len(names)) if y.size else None
    each: Mapping[str, ExactScores] | None = None
    if len(names) > 2:
        every = np.zeros((len(names), y.size))
        every[classes] = np.clip(probabilities.T, 0.0, 1.0)
        each = against_the_rest(names, y, every)
    return Performance.of(exact, shares, prepared.left_out, prepared.by, each)


def evaluate(
    scored: Scored, *, evaluation: Evaluation, noise: NoiseChoice, **account: Unpack[Account]
) -> RocRelease:
    """Release the ROC curve of the test scores."""
    method = {"method": evaluation.method, "confidence": evaluation.confidence}
    told: dict[str, Any] = {"noise": noise, **account, **method, **evaluation.parameters}
    curve: RocRelease = evaluate_by(private_roc_curve, "scores", scored, **told)
    return curve


def evaluate_by(
    release: Callable[..., Any], takes: str, scored: Scored, *, noise: NoiseChoice, **options: Any
) -> Any:
    """Release something else of the test scores, as `Goal` says."""
    counted = getattr(scored.performance, takes)
    if counted is None:
        raise InvalidArgument("what", takes, f"another release: these data have no {takes}")
    return release(counted, noise=noise.source("evaluate"), part=scored.part, **options)
