"""Reading cables in a running MuJoCo: forces, moments, energy, twist, and their state."""
