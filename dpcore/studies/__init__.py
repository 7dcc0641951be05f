"""The old home of `dpcore.study` and `dpcore.curves`, for one minor version."""
