"""What a decision needs beside a curve: a threshold's table, two models, groups, all classes."""

from dpcore.registry import Registry

decision_methods = Registry("dpcore.evaluation.decisions", "decision")
