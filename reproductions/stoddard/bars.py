"""The bars of Figures 1 and 2: every selector with every score that it can use."""

from __future__ import annotations

from collections.abc import Iterator

from dpcore.schema import Design
from reproductions.rows import Role, Row
from reproductions.stoddard.word_filter import ALL, PTT, Filter, majority, non_private

MAJORITY = "majority class"
SELECTORS: dict[str, tuple[str, Role]] = {
    # Name -> share of epsilon in the paper, role.
    "noisy-scores": ("0.5", "published"),
    "cluster-published": ("0.2", "broken"),
    "cluster": ("0.2", "published"),
    PTT: ("0.2", "broken"),
}
_SCORES = {"total-count": "TC", "difference-count": "DC", "information-gain": "IG"}
_MODELS = {
    "naive-bayes": "naive Bayes without noise",
    "logistic": "logistic regression without noise",
}
# Words that a classifier without noise keeps.
_WORDS = 500


def workflow(selector: str, **settings: str | int) -> Filter:
    """A selector with the share of epsilon and the sampling that the paper gives it.

    Parameters
    ----------
    selector
        A key of `SELECTORS`; PTT alone goes without sampling.
    **settings
        Further fields of `Filter`.

    Examples
    --------
    >>> workflow("cluster").share, workflow("cluster").per_text, workflow(PTT).per_text
    ('0.2', 10, None)
    """
    share, _ = SELECTORS[selector]
    sampled = {} if selector != PTT else {"per_text": None}
    return Filter(selector=selector, share=share, **sampled, **settings)  # type: ignore[arg-type]


def private_bars(
    words: int, model: str = "truncated-counts"
) -> Iterator[tuple[str, Role, Filter, str]]:
    """Name, role, workflow and score of each bar that selects words.

    Parameters
    ----------
    words
        How many lie above the threshold.
    model
        See `Filter`.
    """
    for selector, (_, role) in SELECTORS.items():
        for score, short in _SCORES.items():
            # Its sensitivity is too high for clusters, and so the paper leaves the bar out.
            if short != "IG" or not selector.startswith("cluster"):
                yield (
                    selector,
                    role,
                    workflow(selector, score=score, words=words, model=model),
                    short,
                )


def exact_bars(design: Design, title: str, kind: str, *, folds: int) -> Iterator[Row]:
    """Accuracy without noise, on all words and on the best by each score, and the majority's.

    Parameters
    ----------
    title
        The panel.
    kind : {"naive-bayes", "logistic"}
    folds
        From 1 to 10.
    """
    for score, short in ((ALL, "All"), *_SCORES.items()):
        value = non_private(design, kind, score, _WORDS, folds=folds)
        yield Row(title, _MODELS[kind], "exact", short, value)
    yield Row(title, MAJORITY, "exact", "All", majority(design))
