"""Logistic regression by noise on its objective or on its minimiser."""
