"""Studies made with Strand: validations, published examples, benchmarks, comparisons, the demo.

They use the library `strand`, which never imports them. Their commands are added to the command
`strand` through the entry point `strand.commands` (pyproject.toml).
"""
