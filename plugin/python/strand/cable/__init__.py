"""Describing cables: centrelines, the arguments of a cable, and its file."""
