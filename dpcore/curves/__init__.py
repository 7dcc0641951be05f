"""Figures over a grid: a method at several epsilons, sizes or settings, many draws each."""
