"""Which release a request is: the same identity is drawn once, and replayed ever after."""

from __future__ import annotations

from dpcore import __version__
from dpcore.desk.request import Request
from dpcore.store import LedgerStore
from dpcore.study import Dataset
from dpcore.study.sources import Records

__all__ = ["request_id"]


def request_id(request: Request, data: Records, store: LedgerStore) -> str:
    """HMAC over data, schema, request, neighbours and code version, under the ledger's key.

    Keyed, because a plain digest would let anybody check a guess at the data. Who may open data on
    a server that has the key can check it there.

    Examples
    --------
    >>> import tempfile
    >>> from dpcore.desk.simulate import Assumed, simulated_predictions
    >>> from dpcore.study import DataSource, Workflow
    >>> study = Workflow(data=DataSource(predictions="scores.csv", positive="1"))
    >>> renamed = Workflow(data=DataSource(predictions="other.csv", positive="1"), title="Again")
    >>> made = simulated_predictions(Assumed(n=20))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = LedgerStore(f"{folder}/ledger.sqlite")
    ...     asked = [Request(what="roc", study=one) for one in (study, renamed)]
    ...     len({request_id(one, made, store) for one in asked})
    1
    """
    return store.sign(
        {
            "data": data.digest,
            "schema": data.schema.digest() if isinstance(data, Dataset) else None,
            "request": request.public(),
            "neighbors": request.study.neighbors.value,
            "code": __version__,
        }
    )
