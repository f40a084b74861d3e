"""The commands that the studies add to `strand`, one module per command."""
