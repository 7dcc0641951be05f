"""Choosing the best of many scored candidates, one of them or k."""
