"""Materials of cables that change while a model runs."""
