"""Noise that other mechanisms draw within: vectors of a norm, whole cells, zero sums."""
