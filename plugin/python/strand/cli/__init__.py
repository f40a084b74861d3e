"""The command `strand`.

Each command is a module of this package: `NAME.py` holds the function `NAME`, whose docstring is
the help (with an example) and whose annotated arguments are the options; or a `typer.Typer` called
`app` where the command has commands of its own. Modules whose name starts with `_` are helpers.
What is slow to import is imported inside the function, so that `strand --help` stays quick.
"""

import importlib
import pkgutil
import sys
from typing import Annotated

import typer

import strand
from strand import adapter

app = typer.Typer(
    name="strand",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        carried = ", ".join(adapter.carried())
        typer.echo(f"strand {strand.__version__} (MuJoCo {strand.mujoco_version}; for {carried})")
        raise typer.Exit


@app.callback()
def _strand(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the versions and stop."
        ),
    ] = False,
) -> None:
    """Cables, wires and rods for robotics, as a plugin of MuJoCo."""


def _register_commands() -> None:
    for found in pkgutil.iter_modules(__path__):
        if found.name.startswith("_"):
            continue
        module = importlib.import_module(f"{__name__}.{found.name}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=found.name)
        else:
            app.command(found.name)(getattr(module, found.name))


_register_commands()


def main() -> None:
    """Runs the command; a user's mistake is one line and exit code 2, not a traceback."""
    try:
        app()
    except strand.StrandError as error:
        typer.secho(f"strand: {error}", fg="red", err=True)
        sys.exit(2)
