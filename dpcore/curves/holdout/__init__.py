"""Stepwise variable selection against a test set that is asked at every step."""
