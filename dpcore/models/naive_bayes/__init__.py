"""Private naive Bayes: one file per training method."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from dpcore.data.counting import FeatureCounts, FeatureHistograms, Moments
from dpcore.errors import InvalidArgument
from dpcore.models.estimator import PrivateClassifier
from dpcore.models.grid import naive_bayes_edges
from dpcore.models.naive_bayes.attributes import CountedMethod
from dpcore.models.training import CountedTraining
from dpcore.registry import Registry
from dpcore.schema import FeatureSpace, Schema
from dpcore.schema.labels import class_codes, declared_classes
from dpcore.schema.space import require_public_schema

__all__ = ["DPNaiveBayes", "naive_bayes_edges", "naive_bayes_methods"]

naive_bayes_methods = Registry("dpcore.models.naive_bayes", "naive Bayes method")


@dataclass(kw_only=True, eq=False, repr=False)
class DPNaiveBayes(PrivateClassifier):
    """Naive Bayes from noisy counts, for numbers, categories and words, and any number of classes.

    Parameters
    ----------
    epsilon : int, float, str or Fraction, default 1.0
        Privacy loss of one fit; positive.
    method : str, default "auto"
        A name from `naive_bayes_methods`. "auto" is "l1-counts" if the schema has a text, else
        "histogram".
    delta : float, optional
        For "smooth-gaussian": the probability excused from epsilon; public.
    allocation : float, optional
        Epsilon of a numeric attribute against that of a categorical one, for the methods after
        Vaidya et al. and Zafarani and Clifton.
    trim : int, optional
        For "trimmed": how many values at each end of a class are left out; public.
    max_nonzeros : int, optional
        For "truncated-counts": how many words of a text are counted.
    calibration : {"fitted", "none"}, optional
        For "auto", "histogram" and "l1-counts": whether what the counts say is weighed, of two
        classes by a small private regression, of more by how much of it is noise, and cells are
        made where numbers lie; it is fitted if left out.
    classes : sequence of labels, optional
        Public; with a `Schema` its label's classes if left out. A record whose label is none of
        them is left out, without an error; `fit` warns if that may be true of all.
    bounds : (lower, upper) or mapping, optional
        Public bounds of the numeric features, numbers or arrays of shape (p,), if X is a matrix of
        numbers without a schema; or a pair for each column of a data frame, by its name.
    schema : Schema or FeatureSpace, optional
        What is public about the columns. With a `Schema` X is a table of those columns; with a
        `FeatureSpace` it is the encoded matrix.
    neighbors : {"add-remove", "replace"}, default "add-remove"
    ledger : Ledger, optional
        Who keeps count; a fresh one that affords one fit if left out.
    noise : NoiseSource, optional
        The system's entropy if left out.
    part : Part, optional
        The disjoint share of the records that X is, such as the train part of a split.

    Attributes
    ----------
    classes_ : array, shape (n_classes,)
        Sorted, as scikit-learn's scorers take for granted.
    model_ : AdditiveModel
        The released parameters, as the predictions use them.
    release_ : Release
        The same as plain numbers, with the charges and the public facts.
    taken_from_data_ : frozenset of str
        Facts that a simulation took from the data for want of a declaration; always empty with real
        noise.
    space_ : FeatureSpace
    n_features_in_ : int
    feature_names_in_ : array of str

    Sensitivity
        Argued per method, in its file, for both relations. Every row is first brought within its
        public bounds (`BoundedRows`), by a rule that looks at that row alone.
    Privacy
        epsilon-DP for the model, or (epsilon, delta) by the method that takes a delta; predictions,
        however many, are post-processing.

    Notes
    -----
    With `SeededNoise` a fit is a function of seed, data and parameters: refitting repeats it. With
    real noise, classes and bounds must be declared, or `PrivateInference` is raised.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> X, y = [[1.0], [2.0], [8.0], [9.0]] * 25, [0, 0, 1, 1] * 25
    >>> model = DPNaiveBayes(2.0, classes=(0, 1), bounds=(0.0, 10.0), noise=SeededNoise(0))
    >>> model.fit(X, y).predict([[1.5], [8.5]]).tolist()
    [0, 1]

    A parameter that the method does not take is refused, not ignored.
    """

    _methods: ClassVar[Registry] = naive_bayes_methods

    method: str = "auto"
    delta: float | None = None
    allocation: float | None = None
    trim: int | None = None
    max_nonzeros: int | None = None
    calibration: str | None = None

    def fit_aggregates(
        self, counts: FeatureCounts, moments: Moments, histograms: FeatureHistograms | None = None
    ) -> Self:
        """Train on counts and sums of a table that does not fit into memory.

        The model is that of `fit` on the same records, to the bit with the same seed.

        Parameters
        ----------
        counts : FeatureCounts
        moments : Moments
        histograms : FeatureHistograms, optional
            On `naive_bayes_edges`; "moments" needs none. All are of the same records, with the
            `schema` of this classifier, which has a label; by `from_files` or `from_dask`.

        Raises
        ------
        InvalidArgument
            If `schema` is no `Schema` with a label, if the aggregates are of other columns, classes
            (or the same in another order) or cells or not of the same records, if `classes` are not
            those of the label, or if `method` reads rows. Those of Vaidya et al. and of Zafarani
            and Clifton do; "auto", "histogram" and "l1-counts" do unless `calibration` is "none",
            and "truncated-counts" does if it cuts texts shorter than the schema does.

        Sensitivity
            That of the method: one record moves each aggregate by what it adds to it. All must
            count it, because the noise of several histograms is one vector that adds up to the same
            in each: that they hold equally many records of each class is checked.
        Privacy
            epsilon-DP, as `fit`.

        Examples
        --------
        >>> import pandas as pd
        >>> from dpcore import SeededNoise
        >>> from dpcore.schema import Label, Numeric
        >>> schema = Schema((Numeric("age", (0, 100)), Label("ill", ("no", "yes"))))
        >>> table = pd.DataFrame(
        ...     {"age": [20, 30, 70, 80] * 25, "ill": ["no", "no", "yes", "yes"] * 25}
        ... )
        >>> model = DPNaiveBayes(5, method="moments", schema=schema, noise=SeededNoise(0))
        >>> of_a_table = FeatureCounts.from_frame(table, schema), Moments.from_frame(table, schema)
        >>> model.fit_aggregates(*of_a_table).predict(table[:4]).tolist()
        ['no', 'no', 'yes', 'yes']
        """
        method = self._methods.get(self.method)
        if not isinstance(method, CountedMethod):
            known = self._methods().items()
            names = ", ".join(name for name, one in known if isinstance(one, CountedMethod))
            raise InvalidArgument("method", self.method, f"{names} to be trained on aggregates")
        if method.histograms and histograms is None:
            requirement = f"given, because {self.method!r} reads them"
            raise InvalidArgument("histograms", None, requirement)
        given = counts, moments, histograms
        with self._unchanged_if_it_fails():
            return self._fit(lambda simulated: self._counted(*given, simulated=simulated))

    def _counted(
        self,
        counts: FeatureCounts,
        moments: Moments,
        histograms: FeatureHistograms | None,
        *,
        simulated: bool,
    ) -> CountedTraining:
        schema = self.schema
        if not isinstance(schema, Schema) or not schema.has_label:
            requirement = "a Schema with a label, to be trained on aggregates"
            raise InvalidArgument("schema", type(schema).__name__, requirement)
        require_public_schema(schema, simulated=simulated)
        given = [one for one in (counts, moments, histograms) if one is not None]
        if any(one.space != FeatureSpace.of(schema) for one in given):
            raise InvalidArgument("aggregates", "of other columns", "those of the schema")
        for one in given:
            if one.classes != schema.label.classes:
                requirement = f"of the schema's label, with the classes {schema.label.classes}"
                raise InvalidArgument("aggregates", one.classes, requirement)
        if histograms is not None:
            # Refused now, and not by the method that finds an edge missing after its first release.
            histograms.on(naive_bayes_edges(schema))
        self.classes_, _ = declared_classes(self.classes, schema, None, simulated=simulated)
        order = class_codes(self.classes_, np.array(schema.label.classes))
        if sorted(order.tolist()) != [*range(len(schema.label.classes))]:
            raise InvalidArgument("classes", self.classes, "those of the schema's label")
        self._declare(schema)
        return CountedTraining.of_aggregates(counts, moments, histograms, order=order)
