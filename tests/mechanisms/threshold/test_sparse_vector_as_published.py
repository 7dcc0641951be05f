"""The published variants: exact losses of the proven, counterexamples to the broken."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from scipy.special import logsumexp

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS, PublishedSparseVector
from dpcore.release import release
from tests.mechanisms._selection_loss import laplace_tail, sparse_vector_law, worst_loss

BASES = [[0, 0, 9, 9], [5, 4, 5, 4], [0, 40, 40, 40], [-30, -30, 4, 4]]

REACH = 600

MOVED = np.arange(-REACH, REACH + 1)


def make(
    variant: int, epsilon: float = 1.2, cutoff: int = 1, **arguments: object
) -> PublishedSparseVector:
    defaults = {"threshold": 4.0, "whole": True}
    return PublishedSparseVector(
        variant=variant,
        epsilon=epsilon,
        cutoff=cutoff,
        **(defaults | arguments),  # type: ignore[arg-type]
    )


def threshold_weights(mechanism: PublishedSparseVector) -> np.ndarray:
    weights = np.exp(-np.abs(MOVED) / float(mechanism.threshold_scale))
    return weights / weights.sum()


def refreshed_law(
    mechanism: PublishedSparseVector, gaps: np.ndarray
) -> dict[tuple[bool, ...], float]:
    """Runs to the first success compose: each is a stream of its own, with its own threshold."""
    one = laplace_tail(mechanism.query_scale)
    scale = float(mechanism.threshold_scale)
    law: dict[tuple[bool, ...], float] = {(): 1.0}
    for _ in range(mechanism.cutoff):
        longer: dict[tuple[bool, ...], float] = {}
        for given, chance in law.items():
            rest = gaps[len(given) :]
            stopped = bool(given) and not given[-1]
            runs = {(): 1.0} if stopped else sparse_vector_law(rest, 1, scale, one, REACH)
            for more, p in runs.items():
                longer[given + more] = longer.get(given + more, 0.0) + chance * p  # type: ignore[operator]
        law = longer
    return law


def law(mechanism: PublishedSparseVector, cells: np.ndarray) -> object:
    gaps = cells - 4
    if mechanism.table.refresh:
        return refreshed_law(mechanism, gaps)
    tail = laplace_tail(mechanism.query_scale)
    return sparse_vector_law(gaps, mechanism.cutoff, float(mechanism.threshold_scale), tail, REACH)


@pytest.mark.spanning
@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("variant", [1, 2, 4])
@pytest.mark.parametrize("cutoff", [1, 2])
@pytest.mark.parametrize("monotone", [True, False])
def test_proven_variants_cost_what_they_declare(variant: int, cutoff: int, monotone: bool) -> None:
    mechanism = make(variant, cutoff=cutoff, monotone=monotone)
    worst = worst_loss(lambda cells: law(mechanism, cells), BASES, monotone)  # type: ignore[arg-type,return-value]
    declared = float(mechanism.loss.epsilon)
    assert worst <= declared + 1e-9
    assert worst > 0.25 * declared
    if variant == 1 and monotone:
        assert worst <= 0.75 * declared + 1e-9, "monotone scores cost three quarters"


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("variant", [1, 2, 4])
def test_a_private_threshold_may_move_against_the_scores(
    variant: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two scores that it lies between fall by one, and many far below it rise by one."""
    mechanism = make(variant, threshold=None)
    declared = float(mechanism.loss.epsilon)

    def loss() -> float:
        tail, weights = laplace_tail(mechanism.query_scale), threshold_weights(mechanism)

        def log_chance(fails: int) -> float:
            given = (1 - tail(MOVED - fails + 1)) ** (10**5) * tail(MOVED + 41)
            return float(np.log((weights * given).sum()))

        return log_chance(-10) - log_chance(-8)

    assert 0.5 * declared < loss() <= declared
    monkeypatch.setattr(PublishedSparseVector, "_steps", property(lambda self: self.grid.steps))
    assert loss() > declared


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("monotone, expected", [(False, 4.75), (True, 2.5)])
def test_the_true_loss_of_variant_4(monotone: bool, expected: float) -> None:
    """Many fail and c pass: the published epsilon is passed by far."""
    mechanism = make(4, epsilon=1, cutoff=3, monotone=monotone, threshold=0.0)
    assert mechanism.loss == Loss(Fraction(str(expected)))
    tail = laplace_tail(mechanism.query_scale)
    weights = threshold_weights(mechanism)

    def log_chance(fails: int, passes: int) -> float:
        given = (1 - tail(MOVED - fails + 1)) ** (10**5) * tail(MOVED - passes + 1) ** 3
        return float(np.log((weights * given).sum()))

    here, there = log_chance(0, -30), log_chance(1, -30 if monotone else -31)
    assert 0.95 * expected < here - there <= expected + 1e-9


@pytest.mark.parametrize("c, general, monotone", [(3, "4.75", "2.5"), (10, "15.25", "7.75")])
def test_the_declared_factor(c: int, general: str, monotone: str) -> None:
    assert make(4, epsilon=1, cutoff=c).loss == Loss(general)
    assert make(4, epsilon=1, cutoff=c, monotone=True).loss == Loss(monotone)


def test_threshold_testing_tells_data_sets_apart() -> None:
    """Scores (1, 2) against (2, 2), threshold 2: continuous noise of scale 1 gives .316 and 0."""
    mechanism = make(5, epsilon=2, threshold=2.0)
    assert mechanism.query_scale == 0.0
    assert float(mechanism.threshold_scale) == mechanism.grid.steps
    noise = SeededNoise(0)
    answers = [
        [frozenset(mechanism.draw(np.array(scores), noise).passed.tolist()) for _ in range(4000)]
        for scores in ([1.0, 2.0], [2.0, 2.0])
    ]
    # P(-1 <= noise < 0) = (1 - e^-1) / 2
    assert np.mean([given == {1} for given in answers[0]]) == pytest.approx(0.316, abs=0.04)
    assert frozenset({1}) not in answers[1]
    assert frozenset({0}) not in answers[1]


@pytest.mark.parametrize(
    "n, there, loss", [(20, (1, 0), 17.1), (80, (1, 0), 70.7), (80, (1, 1), 32.1)]
)
def test_noisycut_loses_more_with_more_scores(n: int, there: tuple[int, int], loss: float) -> None:
    """n scores at 0 fail and n scores at 1 pass; on the neighbour they moved, or some did."""
    mechanism = make(6, epsilon=1, threshold=0.0)
    cell = mechanism.grid.cell
    width, scale = float(mechanism.threshold_scale) * cell, mechanism.query_scale * cell
    levels = np.linspace(-200, 200, 200_001)

    def log_chance(fails: float, passes: float) -> float:
        fail, succeed = (
            stats.laplace(scale=scale).logcdf(x) for x in (levels - fails, passes - levels)
        )
        return float(logsumexp(n * (fail + succeed) - np.abs(levels) / width))

    assert log_chance(0, 1) - log_chance(*there) == pytest.approx(loss, abs=0.05)


@pytest.mark.usefixtures("coarse")
def test_a_numeric_answer_gives_the_threshold_away() -> None:
    """n fail at 0 against 1, then the answer 0 at score 1 against 0: the ratio grows with n."""
    mechanism = make(3, epsilon=1, threshold=0.0)
    tail, weights = laplace_tail(mechanism.query_scale), threshold_weights(mechanism)

    def log_ratio(n: int) -> float:
        below = MOVED < 0  # the answer 0 was above the noisy threshold
        fail = [(1 - tail(MOVED - score + 1)) ** n for score in (0, 1)]
        numeric = tail(np.array([-1, 0])) - tail(np.array([0, 1]))
        masses = [float((weights * below * given).sum()) for given in fail]
        return float(np.log(masses[0] * numeric[0] / (masses[1] * numeric[1])))

    ratios = [log_ratio(n) for n in (1, 10, 30)]
    assert ratios == sorted(ratios)
    assert ratios[-1] > 5


@pytest.mark.parametrize("variant", sorted(PUBLISHED_SPARSE_VECTORS))
def test_answers(variant: int) -> None:
    scores = np.array([0.0, 900.0, 5.0, 800.0, 700.0])
    answers = make(variant, epsilon=1000, cutoff=2, threshold=400.0).draw(scores, SeededNoise(0))
    stops = PUBLISHED_SPARSE_VECTORS[variant].stops
    assert answers.passed.size == (2 if stops else 3)
    assert set(answers.passed.tolist()) <= {1, 3, 4}
    assert sorted([*answers.passed.tolist(), *answers.others.tolist()]) == list(range(5))
    if variant == 3:
        assert answers.scores is not None
        np.testing.assert_allclose(answers.scores, scores[answers.passed], atol=1)
    else:
        assert answers.scores is None


@pytest.mark.parametrize("variant", [3, 5, 6])
def test_broken_variants_are_refused_with_real_noise(variant: int) -> None:
    ledger = Ledger(Loss(2))
    with pytest.raises(NotPrivate):
        release(make(variant), np.zeros(3), label="x", ledger=ledger, noise=SystemNoise())
    assert ledger.charges == ()


def test_the_table() -> None:
    words = [PUBLISHED_SPARSE_VECTORS[number].guarantee.word for number in range(1, 7)]
    assert words == ["PROVEN", "PROVEN", "BROKEN", "PROVEN", "BROKEN", "BROKEN"]
    steps = make(1).grid.steps
    scales = {
        number: (
            float(make(number, epsilon=1, cutoff=5).threshold_scale) / steps,
            make(number, epsilon=1, cutoff=5).query_scale / steps,
        )
        for number in range(1, 7)
    }
    expected = {1: (2, 20), 2: (10, 20), 3: (2, 10), 4: (4, 4 / 3), 5: (2, 0), 6: (2, 2)}
    for number, pair in expected.items():
        assert scales[number] == pytest.approx(pair, rel=1e-6), number


@pytest.mark.parametrize("arguments", [{"variant": 7}, {"epsilon": 0}, {"cutoff": 0}])
def test_bad_arguments(arguments: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(arguments))):
        PublishedSparseVector(**({"variant": 1, "epsilon": 1, "cutoff": 1} | arguments))  # type: ignore[arg-type]


@pytest.mark.few(1)
@pytest.mark.parametrize("variant", sorted(PUBLISHED_SPARSE_VECTORS))
def test_many_answers_drawn_at_once_are_answers_drawn_one_by_one(variant: int) -> None:
    mechanism, scores = make(variant, cutoff=2), np.array([2.0, 4.0, 5.0, 7.0])
    times = 20_000
    singly = SeededNoise(3)
    laws = []
    for answers in (
        mechanism.draw_many(scores, times, SeededNoise(2)),
        [mechanism.draw(scores, singly) for _ in range(times)],
    ):
        passed = np.zeros((times, scores.size), dtype=np.int64)
        for row, answer in zip(passed, answers, strict=True):
            row[answer.passed] = 1
            assert sorted([*answer.passed, *answer.others]) == [0, 1, 2, 3]
            assert (answer.scores is not None) is mechanism.table.numeric
        laws.append(np.bincount(passed @ [1, 2, 4, 8], minlength=16))
    seen = np.array(laws)[:, np.sum(laws, axis=0) > 20]
    assert seen.shape[1] > 2
    assert stats.chi2_contingency(seen).pvalue > 1e-6
    # Noise of another scale is another law, which the comparison sees.
    other = make(variant, cutoff=2, epsilon=1.2 * 1.3)
    drawn = np.zeros(16, dtype=np.int64)
    for answer in other.draw_many(scores, times, SeededNoise(4)):
        drawn[int(np.sum(2**answer.passed))] += 1
    assert stats.chi2_contingency([laws[0] + 1, drawn + 1]).pvalue < 1e-6


def test_noise_that_would_be_cut_off_is_refused() -> None:
    """That of a comparison is so many times as wide as that of the threshold, which is drawn."""
    mechanism = make(1, epsilon="7e-9", cutoff=1000, threshold=0.0)
    assert mechanism.threshold_scale < 2**52
    with pytest.raises(InvalidArgument, match="epsilon"):
        mechanism.draw(np.zeros(3), SeededNoise(0))
