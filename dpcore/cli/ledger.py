"""``python -m dpcore ledger``: budgets and charges in the durable ledger.

Keep the account of private data sets. The ledger is one file that many
processes may use at once; rows are only ever added, and each seals all the
rows before it.

  python -m dpcore ledger open --data patients.csv --epsilon 2 --title Patients
  python -m dpcore ledger show
  python -m dpcore ledger verify --head HASH
  python -m dpcore ledger export --out ledger.json
  python -m dpcore ledger backup --out ledger-2026-01-31.sqlite
  python -m dpcore ledger restore ledger-2026-01-31.sqlite

A budget is set once for a data set. Data sets are known by their cells: a table
that was saved again, as CSV of any kind or as Parquet, is the same data set.
"""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from dpcore.cli.program import add_action, add_options, in_usage, write_files
from dpcore.errors import LedgerDamaged
from dpcore.privacy import Charge, Loss
from dpcore.store import Account, LedgerStore, backup, default_path, restore
from dpcore.store.account import budget_of


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    for name, (action, summary) in _ACTIONS.items():
        child = add_action(actions, name, summary)
        add_options(child, "ledger", name)
        add_options(child, "ledger", "store")
        child.set_defaults(action=action)


def run(options: Namespace) -> None:
    """Carry the command out."""
    options.action(options)


def _existing(options: Namespace) -> LedgerStore:
    return LedgerStore(options.store, make=False)


def _show(options: Namespace) -> None:
    accounts = _existing(options).accounts()
    if not accounts:
        print("no budget is open")
    for name, account in accounts.items():
        print("\n".join(_lines(name, account)))


def _lines(name: str, account: Account) -> list[str]:
    head = f"{name[:12]}  {account.title}".rstrip()
    reserve = f", {account.reserve} of it in reserve" if account.reserve != Loss(0) else ""
    lines = [
        head,
        f"  budget     {account.budget} ({account.neighbors.words})",
        f"  spent      {account.spent}",
        f"  left       {account.remaining}{reserve}",
    ]
    return [*lines, *(f"  {charge_line(charge)}" for charge in account.charges)]


def charge_line(charge: Charge) -> str:
    """A charge in a line: how much, for what, how and on which records."""
    part = f" on {charge.part}" if charge.part else ""
    return f"charge     {charge.loss}  {charge.label} ({charge.mechanism}){part}"


def _verify(options: Namespace) -> None:
    with in_usage("--"):
        found = _existing(options).verify(options.head)
    if not found.holds:
        raise LedgerDamaged(found.problem)
    print(f"{found.rows} rows are in order; the last hash is {found.head}")


def _export(options: Namespace) -> None:
    text = _existing(options).export()
    if options.out is None:
        sys.stdout.write(text)
        return
    folder, name, remedy = options.out.parent, options.out.name, "give another file with --out"
    write_files(folder, {name: text}, problem=f"{name} cannot be written", remedy=remedy)


def _backup(options: Namespace) -> None:
    path = _existing(options).path
    rows = backup(path, options.out)
    print(f"{rows} rows of {path} are copied to {options.out}; keep it as secret as the data")


def _restore(options: Namespace) -> None:
    path = options.store or default_path()
    done = restore(options.copy, path, lose_charges=options.lose_charges)
    carried = f", {done.carried} of them from the file it replaces" if done.carried else ""
    print(f"{path} is restored with {done.rows} rows{carried}")
    if done.aside is not None:
        print(f"the file that was there is now {done.aside}; it holds the secret key too")
    if done.lost:
        print(
            f"{done.lost.replace('would be lost', 'are lost')}: set as much aside with "
            "`ledger reserve`",
            file=sys.stderr,
        )


def _loss(options: Namespace) -> Loss:
    with in_usage():
        return Loss(options.epsilon, options.delta)


def _open(options: Namespace) -> None:
    with in_usage("--"):
        loss = budget_of(_loss(options))
    store = LedgerStore(options.store)
    digest, held = _known_digests(options.data, store)
    _warn_of_earlier(store)
    store.open_budget(digest, loss, options.neighbors, title=options.title, bytes_digest=held)
    print("\n".join(_lines(store.name_of(digest), store.account(digest))))


def _known_digests(path: Path, store: LedgerStore) -> tuple[str, str]:
    # A second of start-up, for reading data only.
    from dpcore.desk import canonical_digest, recognise, whole_file

    content = whole_file(path)
    digest = canonical_digest(content)
    return digest, recognise(content, digest, store)


def _warn_of_earlier(store: LedgerStore) -> None:
    """Data that an earlier version knew by another digest may be these."""
    titles = [title or "one without a title" for title in store.earlier_budgets()]
    if titles:
        print(
            f"Budgets of an earlier version wait for their files: {', '.join(titles)}. If these "
            "data are among them, they have a budget: run this command with the file as it was "
            "then, before with any other. Spend none that is set because it is not found even so.",
            file=sys.stderr,
        )


def _reserve(options: Namespace) -> None:
    loss, store = _loss(options), _existing(options)
    digest, _ = _known_digests(options.data, store)
    store.reserve(digest, loss)
    print("\n".join(_lines(store.name_of(digest), store.account(digest))))


_ACTIONS = {
    "show": (_show, "budgets, what is left, and every charge"),
    "verify": (_verify, "recompute all hashes; exit code 1 if one is wrong"),
    "export": (_export, "all rows as JSON, to keep or to check elsewhere"),
    "open": (_open, "set the total that a data set may ever cost; once"),
    "reserve": (_reserve, "set a share of a budget aside, or free it with 0"),
    "backup": (_backup, "copy the whole ledger, its key and results included"),
    "restore": (_restore, "put a backup in the place of a damaged ledger"),
}
