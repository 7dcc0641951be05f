"""Attacks on the methods: lower bounds on epsilon from outputs, and exact losses where known."""

from dpcore.audit.api import audit
from dpcore.audit.pair import Pair
from dpcore.audit.result import AttackerRoc, AuditResult, Look, TradeOff, limit_roc
from dpcore.audit.target import Target, mechanism_target, one_by_one

__all__ = [
    "AttackerRoc",
    "AuditResult",
    "Look",
    "Pair",
    "Target",
    "TradeOff",
    "audit",
    "limit_roc",
    "mechanism_target",
    "one_by_one",
]
