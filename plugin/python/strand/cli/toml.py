"""Options of commands that read a TOML description: its schema and an example."""

from pathlib import Path
from typing import Annotated, Protocol

import typer

from strand.cli.output import writable
from strand.errors import StrandError

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

    Returns whether one of them was. Raises StrandError if the example would replace a file with
    another content, which may be the user's own.
    """
    if schema:
        typer.echo(module.schema(), nl=False)
    elif example:
        _write(example, module.EXAMPLE)
        typer.echo(f"written: {example}", err=True)
    return schema or example is not None


def _write(example: Path, text: str) -> None:
    from strand.io.files import write_text

    if example.is_file() and example.read_bytes() != text.encode():
        raise StrandError(
            f"example: got '{example}', which is there and differs from the example, allowed: "
            "another name (or delete the file)"
        )
    write_text(example, text)
