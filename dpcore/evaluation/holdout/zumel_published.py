"""The variant of a blog post that made the reusable holdout popular, as published."""

from typing import Any

from dpcore._typing import ArrayLike, FloatArray
from dpcore.evaluation.holdout.questions import size_of, values_per_record
from dpcore.mechanisms import PublishedHoldout
from dpcore.mechanisms.threshold.reusable_holdout import Summed
from dpcore.noise import NoiseSource
from dpcore.privacy import Charge, Ledger, Neighbors, Number
from dpcore.registry import Method
from dpcore.release import open_gate


class ZumelHoldout:
    """Answer by how much a model improves a score: BROKEN, for simulations only.

    Parameters
    ----------
    train_values, holdout_values : array, frame or sequence
        Training and holdout records.
    tolerance : int, float, str or Fraction, default 0.04
        The single parameter of the post: half of it is the allowed difference and the noise on a
        training answer; all of it is the noise on a holdout answer.
    questions : int, default 5000
        How many are planned; only the nominal charge depends on it.
    noise : NoiseSource, optional
        Must be simulated.
    ledger : Ledger, optional
        One that counts in the replace relation; the nominal charge goes there.

    Raises
    ------
    NotPrivate
        If the noise is real.

    Privacy
        None; see `PublishedHoldout` for the counterexample. There is no budget either.

    References
    ----------
    N. Zumel (2015), A simpler explanation of differential privacy.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> holdout = ZumelHoldout([0.0] * 500, [0.0] * 1000, noise=SeededNoise(1))
    >>> holdout.answers([[0.5] * 500], [[0.5] * 1000]).shape
    (1,)
    """

    def __init__(
        self,
        train_values: Any,
        holdout_values: Any,
        *,
        tolerance: Number = 0.04,
        questions: int = 5000,
        noise: NoiseSource | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        self._sizes = size_of(train_values), size_of(holdout_values)
        records = self._sizes[1]
        mechanism = PublishedHoldout(records=records, tolerance=tolerance, questions=questions)
        gate = open_gate(
            mechanism.loss, neighbors=Neighbors.REPLACE, noise=noise, ledger=ledger, method=METHOD
        )
        self._session = gate.release(mechanism, self._sizes[1], label="published holdout")
        self.charges: tuple[Charge, ...] = gate.charges

    def answers(self, train: ArrayLike | Summed, holdout: ArrayLike | Summed) -> FloatArray:
        """Answer questions about improvements, shape (questions,), each in [0, 1].

        Parameters
        ----------
        train : array-like, shape (questions, training records), or Summed
            By how much in [-1, 1] the score of each record improves.
        holdout : array-like, shape (questions, holdout records), or Summed

        Raises
        ------
        InvalidArgument
            If a shape is another.
        """
        trained = values_per_record(train, self._sizes[0], "train")
        held = values_per_record(holdout, self._sizes[1], "holdout")
        return self._session.ask(trained, held)


_PROMISE = {"guarantee": PublishedHoldout.guarantee, "neighbors": (Neighbors.REPLACE,)}

METHOD = Method.told("zumel-published", __file__, run=ZumelHoldout, **_PROMISE)
