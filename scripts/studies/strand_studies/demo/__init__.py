"""The demonstration: cables in MuJoCo, checked against theory, in one report."""
