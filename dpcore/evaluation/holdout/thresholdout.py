"""Thresholdout of Dwork et al. (2015): a holdout set that can be asked many times."""

from typing import Any

from dpcore._typing import ArrayLike, FloatArray
from dpcore.evaluation.holdout import questions
from dpcore.mechanisms import ReusableHoldout
from dpcore.mechanisms.threshold.reusable_holdout import Summed
from dpcore.noise import NoiseSource
from dpcore.privacy import Charge, Ledger, Loss, Neighbors, Number, Part
from dpcore.registry import Method
from dpcore.release import open_gate


class Thresholdout:
    """Answer questions about means, from the training records until they stray from the holdout.

    Parameters
    ----------
    train_values : array, frame or sequence
        Training records, in the form that queries take. They are not protected.
    holdout_values : array, frame or sequence
        Holdout records, whose number n is public.
    threshold : float, default 0.04
        T: answers of the two sets that differ by less count as the same.
    sigma : int, float, str or Fraction, default 0.01
        Scale of the noise on an answer from the holdout.
    budget : int, default 500
        B: so many answers may come from the holdout; then it closes.
    neighbors : Neighbors or str, default "replace"
        The only relation of the proof.
    noise : NoiseSource, optional
        `SystemNoise` by default; `SeededNoise` makes a simulation.
    ledger : Ledger, optional
        Where the loss is charged; a new one of just this loss by default.
    part : Part, optional
        The disjoint share of the records that the holdout is, fixed under replacement.

    Raises
    ------
    InvalidArgument
        If a parameter is out of range.
    PrivacyError
        If the ledger cannot afford the loss, or counts in another relation. Nothing is drawn then.

    Sensitivity
        A query gives each record a number by looking at that record alone; numbers are clipped to
        [0, 1]. Replacing one of n holdout records moves their mean by 1 / n at most.
    Privacy
        2 B / (sigma n)-DP in the holdout records, as `dpcore.mechanisms.ReusableHoldout` argues,
        charged when it is opened. At n = 1,000, sigma 0.01 and B = 500 this is epsilon 100, which
        promises a person next to nothing: the noise keeps the holdout useful for new questions, and
        that is what it is for. An answer that comes from the training records is as optimistic as
        they are, by up to about T.

    References
    ----------
    C. Dwork, V. Feldman, M. Hardt, T. Pitassi, O. Reingold, A. Roth (2015), The reusable holdout:
    preserving validity in adaptive data analysis, Science 349. doi:10.1126/science.aaa9375

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> holdout = Thresholdout([0.9] * 500, [0.5] * 1000, budget=1, noise=SeededNoise(1))
    >>> abs(holdout.answer(lambda records: records) - 0.5) < 0.1
    True
    >>> str(holdout.loss), holdout.remaining
    ('epsilon 0.2', 0)
    """

    def __init__(
        self,
        train_values: Any,
        holdout_values: Any,
        *,
        threshold: float = 0.04,
        sigma: Number = 0.01,
        budget: int = 500,
        neighbors: Neighbors | str = Neighbors.REPLACE,
        noise: NoiseSource | None = None,
        ledger: Ledger | None = None,
        part: Part | None = None,
    ) -> None:
        relation = Neighbors.of(neighbors)
        METHOD.require(relation)
        records = questions.size_of(holdout_values)
        mechanism = ReusableHoldout(
            records=records, budget=budget, threshold=threshold, sigma=sigma, neighbors=relation
        )
        gate = open_gate(
            mechanism.loss, neighbors=relation, noise=noise, ledger=ledger, part=part, method=METHOD
        )
        self._train, self._holdout = train_values, holdout_values
        self._session = gate.release(mechanism, records, label="reusable holdout")
        self.charges: tuple[Charge, ...] = gate.charges
        self.simulated = gate.simulated
        self.loss: Loss = mechanism.loss
        self.budget = budget

    @property
    def remaining(self) -> int:
        """How many more answers may come from the holdout records."""
        return self._session.remaining

    @property
    def overfit(self) -> int:
        """How many answers came from the holdout records: the B that was used."""
        return self.budget - self.remaining

    def answer(self, query: questions.Query) -> float:
        """The mean of what a query gives each record.

        Parameters
        ----------
        query : callable
            From records to one number in [0, 1] for each, by looking at that record alone.

        Raises
        ------
        HoldoutExhausted
            If the budget is used up.
        InvalidArgument
            If the query does not give one number for each record. With real noise a holdout record
            of which it gives none counts as 0: an error would tell of that record.
        """
        trained = questions.values_of(query, self._train)
        held = questions.values_of(query, self._holdout, simulated=self.simulated)
        return float(self._session.ask(trained, held)[0][0])

    def answers(self, train: ArrayLike | Summed, holdout: ArrayLike | Summed) -> FloatArray:
        """Answer many questions in turn, whose values for every record are at hand.

        Parameters
        ----------
        train : array-like, shape (questions, training records), or Summed
        holdout : array-like, shape (questions, holdout records), or Summed

        Returns
        -------
        float array, shape (answered,)
            Fewer than asked if the budget ends on the way.

        Raises
        ------
        HoldoutExhausted
            If nothing of the budget was left before the first question.
        InvalidArgument
            If a shape is another.
        """
        trained = questions.values_per_record(train, questions.size_of(self._train), "train")
        given = holdout if self.simulated else questions.numbers_per_record(holdout)
        held = questions.values_per_record(given, questions.size_of(self._holdout), "holdout")
        return self._session.ask(trained, held)[0]


_PROMISE = {"guarantee": ReusableHoldout.guarantee, "neighbors": (Neighbors.REPLACE,)}

METHOD = Method.told("thresholdout", __file__, run=Thresholdout, **_PROMISE)
