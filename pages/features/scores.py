"""What the selection saw and chose: histogram, top features by name, agreement with the truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import streamlit as st

from dpcore._typing import FloatArray, IntArray
from dpcore.curves.selection.threshold_agreement import has_noisy_threshold, noisy_threshold
from dpcore.data.reading.problems import count_of, listed
from dpcore.figures import Picture, features_picture
from dpcore.figures.selection import selection_histogram_picture
from dpcore.privacy import shown
from dpcore.selection import f1, false_negative_rate, jaccard, precision, recall, selectors
from dpcore.selection.problem import score_error_rate
from dpcore.selection.scores import SCORES
from dpcore.selection.scoring import problem_of, scored_records
from dpcore.study import WorkflowResult
from dpcore.study.python import Expression, Script
from pages.session import state, true_scores
from pages.session.text import plain, quoted, said
from pages.widgets import cards, pin, plot, python_code

# As many features as a screen has room for.
SHOWN = 15
# A header and rows.
Table = tuple[tuple[str, ...], list[tuple[object, ...]]]


@dataclass(frozen=True, eq=False)
class Seen:
    """The selection on the features that were scored; positions are among those."""

    result: WorkflowResult
    names: list[str]
    true: FloatArray
    whole: FloatArray
    noisy: FloatArray | None
    chosen: IntArray
    wanted: IntArray
    unscored: list[str]

    @classmethod
    def of(cls, result: WorkflowResult) -> Self:
        true = true_scores.of(result)
        scored = np.flatnonzero(~np.isnan(true.whole))
        released = result.selection
        kept = np.intersect1d(released.selected, scored)
        wanted = true_scores.best(true.whole, result.config)
        return cls(
            result=result,
            names=np.array(true_scores.names(result))[scored].tolist(),
            true=true.bounded[scored],
            whole=true.whole[scored],
            noisy=None if released.scores is None else released.scores[scored],
            chosen=np.searchsorted(scored, kept),
            wanted=np.searchsorted(scored, wanted),
            unscored=np.array(result.feature_names)[np.isnan(true.whole)].tolist(),
        )

    @property
    def bars(self) -> FloatArray:
        """What is drawn: released scores where there are any, for all features."""
        usable = self.noisy is not None and np.isfinite(self.noisy).all()
        return self.noisy if usable and self.noisy is not None else self.true

    @property
    def keeps_all(self) -> bool:
        """Whether as many features are asked for as there are: whatever is drawn, all are right."""
        asked = self.result.config.selection.parameters.get("top_k")
        return asked is not None and len(self.names) <= asked

    @property
    def kind(self) -> str:
        """Whether these are noisy or true."""
        return "true" if self.bars is self.true else "noisy"

    @property
    def score_name(self) -> str:
        """What the score says of a feature."""
        score = SCORES()[true_scores.score(self.result.config)]
        return score.measure or score.title.lower()


def show(result: WorkflowResult) -> Table | None:
    """Headline, histogram, numbers, bars and table; the table for a download."""
    seen = Seen.of(result)
    cards.headline(headline(seen))
    if seen.names and seen.unscored:
        unscored = plain(quoted(listed(seen.unscored, SHOWN)))
        st.caption(f"Kept in any case, because numbers have no score: {unscored}.")
    if not seen.names:
        names = plain(quoted(listed(result.feature_names, SHOWN)))
        st.markdown(f"Numeric features, all kept: {names}.")
        return None
    main = picture(seen)
    if result.config.selects:
        pin.show(main, key="score histogram")
        if not seen.keeps_all:
            st.html(cards.numbers(agreement(seen)))
        st.markdown("#### The top features by name")
        plot.show(bars(seen), key="features")
    else:
        pin.show(main, key="features")
    python_code.show(lambda: code(result), result.config)
    with st.expander("All scores as a table"):
        columns = table(seen)
        st.dataframe(columns, hide_index=True)
    return tuple(columns), list(zip(*columns.values(), strict=True))


def code(result: WorkflowResult) -> Script:
    """The lines that choose the features, and score all of them exactly."""
    config, script = result.config, python_code.of_study(result.config)
    told = {"score": true_scores.score(config), "bound": true_scores.row_bound(config)}
    told |= {"space": Expression("train.space"), "neighbors": config.neighbors}
    about = Expression("train.matrix"), Expression("train.y")
    scored = script.call(scored_records, *about, **told)
    return python_code.written("selection and true scores", script, scored=scored)


def picture(seen: Seen) -> Picture | None:
    """The histogram of a selection; without one, the features by name, if any has a score."""
    drawn = histogram if seen.result.config.selects else bars
    return drawn(seen) if seen.names else None


def headline(seen: Seen) -> str:
    """How many of the chosen are right."""
    result = seen.result
    if not result.config.selects:
        features = len(result.feature_names)
        every = f"All {features:,} features go into the model"
        every = every if features > 1 else "The only feature goes into the model"
        if not (seen.names and seen.unscored):
            return f"{every}."
        levels = "levels or words" if len(seen.names) > 1 else "level or word"
        also = count_of(len(seen.unscored), "number")
        return f"{every}: {len(seen.names):,} {levels}, and {also}."
    if seen.keeps_all:
        return said("every feature is kept").format(len(seen.names))
    hits = np.intersect1d(seen.chosen, seen.wanted).size
    epsilon = shown(result.config.epsilon.selection)
    claimed = "" if selectors()[result.config.selection.method].guarantee.holds else "a claimed "
    at = f"At {claimed}epsilon {epsilon}"
    if seen.chosen.size == seen.wanted.size == 1:
        return f"{at} the chosen feature is {'' if hits else 'not '}the one that truly scores best."
    return said("hits").format(at, hits, seen.chosen.size, seen.wanted.size)


def histogram(seen: Seen) -> Picture:
    """How many features have which score, and where the line was drawn."""
    name, threshold = _line(seen)
    told = {"threshold": threshold, "threshold_name": name, "score_name": seen.score_name}
    told |= {"kind": seen.kind, "theme": state.theme()}
    return selection_histogram_picture(seen.bars, seen.chosen, **told)


def _line(seen: Seen) -> tuple[str, float | None]:
    """The threshold that decided: drawn with noise, public, or what the k-th score comes to."""
    noisy = _noisy_threshold(seen.result)
    if noisy is not None:
        return "noisy threshold", noisy
    told = seen.result.config.selection.parameters
    if "threshold" in told:
        return "threshold", float(told["threshold"])
    k = int(told["top_k"])
    ranked = np.sort(seen.bars)[::-1]
    if not 0 < k < ranked.size:
        return "threshold", None
    return f"{seen.kind} top {k} above", float((ranked[k - 1] + ranked[k]) / 2.0)


def _noisy_threshold(result: WorkflowResult) -> float | None:
    config, told = result.config, result.config.selection.parameters
    if not has_noisy_threshold(config.selection.method):
        return None
    train = true_scores.prepared(config).train
    about = {"score": true_scores.score(config), "bound": true_scores.row_bound(config)}
    about |= {"space": train.space, "neighbors": config.neighbors}
    _, scores, records = scored_records(train.matrix, train.y, **about)
    problem = problem_of(scores, records, top_k=told.get("top_k"), threshold=told.get("threshold"))
    about = {"epsilon": config.epsilon.selection, "noise": config.noise.source("select")}
    return noisy_threshold(config.selection.method, problem, parameters=told, **about)


def agreement(seen: Seen) -> list[tuple[str, str, str]]:
    """The chosen set against the true one."""
    chosen, wanted = seen.chosen.tolist(), seen.wanted.tolist()
    figures = [
        ("F1", f1(chosen, wanted), "1 if the chosen set is the true one"),
        ("Jaccard", jaccard(chosen, wanted), "overlap of both sets over their union"),
        ("Precision", precision(chosen, wanted), "share of the chosen that is right"),
        ("Recall", recall(chosen, wanted), "share of the right that is chosen"),
        ("FNR", false_negative_rate(chosen, wanted), "share of the right that is missed"),
    ]
    if len(wanted) and seen.whole.min() >= 0.0:
        # As many as there should be: further ones must not hide what is missed.
        best = sorted(chosen, key=lambda place: -seen.whole[place])[: len(wanted)]
        lost = score_error_rate(best, seen.whole, len(wanted))
        figures.append(("SER", lost, "share of the true top scores that is missed"))
    return [(label, f"{value:.2f}", words) for label, value, words in figures]


def bars(seen: Seen) -> Picture:
    """The features that score highest, by name."""
    noisy = seen.noisy if seen.kind == "noisy" else None
    told = {"true": seen.true, "score_name": seen.score_name, "theme": state.theme()}
    return features_picture(seen.names, noisy, seen.chosen, most=SHOWN, **told)


def table(seen: Seen) -> dict[str, Sequence[object]]:
    """Every feature that was scored."""
    columns: dict[str, Sequence[object]] = {"feature": seen.names, "true score": seen.whole}
    if not np.array_equal(seen.true, seen.whole):
        columns["within the row bound"] = seen.true
    if seen.noisy is not None:
        columns["noisy score"] = seen.noisy
    places = np.arange(len(seen.names))
    columns["truly among the best"] = np.isin(places, seen.wanted)
    return columns | {"chosen": np.isin(places, seen.chosen)}
