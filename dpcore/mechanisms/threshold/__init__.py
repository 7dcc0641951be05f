"""Comparing many answers with one noisy threshold: the sparse vector and the reusable holdout."""
