"""Reads cables in a MuJoCo simulation: forces, moments, energy, twist, and state."""
