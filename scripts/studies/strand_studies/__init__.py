"""Studies made with Strand: validations, published examples, benchmarks, comparisons, the demo.

They are built on the library `strand`, which never imports them; their commands join the command
`strand` through the entry point `strand.commands` (pyproject.toml).
"""
