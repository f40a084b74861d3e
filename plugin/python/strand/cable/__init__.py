"""Description of cables: centrelines, arguments, and cable files."""
