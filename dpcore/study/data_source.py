"""Where the records of a study come from, and how their file is written."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal

from dpcore import _check
from dpcore.data.reading import Dialect
from dpcore.data.reading.declared import check_declared
from dpcore.data.reading.dialect import Stated
from dpcore.data.reading.prediction_scores import ScaleName, ScoreScale
from dpcore.errors import InvalidArgument
from dpcore.evaluation.decisions.groups import group_names
from dpcore.evaluation.decisions.macro_auc import class_names
from dpcore.study import sections

# Whether a file is packed is seen, and need not be said.
_LAYOUT = tuple(one.name for one in fields(Dialect) if one.name != "compressed")
# Fields that are no text, and what they usually are.
_USUAL = {one.name: one.default for one in fields(Dialect) if isinstance(one.default, int)}
_LISTS = ("missing", "levels", "classes", "class_scores")


def _texts(value: object) -> object:
    """A list of texts as a tuple; anything else as it is."""
    listed = isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    return tuple(value) if listed and isinstance(value, list | tuple) else value


@dataclass(frozen=True, kw_only=True)
class DataSource:
    """Where the records come from: exactly one of a sample, a file with its schema, predictions.

    Parameters
    ----------
    sample : str, optional
        Name of a sample that ships with the project.
    file, schema : str, optional
        A table and its schema in TOML, as paths relative to the study file. A sample is read by its
        own schema unless another one is given.
    predictions : str, optional
        A table of labels and scores of a model trained elsewhere; only evaluation runs on it.
    scale : {"probability", "percent", "log-odds", "any"}, default "probability"
        What the scores of `predictions` are; of "any" only the order counts.
    bounds : (float, float), optional
        Public ends of the scale "any".
    label, score : str, optional
        Names of the two columns of `predictions`; found by the usual names if left out.
    positive : str, optional
        The label of `predictions` that counts as positive. If left out it is read off the labels,
        which real noise does not allow.
    negative : str, optional
        The other label; if left out, every label that is not positive.
    delimiter, decimal, encoding : str, optional
        How the file is written: comma, point and UTF-8 if all are left out and the header agrees.
        If it does not agree they are guessed from the rows, which real noise does not allow.
    score_b : str, optional
        Column of `predictions` with the score of another model, of the same scale.
    group : str, optional
        Column by which records are evaluated in groups: of `predictions` with the names in `levels`
        (at most 20, public), of a table one that its schema declares with levels.
    levels : tuple of str, optional
    classes, class_scores : tuple of str, optional
        Of `predictions` the public names of 2 to 20 classes, and the column of the score of each.
        `score` is that of the positive class then, if left out.
    line_breaks : bool, optional
        Whether quoted cells of the file may run over several lines, or JSON is one text of all
        records; if not, every line is a row.
    format : {"excel", "json"}, optional
        A workbook or JSON; a delimited text or Parquet if left out.
    sheet : str, optional
        Of a workbook; the first if left out.
    header, quoted : bool, optional
        Whether the first row names the columns, and whether quotation marks enclose cells: they do
        if left out.
    quote, comment : str, optional
        Another quotation mark than the double one, and what begins lines of comments.
    missing : list of str, optional
        What counts as a missing cell besides the usual words.
    unnamed : {"first", "last"}, optional
        Which cell of every row the header has no name for, if there is one.
    above : int, optional
        How many lines, or rows of a sheet, stand above the table and are dropped; none if left out.
    commented_header : bool, optional
        Whether the first line names the columns behind the mark of comments, as NumPy writes it.

    Examples
    --------
    >>> DataSource(file="bank.csv", schema="bank.toml").kind
    'file'
    """

    sample: str | None = None
    file: str | None = None
    schema: str | None = None
    predictions: str | None = None
    scale: ScaleName = "probability"
    bounds: tuple[float, float] | None = None
    label: str | None = None
    score: str | None = None
    positive: str | None = None
    negative: str | None = None
    delimiter: str | None = None
    decimal: Literal[".", ","] | None = None
    encoding: str | None = None
    score_b: str | None = None
    group: str | None = None
    levels: tuple[str, ...] | None = None
    classes: tuple[str, ...] | None = None
    class_scores: tuple[str, ...] | None = None
    line_breaks: bool | None = None
    format: Literal["excel", "json"] | None = None
    sheet: str | None = None
    header: bool | None = None
    quoted: bool | None = None
    quote: str | None = None
    comment: str | None = None
    missing: tuple[str, ...] | None = None
    unnamed: str | None = None
    above: int | None = None
    commented_header: bool | None = None

    def __post_init__(self) -> None:
        given = [kind for kind in ("sample", "file", "predictions") if getattr(self, kind)]
        if len(given) != 1:
            raise InvalidArgument("data", given, "one of sample, file and predictions")
        if self.schema is None if self.file else self.schema and self.predictions:
            requirement = "given with data.file, or with data.sample in place of its own"
            raise InvalidArgument("data.schema", self.schema, requirement)
        self._check_types()
        if self.negative is not None and self.negative == (self.positive or self.negative):
            requirement = "given with another data.positive"
            raise InvalidArgument("data.negative", self.negative, requirement)
        self._check_decisions()
        with _check.called("data.{}".format):
            object.__setattr__(self, "bounds", self.score_scale.bounds)
        with _check.called(lambda name: name.replace("dialect", "data", 1)):
            check_declared(self.dialect)
        if self.sample is not None:
            sections.require_sample(self.sample)

    def _check_decisions(self) -> None:
        """Groups, a second model and classes need what they are taken from."""
        if self.score_b is not None and self.predictions is None:
            raise InvalidArgument("data.score_b", self.score_b, "given with data.predictions only")
        named = self.levels is not None
        if named != (self.predictions is not None and self.group is not None):
            requirement = "given with data.group of data.predictions, only then"
            raise InvalidArgument("data.levels", self.levels, requirement)
        roles = [one for one in (self.label, self.score, self.score_b, self.group) if one]
        if len({*roles}) < len(roles):
            # A model that is compared with itself would be charged for.
            raise InvalidArgument("data", roles, "read from different columns")
        classes, columns = self.classes or (), self.class_scores or ()
        if len(classes) != len(columns) or (classes and self.predictions is None):
            each = "a column of data.predictions for each of data.classes"
            raise InvalidArgument("data.class_scores", list(columns), each)
        with _check.called("data.{}".format):
            if self.levels is not None:
                group_names(self.levels)
            if classes:
                class_names(classes)

    def _check_types(self) -> None:
        for part in fields(self):
            value = getattr(self, part.name)
            name: type = type(_USUAL.get(part.name, ""))
            kind = {bool: "true or false", int: "a whole number"}.get(name, "text")
            if part.name in _LISTS:
                kind, name, value = "a list of texts", tuple, _texts(value)
            if part.name != "bounds" and value is not None and not isinstance(value, name):
                raise InvalidArgument(f"data.{part.name}", getattr(self, part.name), kind)
            # Left out or as usual, it is the same request.
            usual = _USUAL.get(part.name, () if part.name in _LISTS else "")
            if part.name != "bounds" and value == usual:
                value = None
            object.__setattr__(self, part.name, value)

    @property
    def kind(self) -> str:
        """Which of the three it is."""
        return "sample" if self.sample else "file" if self.file else "predictions"

    @cached_property
    def score_scale(self) -> ScoreScale:
        """What the scores of predictions are."""
        return ScoreScale.of(self.scale, self.bounds)

    @property
    def for_predictions(self) -> dict[str, Any]:
        """What the columns of predictions are, as `read_predictions` takes it."""
        names = ("label", "score", "positive", "negative")
        return {"scale": self.score_scale} | {name: getattr(self, name) for name in names}

    @property
    def for_decisions(self) -> dict[str, Any]:
        """What else is read of predictions, as `read_predictions` takes it."""
        names = ("score_b", "group", "levels", "classes", "class_scores")
        return {name: getattr(self, name) for name in names}

    @property
    def states_dialect(self) -> bool:
        """Whether the owner says how the file is written."""
        return any(getattr(self, name) is not None for name in _LAYOUT)

    @property
    def dialect(self) -> Dialect:
        """How the file is written, as stated or as usual."""
        said: dict[str, Any] = {name: getattr(self, name) for name in _LAYOUT}
        return Dialect(**{name: told for name, told in said.items() if told is not None})

    @property
    def stated(self) -> Stated:
        """The same for a reader that finds out the rest."""
        told = {one.name: getattr(self, one.name) for one in fields(Stated)}
        return Stated(**told | {"missing": self.missing or ()})

    @staticmethod
    def layout_of(dialect: Dialect | None) -> dict[str, Any]:
        """What a study says of how a file is written; nothing where it is as usual.

        Nor of what no study can declare: it is found out again then.

        Examples
        --------
        >>> DataSource.layout_of(Dialect(delimiter=";", header=False))
        {'delimiter': ';', 'header': False}
        """
        if dialect is None or dialect.format == "parquet":
            return {}
        try:
            check_declared(dialect)
        except InvalidArgument:
            return {}
        usual = Dialect()
        found = {name: getattr(dialect, name) for name in _LAYOUT}
        return {name: told for name, told in found.items() if told != getattr(usual, name)}
