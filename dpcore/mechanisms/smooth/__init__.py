"""Noise in proportion to a smooth sensitivity."""
