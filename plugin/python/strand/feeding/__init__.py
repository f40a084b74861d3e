"""Cables that are fed out of a guide and back in: winches, spools, sheaths."""
