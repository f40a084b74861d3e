"""Benchmarks: the plugin beside the same chain without it, and Strand beside its peers."""
