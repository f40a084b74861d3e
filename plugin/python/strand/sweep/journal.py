"""The journal of a sweep: one line for every finished point, so that a killed sweep can go on."""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from strand.errors import StrandError, reason
from strand.sweep.worker import Outcome

_MOST_SHOWN = 5  #: differences of specs in an error
_BEGIN = b'{"spec": '  #: of every journal
_WIDEST = 60  #: characters of a value in an error


class Journal:
    """An append-only file: the spec in its first line, then one finished point in each line.

    A line counts once it is complete; every line is on the disk before the next is written.
    """

    def __init__(self, path: str | os.PathLike, spec: Mapping[str, Any], restart: bool) -> None:
        """Opens or creates the journal.

        spec: what decides the points and their results. restart: deletes what a journal has.
        Raises StrandError, which names what differs, if the journal is of another spec, and if
        another process writes to it.
        """
        self.path = Path(path)
        head = json.dumps({"spec": spec}, sort_keys=True)
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise self._error(f"allowed: a writable file ({reason(error)})") from None
        try:
            self._lock()
            content = self.path.read_bytes()
            if not content.startswith(_BEGIN[: len(content)]):
                raise self._error("allowed: a journal of strand sweep, or a new file")
            whole = 0 if restart else content.rfind(b"\n") + 1
            self.outcomes = self._read(content[:whole], json.loads(head)["spec"])
            os.ftruncate(self._file, whole)  # cuts off a line that a kill has torn
            if whole == 0:
                self._write(head)
                _sync_folder(self.path.parent)
        except BaseException:
            os.close(self._file)
            raise

    def append(self, key: str, index: int, parameters: Mapping[str, Any], outcome: Outcome) -> None:
        """Records a finished point. When this returns, the disk has it."""
        line: dict[str, Any] = {"key": key, "point": index, "parameters": dict(parameters)}
        if outcome.failed:
            line |= {"failure": outcome.kind, "reason": outcome.reason}
        else:
            line |= {"results": outcome.results}
        self._write(json.dumps(line | {"seconds": round(outcome.seconds, 6)}))

    def close(self) -> None:
        os.close(self._file)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise self._error("allowed: a file to which no other sweep writes") from None

    def _write(self, line: str) -> None:
        left = f"{line}\n".encode()
        while left:
            left = left[os.write(self._file, left) :]
        os.fsync(self._file)

    def _read(self, content: bytes, spec: dict[str, Any]) -> dict[str, Outcome]:
        """The outcomes by key. Later lines replace earlier ones."""
        lines = content.splitlines()
        recorded, outcomes = spec, {}
        for number, line in enumerate(lines, start=1):
            try:
                read = json.loads(line)
                if number == 1:
                    recorded = read["spec"]
                else:
                    outcomes[read["key"]] = _outcome(read)
            except (ValueError, KeyError, TypeError):
                raise self._error(
                    f"line {number}: {line[:_WIDEST]!r}", "allowed: a journal of strand sweep"
                ) from None
        self._compare(recorded, spec)
        return outcomes

    def _compare(self, recorded: dict[str, Any], spec: dict[str, Any]) -> None:
        before, now = dict(_flat(recorded)), dict(_flat(spec))
        changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        if not changed:
            return
        shown = [
            f"{name} was {_short(before.get(name))}, is {_short(now.get(name))}"
            for name in changed[:_MOST_SHOWN]
        ]
        more = len(changed) - _MOST_SHOWN
        shown += [f"{more} more"] if more > 0 else []
        raise self._error(
            f"results of another spec ({'; '.join(shown)})",
            "allowed: that spec, another journal (--journal), or --restart, which deletes these",
        )

    def _error(self, *parts: str) -> StrandError:
        got, allowed = parts if len(parts) == 2 else (f"'{self.path}'", parts[0])
        named = "journal" if len(parts) == 1 else f"journal '{self.path}'"
        return StrandError(f"{named}: got {got}, {allowed}")


def _outcome(read: dict[str, Any]) -> Outcome:
    if "failure" in read:
        return Outcome(kind=read["failure"], reason=read["reason"], seconds=read["seconds"])
    return Outcome(results=read["results"], seconds=read["seconds"])


def _flat(content: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The values in nested tables by dotted names."""
    if isinstance(content, dict) and content:
        for key, value in content.items():
            yield from _flat(value, f"{name}.{key}" if name else key)
    elif isinstance(content, list) and any(isinstance(item, dict) for item in content):
        for k, item in enumerate(content):
            yield from _flat(item, f"{name}.{k}")
    else:
        yield name, content


def _short(value: Any) -> str:
    text = "not given" if value is None else json.dumps(value)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."


def _sync_folder(folder: Path) -> None:
    """Puts a new file's name on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
