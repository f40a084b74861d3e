"""strand view: a model in a window."""

from pathlib import Path
from typing import Annotated

import typer

from strand.cli.output import keep, writable
from strand.errors import StrandError


def view(
    file: Annotated[
        Path,
        typer.Argument(
            help="A model (.xml, .mjb), cable or scene (.toml, .py), or recording (.npz)."
        ),
    ],
    color: Annotated[
        str,
        typer.Option(
            help="Colours of cables: none, curvature, twist, moment, bending, torsion, stress, "
            "tension, contact."
        ),
    ] = "none",
    compare: Annotated[
        bool,
        typer.Option("--compare", help="A cable as a chain, a flex and in the core, side by side."),
    ] = False,
    speed: Annotated[float, typer.Option(help="Simulated seconds per second.")] = 1.0,
    paused: Annotated[bool, typer.Option("--paused", help="Starts paused.")] = False,
    panel: Annotated[bool, typer.Option(help="Shows the panel at the left.")] = True,
    size: Annotated[str, typer.Option(help="Of the window, in pixels.")] = "1280x960",
    scale: Annotated[float, typer.Option(help="Of texts; 0: that of the monitor.")] = 0.0,
    frames: Annotated[
        int, typer.Option(help="Draws N frames of 1/60 s and ends; works without a display.")
    ] = 0,
    script: Annotated[
        Path | None, typer.Option(help="Input from a file: see the documentation of the viewer.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(callback=writable, help="The last frame, and for the key p, as PNG."),
    ] = None,
    video: Annotated[
        Path | None,
        typer.Option(callback=writable, help="All frames as MP4, with --frames or --script."),
    ] = None,
) -> None:
    """Shows a model in a window, plays it and lets you pull at it.

    F1 in the window lists keys and mouse buttons. With --frames or --script the input is not the
    user's, and no display is needed (Xvfb is used).

    Example: strand generate --example cable.toml && strand view cable.toml --color curvature
    """
    from strand.draw.picture import parse_size
    from strand.viewer.view import view as show

    for read in (file, script):
        keep(read, picture=picture, video=video)
    try:
        text = "" if script is None else script.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise StrandError(f"script: got '{script}', {error}") from None
    show(
        file,
        color=color,
        compare=compare,
        speed=speed,
        paused=paused,
        panel=panel,
        size=parse_size(size),
        scale=scale,
        frames=frames,
        script=text,
        picture=picture,
        video=video,
    )
