"""strand materials: the library of real cables."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from strand.cli.output import JsonFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strand.cable.library import RealCable

_UNITS = {
    "radius": "m",
    "inner_radius": "m",
    "density": "kg/m^3",
    "young": "Pa",
    "shear": "Pa",
    "EI": "N m^2",
    "GJ": "N m^2",
    "mass_per_length": "kg/m",
    "EI_bounds": "N m^2",
    "GJ_bounds": "N m^2",
    "min_bend_radius": "m",
    "working_load": "N",
    "breaking_load": "N",
    "yield_stress": "Pa",
    "strain_radius": "m",
    "fatigue": "pairs of strain amplitude (1) and cycles to failure",
}


def materials(
    name: Annotated[
        str | None, typer.Argument(help="A cable, for all its values and their sources.")
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the table in Markdown, and stop.")
    ] = False,
    json: JsonFile = None,
) -> None:
    """Real cables, hoses and wires: size, mass, stiffness, limits, and where each value is from.

    Examples: strand materials; strand materials usb_c
    """
    from strand.cable.library import get, names

    shown = [get(each) for each in (names() if name is None else [name])]
    if markdown:
        typer.echo(markdown_table(shown))
    elif name is not None:
        typer.echo("\n".join(_details(shown[0])))
    else:
        _print_table(shown)
    if json:
        _write_json(json, shown)


def markdown_table(cables: "Sequence[RealCable]") -> str:
    """The table of some cables in Markdown, without a newline at the end."""
    heads = ("name", "cable", "diameter (mm)", "g/m", "EI (N m²)", "GJ (N m²)", "EI is")
    lines: list[tuple[str, ...]] = [heads, ("---", "---", "--:", "--:", "--:", "--:", "---")]
    lines += [
        (f"`{cable.name}`", cable.title, *_numbers(cable).values(), cable.origin)
        for cable in cables
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _numbers(cable: "RealCable") -> dict[str, str]:
    return {
        "diameter_mm": f"{2e3 * cable.radius:.4g}",
        "g/m": f"{1e3 * cable.mass_per_length:.3g}",
        "EI_N_m^2": f"{cable.EI:.3g}",
        "GJ_N_m^2": f"{cable.GJ:.3g}",
    }


def _print_table(cables: "Sequence[RealCable]") -> None:
    from rich.console import Console

    from strand.cli.table import print_rows

    rows = [{"name": each.name, **_numbers(each), "EI_is": each.origin} for each in cables]
    print_rows(Console(highlight=False, soft_wrap=False), rows)
    typer.echo("All values of a cable, with sources: strand materials NAME")


def _details(cable: "RealCable") -> "Iterator[str]":
    """All values, each followed by its source."""
    yield f"{cable.name}: {cable.title}"
    for name, source in cable.sources.items():
        yield from ("", f"{name} = {_shown(_value(cable, name), _UNITS.get(name, ''))}")
        yield f"  {source}"
    for part in cable.parts:
        inner = f", {1e3 * part.inner_diameter:.4g} mm inside" if part.inner_diameter else ""
        away = f", {1e3 * part.from_axis:.3g} mm from the axis" if part.from_axis else ""
        yield from (
            "",
            f"part: {part.count} x {part.name}, {1e3 * part.diameter:.4g} mm{inner}{away}",
        )
        yield f"  E {part.young:.4g} Pa, Poisson's ratio {part.poisson:g}, {part.density:g} kg/m^3"
        yield f"  {part.source}"
    yield ""
    yield from (f"[{name}]: {text}" for name, text in cable.references.items())


def _value(cable: "RealCable", name: str) -> Any:
    return cable.cable[name] if name in cable.cable else getattr(cable, name)


def _shown(value: Any, unit: str) -> str:
    if isinstance(value, tuple):
        text = f"[{', '.join(_shown(each, '') for each in value)}]"
    else:
        text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return f"{text} {unit}".rstrip()


def _write_json(path: Any, cables: "Sequence[RealCable]") -> None:
    import json

    from strand.io.files import write_text

    def plain(cable: "RealCable") -> dict[str, Any]:
        values = {name: _value(cable, name) for name in cable.sources}
        return {
            "name": cable.name,
            "title": cable.title,
            **values,
            "EI": cable.EI,
            "GJ": cable.GJ,
            "parts": [vars(part) for part in cable.parts],
            "sources": dict(cable.sources),
            "references": dict(cable.references),
        }

    write_text(path, json.dumps([plain(cable) for cable in cables], indent=1) + "\n")
