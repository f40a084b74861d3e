"""The command `strand`.

Each command is a module of `strand.cli.commands`, or of a package that another distribution names
under the entry point `strand.commands`. `NAME.py` contains the function `NAME`, whose docstring is
the help text (with an example) and whose annotated arguments are the options; or, for a command
with subcommands, a `typer.Typer` called `app`. The other modules here are helpers of commands. Slow
imports are inside the functions, so that `strand --help` is fast.
"""

import contextlib
import errno
import importlib
import importlib.metadata
import io
import os
import pkgutil
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Annotated, TextIO

import typer

import strand
from strand import adapter
from strand.cli import commands
from strand.errors import reason

#: Why a stream, such as standard output, could not be written to.
_UNWRITTEN = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}

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


def _standard_output() -> TextIO:
    """Standard output that raises OSError if something cannot be written."""
    out = sys.stdout
    if out is None:  # closed by the caller: nothing can be written to a null device for reading
        return open(os.open(os.devnull, os.O_RDONLY), "w")
    if isinstance(getattr(out, "buffer", None), io.RawIOBase):  # PYTHONUNBUFFERED loses the rest
        return open(out.fileno(), "w", 1, out.encoding, out.errors, closefd=False)
    return out


@contextlib.contextmanager
def _printing() -> Iterator[None]:
    """Raises StrandError if what is printed in the block cannot be written, as on a full disk."""
    sys.stdout = _standard_output()
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None or error.errno not in _UNWRITTEN:
            raise
        # Python would try once more at its end, and exit with 120.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        got, allowed = f"standard output ({reason(error)})", "one that can be written to"
        raise strand.StrandError(f"output: got {got}, allowed: {allowed}") from None


def main() -> None:
    """Runs the command. Invalid input, or a full disk, prints one line and exits with 2.

    A command that needs MuJoCo when it is not installed prints one line and exits with 1.
    """
    try:
        with _printing():
            app()
    except strand.StrandError as error:
        typer.secho(f"strand: {error}", fg="red", err=True)
        sys.exit(2)
    except ImportError as error:
        if error.name != "mujoco":
            raise
        sys.exit(f"strand: {adapter.mujoco_needed()}")
