"""Scene files (TOML) of the core and of vine robots: reading, building, running."""
