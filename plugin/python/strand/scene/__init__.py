"""Scene files (TOML) of the core and of vines: read, built, run."""
