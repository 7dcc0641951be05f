"""The figures of a federation, its words and its tables."""

import numpy as np

from dpcore._numbers import ANY, band_names, level, limit, missed, percent, rate
from dpcore.federated import FederatedEcdf, federation
from dpcore.federated.trials import REDRAWS, federated_costs, federated_errors
from dpcore.federated.trust_models import trust_models
from dpcore.figures import Picture, Theme, federated, roc_picture, true_trace
from dpcore.figures.federated import federated_picture, federated_precision_picture, redraws_picture
from dpcore.postprocess.monotone import nothing_said
from dpcore.privacy import Neighbors, shown
from dpcore.study import Workflow
from dpcore.study.python import Expression, Script
from pages.federated_ecdf.study import BINS, MOST_RECORDS, STAGE, FederatedResult, asked, honest
from pages.session.text import said
from pages.widgets import cards, python_code

BAND = band_names(0.9)[0]
SCORES = np.linspace(0.1, 1.0, 10)
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
# By trust model: what a curator sees, and what each server sees.
SEES = {
    "trusted-curator": ("every record", "–"),
    "secure-aggregation": ("–", "masked words of each party, and the noisy sum"),
    "function-secret-sharing": ("–", "one half of every key, and its own noise"),
}


def amount(size: float) -> str:
    """Bytes in a unit that reads well."""
    if size < 1000:
        return f"{size:,.0f} bytes"
    return f"{size / 1000:,.1f} kB" if size < 1_000_000 else f"{size / 1_000_000:,.1f} MB"


def titles() -> dict[str, str]:
    """What the trust models are called."""
    return {name: method.title for name, method in trust_models().items()}


def public_records(result: FederatedResult, study: Workflow) -> int | None:
    """How many records there are, where that is public."""
    return result.records if study.neighbors is Neighbors.REPLACE else None


def code(result: FederatedResult, study: Workflow, *, seen: bool = False) -> Script:
    """The lines that form the same federation of the same test scores."""
    choice, parts, points = result.choice, "for one in parties]", result.choice.points
    script = _records_code(points, study)
    told = asked(choice) | {"noise": python_code.noise(STAGE)}
    if choice.classes == 2:
        told["classes"] = Expression(f"[labels[one] {parts}")
    about = {"grid": (grid := Expression("grid")), "epsilon": choice.epsilon}
    about |= {"trust": choice.trust.name, "neighbors": study.neighbors, **told}
    formed = script.call(federation, Expression(f"[scores[one] {parts}"), **about)
    public = public_records(result, study)
    ecdf = script.call(FederatedEcdf, Expression("formed"), grid, records=public)
    told = {"parties": choice.parties, "formed": formed, "ecdf": ecdf, "q": choice.q}
    script = python_code.written("federation", script, **told, points=points)
    what = "one curve" if choice.classes == 1 else "all counts" if seen else "federated roc"
    return python_code.written(what, script, **told, points=points)


def seen_code(result: FederatedResult, study: Workflow) -> Script:
    """The lines that count what was seen by then: cells of a curator, or bytes of masked words."""
    curator = "curator" in result.seen
    places, top = ("words", result.grid.size) if curator else ('words.view("uint8")', 256)
    about = {"places": Expression(places), "top": top, "bins": BINS}
    return python_code.written("what was seen", code(result, study, seen=True), **about)


def _records_code(points: int, study: Workflow) -> Script:
    """The lines that have the test scores and the grid."""
    about = {"most": MOST_RECORDS, "points": points}
    return python_code.written("test scores on a grid", python_code.of_study(study), **about)


def redraws_code(result: FederatedResult, study: Workflow) -> Script:
    """The lines that draw the noise of every trust model many times."""
    choice, points = result.choice, result.choice.points
    script = _records_code(points, study)
    told = {"honest": honest(choice), "records": public_records(result, study)}
    told |= {"noise": python_code.noise(STAGE)}
    about = {"parties": choice.parties, "gone": len(asked(choice).get("lost", ()))}
    about |= {"depth": result.sizes[2], "classes": choice.classes, "epsilon": choice.epsilon}
    stayed = Expression("stayed"), Expression("plan"), points
    errors = script.call(federated_errors, *stayed, **told)
    about |= {"neighbors": study.neighbors, "errors": errors}
    return python_code.written("redraws of a federation", script, **about)


def traffic_code(result: FederatedResult) -> Script:
    """The lines that measure the messages on records that are all alike."""
    choice, script = result.choice, Script()
    costs = script.call(federated_costs, *result.sizes, classes=choice.classes)
    return python_code.written("traffic", script, costs=costs, evaluations=choice.evaluations)


def headline(result: FederatedResult) -> str:
    """The takeaway in one sentence."""
    choice = result.choice
    if result.refused:
        return said("too few parties").format(result.stayed, choice.parties, choice.threshold)
    if result.says_nothing:
        return nothing_said("this curve", "any curve", shown(choice.epsilon))
    if result.roc is not None:
        (low, high), true = result.roc.auc_interval, result.true_rates.auc
        beside = missed((low, high), true, result.roc.confidence)
        areas = rate(result.roc.auc), rate(low), rate(high)
        told = shown(choice.epsilon), _over_redraws(result), rate(true), beside
        return said("a federated curve").format(_who(result), *areas, *told)
    told = off_by(result, result.error), shown(choice.epsilon), _over_redraws(result)
    return said("a federated distribution").format(_who(result), *told)


def _who(result: FederatedResult) -> str:
    choice = result.choice
    who = {
        "trusted-curator": "A trusted curator",
        "secure-aggregation": f"{result.stayed} parties that show nobody their counts",
        "function-secret-sharing": f"{choice.parties} parties and two servers with half a key each",
    }[choice.trust.name]
    publish = "publishes" if choice.trust.name == "trusted-curator" else "publish"
    return f"{who} {publish}"


def off_by(result: FederatedResult, error: float) -> str:
    """How far off a curve is at most, in shares, or an AUC: the same in words and in a table."""
    return percent(limit(error)) if result.choice.classes == 1 else rate(limit(error))


def _over_redraws(result: FederatedResult) -> str:
    """What one draw cannot tell: how far off the curve is in the middle of many."""
    drawn = result.redrawn.items()
    middle = {name: off_by(result, float(np.median(one))) for name, one in drawn}
    off = "stay below" if result.roc is None else "are off by less than"
    mine = f"half of all draws {off} {middle[result.choice.trust.name]}"
    if result.choice.trust.name == "trusted-curator":
        return mine
    alone = middle["trusted-curator"]
    return f"{mine} (with one trusted party that holds all records, {alone})"


def figures(result: FederatedResult) -> list[tuple[str, str, str]]:
    """Quantile, noise and traffic: label, value, explanation."""
    choice = result.choice
    cost = result.costs[choice.trust.name]
    found = []
    noises = "Full noises in every count", f"{result.full_noises:.3g}", _why_so_many(result)
    if result.roc is not None:
        roc, exact = result.roc, result.true_rates
        low, high = (rate(end) for end in roc.auc_interval)
        true = f"true {rate(exact.average_precision)}"
        found = [
            ("Federated AUC", _found(result, roc.auc), f"{low} to {high}, {level(roc.confidence)}"),
            ("True AUC", rate(exact.auc), "of these parties’ records, on the grid"),
            ("Average precision", _found(result, roc.average_precision), true),
            noises,
        ]
    elif not result.refused:
        true = result.grid[min(int(np.searchsorted(result.truth, choice.q)), result.grid.size - 1)]
        words = f"true {true:.3f}; Algorithm 1 takes at most {result.asked} evaluations"
        quantile = f"{100 * choice.q:g} % score at most", _found(result, result.quantile), words
        found = [quantile, noises]
    label = f"On the wire for {choice.evaluations:,} evaluations"
    words = f"{amount(cost.size)} before the first, {amount(cost.each_size)} for each"
    return [*found, (label, amount(cost.total(choice.evaluations)), words)]


def _found(result: FederatedResult, value: float) -> str:
    return ANY if result.says_nothing else rate(value)


def _why_so_many(result: FederatedResult) -> str:
    choice = result.choice
    if choice.trust.name == "trusted-curator":
        return "one, from one who knows it"
    if choice.trust.name == "function-secret-sharing":
        return "one from each server, who knows its own"
    whom = "party that stays" if honest(choice) == 1 else "parties that stay"
    return f"{result.stayed} shares, sized for {honest(choice)} honest {whom}"


def picture(result: FederatedResult, theme: Theme) -> Picture:
    """The published curve over the true one."""
    if result.choice.classes == 2:
        exact = true_trace(result.true_rates.fpr, result.true_rates.tpr, theme)
        nothing = np.zeros(0)
        fpr, tpr = (result.roc.fpr, result.roc.tpr) if result.roc else (nothing, nothing)
        told = {"truth": exact, "band": result.roc and result.roc.envelope, "band_name": BAND}
        return roc_picture(fpr, tpr, theme=theme, private_name="federated", **told)
    quantile = None if result.refused else (result.choice.q, result.quantile)
    told = {"cdf": result.curve, "band": result.band, "quantile": quantile}
    return federated_picture(result.grid, result.truth, theme=theme, band_name=BAND, **told)


def precision_picture(result: FederatedResult, theme: Theme) -> Picture:
    """Precision by recall, published over true."""
    exact = result.true_rates
    released = None if result.roc is None else (result.roc.tpr, result.roc.precision)
    return federated_precision_picture(released, (exact.tpr, exact.precision), theme=theme)


def redraws(result: FederatedResult, theme: Theme) -> Picture:
    """How far off the curve is over many draws, for all trust models."""
    found = {titles()[name]: one for name, one in result.redrawn.items()}
    chosen = result.choice.trust.title
    what = {} if result.roc is None else {"what": "error of the AUC"}
    return redraws_picture(found, chosen=chosen, here=result.error, theme=theme, **what)


def redraws_table(result: FederatedResult) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The same as numbers."""
    header = ("trust model", "half of the draws below", "nine in ten below", "this draw")
    rows = []
    for name, found in result.redrawn.items():
        middle, most = (off_by(result, one) for one in np.quantile(found, [0.5, 0.9]).tolist())
        here = off_by(result, result.error) if name == result.choice.trust.name else "–"
        rows.append((titles()[name], middle, most, here))
    return header, rows


def traffic(result: FederatedResult, theme: Theme) -> Picture:
    """Bytes against evaluations, for all trust models."""
    evaluations = np.unique(np.geomspace(1, 1000, 40).round().astype(np.int64))
    sizes = {
        titles()[name]: np.asarray(cost.total(evaluations), dtype=np.float64)
        for name, cost in result.costs.items()
    }
    about = {"chosen": result.choice.trust.title, "at": result.choice.evaluations}
    return federated.traffic_picture(evaluations, sizes, theme=theme, **about)


def seen(result: FederatedResult, theme: Theme) -> Picture:
    """What the curious saw."""
    curator = "curator" in result.seen
    who = "the curator" if curator else "both servers" if len(result.seen) == 2 else "the server"
    return federated.seen_picture(result.histogram, who=who, even=not curator, theme=theme)


def table(result: FederatedResult) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Shares up to a few scores."""
    if result.choice.classes == 2:
        return _rates_table(result)
    header = ("score", "federated", BAND, "true")
    if result.curve is None or result.band is None:
        return header, []
    rows = []
    places = np.searchsorted(result.grid, SCORES + 1e-9, side="right") - 1
    for score, place in zip(SCORES.round(2).tolist(), places.tolist(), strict=True):
        if place >= 0:
            band = f"{100 * result.band[0, place]:.1f} to {percent(result.band[1, place])}"
            curve, true = percent(result.curve[place]), percent(result.truth[place])
            rows.append((f"{score:g}", curve, band, true))
    return header, rows


def _rates_table(result: FederatedResult) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    header = ("false positive rate", "true positive rate, federated", "true")
    if result.roc is None:
        return header, []
    lines = [(one.fpr, one.tpr) for one in (result.roc, result.true_rates)]
    return header, [
        (percent(at), *(percent(float(np.interp(at, *line))) for line in lines)) for at in RATES
    ]


def costs(result: FederatedResult) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Messages and bytes for each trust model."""
    count = result.choice.evaluations
    header = ("trust model", "order", "before the first", "each evaluation")
    header += (f"{count:,} evaluations", "for each party")
    orders = ("n", "n |B|", "n + m |B|")
    rows = []
    for (name, cost), order in zip(result.costs.items(), orders, strict=True):
        # The two servers' answers to the analyst are no burden of a party.
        repeated = cost.each_size * count if name == "secure-aggregation" else 0
        before = f"{cost.messages:,} messages, {amount(cost.size)}"
        each = f"{cost.each_messages:,} messages, {amount(cost.each_size)}"
        per_party = amount((cost.size + repeated) / result.choice.parties)
        rows.append((titles()[name], order, before, each, amount(cost.total(count)), per_party))
    return header, rows


def roles() -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Who sees what."""
    header = ("trust model", "curator sees", "each server sees", "whoever asks sees")
    public = "the noisy counts"
    return header, [(titles()[name], *what, public) for name, what in SEES.items()]


def tables_html(result: FederatedResult) -> str:
    """The tables beneath the figures."""
    words, error = "Share of the records up to a score", "Largest error"
    if result.choice.classes == 2:
        words, error = "Rates", "Error of the AUC"
    # Three trust models beside one another take less room than six figures of each.
    header, *rows = zip(*[costs(result)[0], *costs(result)[1]], strict=True)
    found = [
        (table(result), words, False),
        (redraws_table(result), f"{error} of {REDRAWS} draws of the noise", False),
        ((header, rows), "Messages and bytes between all roles", True),
        (roles(), "Who sees what", True),
    ]
    return "".join(
        cards.table(header, rows, caption=caption, wrapping=wrapping)
        for (header, rows), caption, wrapping in found
        if rows
    )
