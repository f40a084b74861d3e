"""The specification of a sweep as a TOML file."""

import dataclasses
import hashlib
import inspect
import json
import os
from pathlib import Path
from typing import Any

import strand
from strand.errors import StrandError, reason
from strand.io import toml_file
from strand.io.options import (
    FLAG,
    NEEDED,
    TEXT,
    Kind,
    choice,
    count,
    key,
    non_negative,
    optional,
    positive,
    within,
)
from strand.scene.keys import read_keys, schema_lines
from strand.sweep import readings
from strand.sweep.function import check_arguments, source_of
from strand.sweep.parameters import Parameter, ParameterTable, RangeTable, read_parameter
from strand.sweep.plan import Listed, Plan, Search
from strand.sweep.task import Task

EXAMPLE = """\
# A sweep for `strand sweep`. `strand sweep --schema` lists all keys and results.

[run]
cable = "cable.toml"        # or scene = "rod.scene.toml", or function = "file.py:function"
seconds = 2.0               # s, of the simulation of each point
results = ["end_z", "largest_tension", "smallest_bend_radius"]
# timeout = 60.0            # s of wall-clock time for a point

[parameters.stiffness]
path = "material.young"     # the key of the cable file that it sets
grid = { start = 1e6, stop = 1e8, count = 5, spacing = "log" }

[parameters."section.radius"]   # without path: the name is the path
grid = [0.003, 0.004, 0.005]

# Random values instead, or in addition:
# [parameters.density]
# path = "material.density"
# uniform = [900.0, 1500.0] # or loguniform = [low, high], or choice = [...]
# [random]
# count = 100
# seed = 1

# A search instead, for parameters with uniform or loguniform limits:
# [cmaes]
# minimise = "largest_tension"
# evaluations = 200
"""


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not value or len(set(value)) < len(value):
        raise ValueError
    return [TEXT.read(each) for each in value]


_POINTS = count(1, 1_000_000)
_SEED = count(0, 2**32 - 1)


@dataclasses.dataclass(kw_only=True)
class RunTable:
    """What each point runs. Exactly one of scene, cable and function is required."""

    scene: str | None = key(None, "a scene of the core, .toml", optional(TEXT))
    cable: str | None = key(None, "a cable file, .toml", optional(TEXT))
    function: str | None = key(
        None,
        "MODULE:FUNCTION or FILE.py:FUNCTION, which takes the parameters as keyword arguments and "
        "returns a dict of numbers",
        optional(TEXT),
    )
    results: list[str] | None = key(
        None,
        "names of results, listed below; of a function: some of what it returns, left out: all",
        optional(Kind("a list of one or more texts, each once", _texts)),
    )
    seconds: float | None = key(
        None, "simulated time; left out: the scene's", optional(non_negative("s"))
    )
    equilibrium: bool = key(
        False, "find the equilibrium after that time, in the core; seconds may be left out", FLAG
    )
    backend: str = key(
        "plugin",
        "what runs a cable: MuJoCo with strand.cable, or the core",
        choice("plugin", "core"),
    )
    timeout: float | None = key(
        None,
        "wall-clock time after which a point is stopped and has failed",
        optional(positive("s")),
    )


@dataclasses.dataclass(kw_only=True)
class RandomTable:
    """Draws of parameters with uniform, loguniform or choice; each is combined with the grid."""

    count: int = key(NEEDED, "number of draws", _POINTS)
    seed: int = key(0, "of the generator; the same seed gives the same points", _SEED)


@dataclasses.dataclass(kw_only=True)
class SearchTable:
    """A search for the smallest value of a result by CMA-ES, instead of a list of points."""

    minimise: str = key(NEEDED, "the result", TEXT)
    evaluations: int = key(NEEDED, "most points; whole generations are run", _POINTS)
    population: int | None = key(
        None, "points in a generation; left out: 4 + 3 ln(parameters)", optional(count(2, 100_000))
    )
    sigma: float = key(
        0.3,
        "first standard deviation, as a fraction of the limits",
        within("a number > 0, at most 1", lambda value: 0 < value <= 1),
    )
    seed: int = key(0, "of the generator", _SEED)


_TABLES = ("run", "parameters", "random", "cmaes")
_KINDS = ("scene", "cable", "function")


@dataclasses.dataclass(frozen=True)
class Spec:
    """A sweep: what each point runs, and the points."""

    task: Task
    identity: dict[str, Any]  #: all that decides the points and their results, for the journal
    random: RandomTable | None
    search: SearchTable | None
    timeout: float | None  #: s

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.task.parameters

    def plan(self) -> Plan:
        """The points. Raises StrandError if there are too many, or a library is missing."""
        if self.search is not None:
            options = dataclasses.asdict(self.search)
            return Search(self.task.digest, self.parameters, **options)
        draws = self.random or RandomTable(count=1)
        return Listed(self.task.digest, self.parameters, draws.count, draws.seed)

    def check(self) -> None:
        """Raises StrandError if points cannot run: unknown keys, arguments or results.

        Scenes and cables of the first points are built, but not run. An invalid value of one point
        is no error here: it becomes a failure of that point.
        """
        points = self.plan().batch()
        if self.task.kind == "function":
            check_arguments(self.task, points[0].parameters)
            return
        from strand.sweep.scene import check

        error = None
        for point in (points[0], points[-1], points[len(points) // 2]):
            try:
                check(self.task, point.parameters)
                return
            except StrandError as found:
                error = error or found
        if error is not None:
            raise error


def load(path: str | os.PathLike) -> Spec:
    """Reads a spec. Raises StrandError, which names the file, the table, the key and the value."""
    return toml_file.load(path, lambda text: from_toml(text, Path(path).parent))


def from_toml(text: str, folder: str | os.PathLike = ".") -> Spec:
    """The spec that a TOML text describes. File names in it are relative to `folder`."""
    content = toml_file.document(text)
    for name in content:
        if name not in _TABLES:
            raise toml_file.unknown(name, "a table", _TABLES)
        toml_file.table(name, content[name])
    run = read_keys("run", content.get("run", {}), RunTable)
    kind, target = _target(run)
    _check_run(run, kind)
    parameters = _parameters(content.get("parameters", {}), kind)
    random = _optional("random", content, RandomTable)
    search = _optional("cmaes", content, SearchTable)
    _check_sources(parameters, random, search, run.results)
    document = {} if kind == "function" else _document(kind, Path(folder, target))
    identity = _identity(content, kind, target, Path(folder), document)
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
    task = Task(
        digest=digest,
        kind=kind,
        target=target,
        folder=Path(folder).resolve(),
        document=document,
        parameters=parameters,
        results=tuple(run.results or ()),
        backend=run.backend,
        seconds=run.seconds,
        equilibrium=run.equilibrium,
    )
    return Spec(task, identity, random, search, run.timeout)


def _target(run: RunTable) -> tuple[str, str]:
    given = [(kind, name) for kind in _KINDS if (name := getattr(run, kind)) is not None]
    if len(given) != 1:
        got = " and ".join(kind for kind, _ in given) or "nothing"
        raise StrandError(f"run: got {got}, allowed: exactly one of {', '.join(_KINDS)}")
    return given[0]


def _check_run(run: RunTable, kind: str) -> None:
    """Raises StrandError for keys that do not fit what is run."""
    if run.equilibrium and (kind == "function" or (kind == "cable" and run.backend == "plugin")):
        raise StrandError(
            'run.equilibrium: got true, allowed: with a scene, or a cable with backend = "core"'
        )
    if kind == "function" and run.seconds is not None:
        raise StrandError(f"run.seconds: got {run.seconds}, allowed: with a scene or a cable")
    if kind != "cable" and run.backend != "plugin":
        raise StrandError(f"run.backend: got {run.backend!r}, allowed: with a cable only")


def _parameters(content: dict[str, Any], kind: str) -> tuple[Parameter, ...]:
    if not content:
        raise StrandError("parameters: got none, allowed: one table [parameters.NAME] or more")
    return tuple(
        read_parameter(name, toml_file.table(f"parameters.{name}", table), kind != "function")
        for name, table in content.items()
    )


def _optional(name: str, content: dict[str, Any], kind: type) -> Any:
    return read_keys(name, content[name], kind) if name in content else None


def _check_sources(
    parameters: tuple[Parameter, ...],
    random: RandomTable | None,
    search: SearchTable | None,
    results: list[str] | None,
) -> None:
    """Raises StrandError if parameters do not fit [random] or [cmaes]."""
    drawn = [each.name for each in parameters if each.is_drawn]
    if search is None:
        if drawn and random is None:
            raise StrandError(
                f"random.count: got nothing, allowed: a table [random], since {drawn[0]} is drawn"
            )
        if random is not None and not drawn:
            raise StrandError("random: got a table, allowed: with parameters that are drawn")
        return
    if random is not None:
        raise StrandError("random: got a table beside [cmaes], allowed: one of them")
    for each in parameters:
        if each.source not in ("uniform", "loguniform"):
            raise StrandError(
                f"parameters.{each.name}.{each.source}: got {each.values!r:.60}, allowed with "
                "[cmaes]: uniform or loguniform"
            )
    if results is not None and search.minimise not in results:
        raise StrandError(f"cmaes.minimise: got {search.minimise!r}, allowed: {', '.join(results)}")


def _document(kind: str, path: Path) -> dict[str, Any]:
    try:
        text = path.read_bytes().decode()
    except (OSError, ValueError) as error:
        raise StrandError(
            f"run.{kind}: got '{path}', allowed: a readable TOML file ({reason(error)})"
        ) from None
    try:
        return toml_file.document(text)
    except StrandError as error:
        raise StrandError(f"run.{kind}: {path}: {error}") from None


def _identity(
    content: dict[str, Any], kind: str, target: str, folder: Path, document: dict[str, Any]
) -> dict[str, Any]:
    """All that decides the points and their results."""
    run = {name: value for name, value in content["run"].items() if name != "timeout"}
    files = {}
    if kind == "function":
        source = source_of(target, folder)
        files = {source.name: _hash(source)} if source is not None else {}
    else:
        beside = (folder / target).parent
        for name in sorted(set(_file_names(document))):
            if (beside / name).is_file():
                files[name] = _hash(beside / name)
    identity = {
        "strand": strand.__version__,
        **content,
        "run": run,
        kind: document,
        "sha256 of files": files,
    }
    return json.loads(json.dumps(identity, default=str))


def _file_names(content: Any) -> list[str]:
    """The values of keys `file` in a document."""
    if isinstance(content, dict):
        own = [content["file"]] if isinstance(content.get("file"), str) else []
        return own + [name for value in content.values() for name in _file_names(value)]
    if isinstance(content, list):
        return [name for item in content for name in _file_names(item)]
    return []


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def schema() -> str:
    """All tables and keys of a spec, and all results, with their meanings."""
    lines = ["# Tables and keys of a sweep's TOML file. File names are relative to it."]
    tables = {
        "run": RunTable,
        "parameters.NAME": ParameterTable,
        "parameters.NAME.grid": RangeTable,
        "random": RandomTable,
        "cmaes": SearchTable,
    }
    for name, kind in tables.items():
        doc = (inspect.getdoc(kind) or "").splitlines()
        lines += ["", f"[{name}]", *(f"# {line}" for line in doc if line), *schema_lines(kind)]
    lines += ["", "# Results. Those of one of several cables, branches or rods: NAME.RESULT."]
    of_rods = readings.OF_NODES | readings.OF_CABLE
    for where, names in (
        ("cables and rods", of_rods),
        ("cables with backend = plugin, in addition", readings.OF_PLUGIN),
        ("scenes, and cables with backend = core, in addition", readings.OF_CORE),
        ("scenes of a growing robot", readings.OF_VINE),
    ):
        lines += [f"# Of {where}:", *(f"{name}: {doc}" for name, doc in names.items())]
    return "\n".join(lines) + "\n"
