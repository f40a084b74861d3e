"""Files and checks of input: options, tables, TOML, text geometry."""
