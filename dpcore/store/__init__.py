"""The durable ledger: budgets, charges and releases in one file that many processes share."""

from dpcore.store.account import Account
from dpcore.store.chain import Entry, Verification
from dpcore.store.copies import backup, restore
from dpcore.store.ledger_store import LedgerStore
from dpcore.store.location import default_path

__all__ = ["Account", "Entry", "LedgerStore", "Verification", "backup", "default_path", "restore"]
