"""Functions and specs that the tests of sweeps run."""

from pathlib import Path

#: Every execution is recorded in a file beside the module: one line when it begins, one at its end.
FUNCTIONS = '''
import os
import signal
import time
from pathlib import Path

RECORD = Path(__file__).with_name("executions.txt")


def note(what):
    file = os.open(RECORD, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(file, f"{what}\\n".encode())
    os.close(file)


def square(x, pause=0.0):
    note(f"begin {x}")
    time.sleep(pause)
    note(f"end {x}")
    return {"square": x * x, "third": x / 3}


def sometimes(x):
    """Fails in all ways."""
    note(f"begin {x}")
    if x == 1:
        raise ValueError("one is not allowed")
    if x == 2:
        return {"y": float("nan")}
    if x == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if x == 4:
        os._exit(7)
    if x == 5:
        time.sleep(60)
    if x == 6:
        return {"y": "six"}
    if x == 7:
        raise SystemExit(2)
    return {"y": x}


def repaired(x):
    note(f"begin {x}")
    if x == 2 and not Path(RECORD.with_name("repaired")).exists():
        raise ValueError("two")
    return {"y": x}


def valley(a, b):
    return {"height": (a - 0.3) ** 2 + 100 * (b - 2) ** 2, "a": a}


def other(x):
    return {"y": x, "process": os.getpid()}


NUMBER = 3
'''


def write(folder: Path, spec: str, name: str = "a.sweep.toml") -> Path:
    """Writes the functions and a spec; returns the path of the spec."""
    (folder / "functions.py").write_text(FUNCTIONS)
    path = folder / name
    path.write_text(spec)
    return path


def of_function(name: str, parameters: str, run: str = "") -> str:
    """A spec that runs a function. parameters, run: lines of TOML."""
    return f'[run]\nfunction = "functions.py:{name}"\n{run}\n{parameters}\n'


def begun(folder: Path) -> list[str]:
    """The arguments of all executions so far."""
    record = folder / "executions.txt"
    lines = record.read_text().splitlines() if record.exists() else []
    return [line.split()[1] for line in lines if line.startswith("begin")]
