"""Options of commands that read a TOML description: its schema and an example."""

from pathlib import Path
from typing import Annotated, Protocol

import typer

from strand.cli.output import writable

Schema = Annotated[
    bool, typer.Option("--schema", help="Print all tables and keys of the TOML, and stop.")
]
Example = Annotated[
    Path | None,
    typer.Option(callback=writable, help="Write a commented TOML to start from, and stop."),
]


class Explained(Protocol):
    """A module of descriptions."""

    EXAMPLE: str

    def schema(self) -> str: ...


def explain(module: Explained, schema: bool, example: Path | None) -> bool:
    """Prints the module's `schema()` or writes its `EXAMPLE`, if requested.

    Returns whether one of them was.
    """
    from strand.io.files import write_text

    if schema:
        typer.echo(module.schema(), nl=False)
    elif example:
        write_text(example, module.EXAMPLE)
        typer.echo(f"written: {example}", err=True)
    return schema or example is not None
