"""Attacks on the methods: lower bounds on epsilon from outputs, and exact losses where known."""

from dpcore.audit.attack import Attack, audit
from dpcore.audit.demonstrations import Preset, presets
from dpcore.audit.exact import exact_loss
from dpcore.audit.mechanism_cases import cases
from dpcore.audit.method_targets import kinds, methods_of_all_kinds
from dpcore.audit.result import AttackerRoc, AuditResult, Look, TradeOff, limit_roc
from dpcore.audit.sweep import Row, all_rows, exact_rows
from dpcore.audit.target import Pair, Target, mechanism_target, one_by_one

__all__ = ["Attack", "AttackerRoc", "AuditResult", "Look", "Pair", "Preset", "Row", "Target"]
__all__ += ["TradeOff", "all_rows", "audit", "cases", "exact_loss", "exact_rows", "kinds"]
__all__ += ["limit_roc", "mechanism_target", "methods_of_all_kinds", "one_by_one", "presets"]
