"""Counts under noise: of cells, trees, waves, groups, prefixes and quantiles."""
