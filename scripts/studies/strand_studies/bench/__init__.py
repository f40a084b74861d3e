"""Benchmarks: what the plugin costs, side by side with the same simulation without it."""
