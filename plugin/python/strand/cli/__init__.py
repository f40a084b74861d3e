"""The command `strand`.

Each command is a module of `strand.cli.commands`, or of a package that another distribution names
under the entry point `strand.commands`. `NAME.py` contains the function `NAME`, whose docstring is
the help text (with an example) and whose annotated arguments are the options; or, for a command
with subcommands, a `typer.Typer` called `app`. The other modules here are helpers of commands. Slow
imports are inside the functions, so that `strand --help` is fast.
"""

import importlib
import importlib.metadata
import pkgutil
import sys
from types import ModuleType
from typing import Annotated

import typer

import strand
from strand import adapter
from strand.cli import commands

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
        loaded = adapter.load_if_installed()
        found = f"MuJoCo {loaded.mujoco_version}" if loaded else "no MuJoCo installed"
        typer.echo(f"strand {strand.__version__} ({found}; for {carried})")
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


def _packages_of_commands() -> list[ModuleType]:
    """The library's package of commands, then those of other distributions, each once."""
    found = importlib.metadata.entry_points(group="strand.commands")
    return [commands, *(importlib.import_module(name) for name in sorted({e.value for e in found}))]


def _register_commands() -> None:
    modules = {
        module.name: f"{package.__name__}.{module.name}"
        for package in _packages_of_commands()
        for module in pkgutil.iter_modules(package.__path__)
    }
    for name, path in sorted(modules.items()):
        module = importlib.import_module(path)
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(getattr(module, name))


_register_commands()


def main() -> None:
    """Runs the command. Invalid input prints one line, without a traceback, and exits with 2.

    A command that needs MuJoCo when it is not installed prints one line and exits with 1.
    """
    try:
        app()
    except strand.StrandError as error:
        typer.secho(f"strand: {error}", fg="red", err=True)
        sys.exit(2)
    except ImportError as error:
        if error.name != "mujoco":
            raise
        sys.exit(f"strand: {adapter.mujoco_needed()}")
