"""Data in and counted: files read row by row, and exact counts of them in one pass."""
