"""Carrying a request out, step by step: the workflow's own steps, with one ledger per part."""

from __future__ import annotations

from dpcore.data.counting import ScoreHistogram
from dpcore.desk.outcome import Outcome
from dpcore.desk.request import Request
from dpcore.privacy import Ledger, Loss
from dpcore.study import NoiseChoice, steps
from dpcore.study.sources import Records, open_records

__all__ = ["carry_out", "prepare"]


def prepare(request: Request, records: Records, *, noise: NoiseChoice) -> steps.Prepared | None:
    """Encode and divide the records; None for predictions.

    Privacy
        Costs nothing: only coins are drawn. With the system's noise no cell of any record shows in
        an error.
    """
    if not request.study.trains:
        return None
    opened = open_records(records)
    study = request.study
    return steps.prepare(
        opened, split=study.split, simulated=noise.simulated, bins=study.selection.bins
    )


def carry_out(
    request: Request,
    records: Records,
    prepared: steps.Prepared | None,
    *,
    noise: NoiseChoice,
) -> Outcome:
    """Select, train, score and evaluate, as far as the request goes.

    Parameters
    ----------
    request : Request
    records : Dataset or Predictions
    prepared : Prepared or None
        From `prepare`.
    noise : NoiseChoice
        The system's for a release, a seed for a preview.

    Returns
    -------
    Outcome

    Privacy
        What the request's charges allow for each part of the records, and no more: each part has a
        ledger with exactly that budget.
    """
    study, trained = request.study, prepared is not None
    train, test = _ledger(request, "train"), _ledger(request, "test" if trained else "")
    selection = model = None
    if prepared is not None:
        selection = steps.select(
            prepared,
            selection=study.selection,
            epsilon=study.epsilon.selection,
            neighbors=study.neighbors,
            noise=noise,
            ledger=train,
        )
        if "training" in request.phases:
            model = steps.train(
                prepared,
                selection,
                model=study.model,
                epsilon=study.epsilon.training,
                neighbors=study.neighbors,
                noise=noise,
                ledger=train,
            )
    scores, evaluated = None, None
    if model is not None and prepared is not None and selection is not None:
        scored = steps.score(prepared, selection, model, simulated=noise.simulated)
        scores = scored.performance.scores
    elif not study.trains:
        scored = steps.tally(
            open_records(records), positive=study.data.positive, simulated=noise.simulated
        )
        scores = scored.performance.scores
    if scores is not None and request.kind.evaluate is not None:
        evaluated = _evaluate(request, scores, noise, test)
    return Outcome(
        study=study,
        charges=(*train.charges, *test.charges),
        prepared=prepared,
        selection=selection,
        model=model,
        scores=scores,
        evaluated=evaluated,
    )


def _ledger(request: Request, member: str) -> Ledger:
    """A ledger with the budget that the request has for one part of the records."""
    charges = [
        charge
        for charge in request.charges
        if (charge.part.path[0].member if charge.part else "") == member
    ]
    budget = sum((charge.loss for charge in charges), Loss(0))
    return Ledger(budget, request.study.neighbors)


def _evaluate(
    request: Request, scores: ScoreHistogram, noise: NoiseChoice, ledger: Ledger
) -> object:
    assert request.kind.evaluate is not None
    return request.kind.evaluate(
        scores,
        epsilon=request.study.epsilon.evaluation,
        method=request.method,
        parameters=request.parameters,
        options=request.options,
        confidence=request.study.evaluation.confidence,
        neighbors=request.study.neighbors,
        noise=noise.source("evaluate"),
        ledger=ledger,
        part=steps.TEST if request.study.trains else None,
    )
