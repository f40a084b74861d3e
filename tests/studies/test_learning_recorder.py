"""Datasets of episodes in LeRobot's format: read back with pyarrow, extended, broken."""

import json
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pyarrow.parquet as pq
import pytest
from support.engine import needs_discrete
from typer.testing import CliRunner

from strand.cli import app
from strand.errors import StrandError
from strand_studies.learning import dataset_format, dataset_stats, recorder
from strand_studies.learning.recorder import Frames, Recorder

FPS, SIZE = 20, (32, 16)
STATE, ACTION = ("cable.0.x", "cable.0.y", "cable.0.z"), ("hand_x",)
LENGTHS = (30, 17)


def opened(folder: Path, fps: int = FPS, pictures: bool = False, robot: str = "hand") -> Recorder:
    size = SIZE if pictures else None
    return Recorder(folder, dataset_format.features(STATE, ACTION, fps, size), fps, robot)


def frames(length: int, pictures: bool = False) -> Frames:
    rng = np.random.default_rng(length)
    shades = np.linspace(0, 250, length).astype(np.uint8)
    shown = [np.full((SIZE[1], SIZE[0], 3), shade, dtype=np.uint8) for shade in shades]
    last = np.arange(length) == length - 1
    state, action = rng.normal(size=(length, 3)), rng.normal(size=(length, 1))
    return Frames(state, action, rng.normal(size=length), last, last, shown if pictures else ())


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    made = opened(tmp_path / "data")
    made.add(frames(LENGTHS[0]), "lay a cable")
    made.add(frames(LENGTHS[1]), "tie a knot")
    return tmp_path / "data"


def info_of(folder: Path) -> dict:
    return json.loads((folder / "meta/info.json").read_text())


def data_of(folder: Path, episode: int) -> dict:
    path = info_of(folder)["data_path"].format(chunk_index=0, file_index=episode)
    return pq.read_table(folder / path).to_pydict()


def row_of(folder: Path, episode: int) -> dict:
    table = pq.read_table(folder / f"meta/episodes/chunk-000/file-{episode:03}.parquet")
    return {name: values[0] for name, values in table.to_pydict().items()}


@pytest.mark.slow
def test_lerobot_reads_it(tmp_path: Path) -> None:
    reader = pytest.importorskip("lerobot.datasets.lerobot_dataset")
    folder, made = tmp_path / "data", [frames(length, True) for length in LENGTHS]
    writer = opened(folder, pictures=True)
    for each in made:
        writer.add(each, "lay a cable")
    read = reader.LeRobotDataset("strand/lay", root=folder, video_backend="pyav")
    assert (len(read), read.num_episodes, read.fps) == (sum(LENGTHS), len(LENGTHS), FPS)
    state = np.concatenate([each.state for each in made])
    shades = np.concatenate([[shown.mean() for shown in each.pictures] for each in made])
    for k in range(len(read)):
        row = read[k]
        assert row["task"] == "lay a cable"
        np.testing.assert_allclose(row["observation.state"], state[k], rtol=1e-6)
        shade = 255 * float(row["observation.images.scene"].mean())
        assert shade == pytest.approx(shades[k], abs=8)


def test_counts_types_and_times_are_those_of_the_info(dataset: Path) -> None:
    info = info_of(dataset)
    assert info["codebase_version"] == "v3.0" and info["splits"] == {"train": "0:2"}
    assert (info["total_episodes"], info["total_frames"], info["total_tasks"]) == (2, 47, 2)
    schema = pq.read_schema(dataset / "data/chunk-000/file-000.parquet")
    assert schema.names == list(info["features"])
    for field in schema:
        feature = info["features"][field.name]
        kind = field.type.value_type if feature["shape"] != [1] else field.type
        assert str(kind).replace("float", "float32") == feature["dtype"]  # arrow: "float"
        assert feature["shape"] == [1] or field.type.list_size == feature["shape"][0]
    rows = [data_of(dataset, k) for k in range(2)]
    assert [v for row in rows for v in row["index"]] == list(range(47))
    for k, (row, length) in enumerate(zip(rows, LENGTHS, strict=True)):
        assert row["frame_index"] == list(range(length))
        assert np.allclose(row["timestamp"], np.arange(length) / FPS, rtol=0, atol=1e-6)
        assert set(row["episode_index"]) == {k} == set(row["task_index"])
        assert row["next.done"] == [False] * (length - 1) + [True] == row["next.success"]
        assert (np.float32(frames(length).state) == np.array(row["observation.state"])).all()
        assert (np.float32(frames(length).action[:, 0]) == np.array(row["action"])).all()


def test_episodes_and_tasks_are_described(dataset: Path) -> None:
    rows = [row_of(dataset, k) for k in range(2)]
    assert [row["length"] for row in rows] == list(LENGTHS)
    ends = [(row["dataset_from_index"], row["dataset_to_index"]) for row in rows]
    assert ends == [(0, 30), (30, 47)]
    assert [row["tasks"] for row in rows] == [["lay a cable"], ["tie a knot"]]
    assert [row["data/file_index"] for row in rows] == [0, 1]
    tasks = pq.read_table(dataset / "meta/tasks.parquet")
    assert tasks.to_pydict() == {"task_index": [0, 1], "task": ["lay a cable", "tie a knot"]}
    assert json.loads(tasks.schema.metadata[b"pandas"])["index_columns"] == ["task"]


def test_statistics_are_those_of_all_frames(dataset: Path) -> None:
    stats = json.loads((dataset / "meta/stats.json").read_text())
    assert stats.keys() == info_of(dataset)["features"].keys()
    whole = np.concatenate([np.float32(frames(n).state) for n in LENGTHS]).astype(float)
    for name in ("min", "max", "mean", "std"):
        assert np.allclose(stats["observation.state"][name], getattr(whole, name)(axis=0))
    assert stats["observation.state"]["count"] == [47]
    first = row_of(dataset, 0)
    values = np.float32(frames(30).state).astype(float)
    assert np.allclose(first["stats/observation.state/q10"], np.quantile(values, 0.1, axis=0))


def test_an_opened_dataset_is_extended(dataset: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in (dataset / "data").rglob("*.parquet")}
    again = opened(dataset)
    assert (again.episodes, again.frames) == (2, 47)
    again.add(frames(5), "lay a cable")
    at_once = opened(tmp_path / "other")
    for length, task in ((30, "lay a cable"), (17, "tie a knot"), (5, "lay a cable")):
        at_once.add(frames(length), task)
    files = sorted(path.relative_to(dataset) for path in dataset.rglob("*") if path.is_file())
    assert len(files) == 3 + 3 + 3
    for file in files:
        assert (dataset / file).read_bytes() == (tmp_path / "other" / file).read_bytes(), file
    assert all(path.read_bytes() == content for path, content in before.items())


@pytest.mark.parametrize("name", ("write_text", "_write"))
def test_what_a_stopped_recorder_leaves_does_not_count(
    dataset: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops at the last file of a kind; then the dataset is as before."""
    told = info_of(dataset)
    write, written = getattr(recorder, name), []

    def stop(path: Path, content: object) -> None:
        written.append(path)
        if len(written) == (2 if name == "write_text" else 3):
            raise KeyboardInterrupt
        write(path, content)

    monkeypatch.setattr(recorder, name, stop)
    stopped = opened(dataset)
    with pytest.raises(KeyboardInterrupt):
        stopped.add(frames(9), "another task")
    monkeypatch.undo()
    assert info_of(dataset) == told
    assert (dataset / "data/chunk-000/file-002.parquet").exists()
    (dataset / "data/chunk-000/.77.file-002.parquet").touch()  # of a writer that was killed
    again = opened(dataset)
    assert len(list((dataset / "data/chunk-000").iterdir())) == 2
    again.add(frames(4), "tie a knot")
    assert json.loads((dataset / "meta/stats.json").read_text())["index"]["max"] == [50]
    assert info_of(dataset)["total_tasks"] == 2


def test_a_recorder_that_stops_at_once_leaves_a_dataset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(path: Path, content: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(recorder, "_write", stop)
    with pytest.raises(KeyboardInterrupt):
        opened(tmp_path).add(frames(9), "lay a cable")
    monkeypatch.undo()
    opened(tmp_path).add(frames(4), "tie a knot")
    assert info_of(tmp_path)["total_frames"] == 4 and opened(tmp_path).episodes == 1


def test_other_folders_are_refused(dataset: Path, tmp_path: Path) -> None:
    allowed = "allowed: an empty or new folder, or a dataset that was recorded the same way"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(StrandError, match=f"folder: got '.*mine', {allowed}.*FileNotFound"):
        opened(tmp_path / "mine")
    assert (tmp_path / "mine" / "notes.txt").read_text() == "mine"
    with pytest.raises(StrandError, match="another fps, features"):
        opened(dataset, fps=25, pictures=True)
    with pytest.raises(StrandError, match="another robot_type"):
        opened(dataset, robot="arm")
    with pytest.raises(StrandError, match="a directory to write to"):
        opened(tmp_path / "mine" / "notes.txt")


def test_damaged_datasets_are_refused(dataset: Path) -> None:
    info, data = dataset / "meta/info.json", dataset / "data/chunk-000/file-001.parquet"
    good = info.read_text(), data.read_bytes()
    info.write_text(good[0].replace('"v3.0"', '"v2.1"'))
    with pytest.raises(StrandError, match="another codebase_version"):
        opened(dataset)
    for broken in (good[0][:-40], '{"total_episodes": 2}', "[]"):
        info.write_text(broken)
        with pytest.raises(StrandError, match="folder: got"):
            opened(dataset)
    info.write_text(good[0])
    data.write_bytes(good[1][:100])
    with pytest.raises(StrandError, match="ArrowInvalid"):
        opened(dataset)
    data.write_bytes((dataset / "data/chunk-000/file-000.parquet").read_bytes())
    with pytest.raises(StrandError, match="episode 1 has 30 frames, not 17"):
        opened(dataset)
    data.unlink()
    with pytest.raises(StrandError, match="FileNotFoundError"):
        opened(dataset)


def test_bad_frames_write_nothing(tmp_path: Path) -> None:
    made, good = opened(tmp_path / "data"), frames(3)
    bad = {
        "state": (np.zeros((3, 2)), r"state: got shape \(3, 2\), allowed: \(3, 3\)"),
        "action": (np.full((3, 1), np.nan), "action: got numbers that are not finite"),
        "reward": (np.zeros(4), r"reward: got shape \(4,\), allowed: \(3,\)"),
        "pictures": ([np.zeros((16, 32, 3), np.uint8)], "pictures: got 1, allowed: 0"),
    }
    for name, (value, words) in bad.items():
        with pytest.raises(StrandError, match=words):
            made.add(Frames(**vars(good) | {name: value}), "lay a cable")
    with pytest.raises(StrandError, match="frames: got none"):
        made.add(frames(0), "lay a cable")
    assert not list((tmp_path / "data").iterdir())


def test_pictures_become_films(tmp_path: Path) -> None:
    made = opened(tmp_path / "data", pictures=True)
    made.add(frames(30, pictures=True), "lay a cable")
    feature = info_of(tmp_path / "data")["features"]["observation.images.scene"]
    assert feature["dtype"] == "video" and feature["shape"] == [16, 32, 3]
    path = tmp_path / "data/videos/observation.images.scene/chunk-000/file-000.mp4"
    read = imageio_ffmpeg.read_frames(str(path))
    known = next(read)
    assert known["fps"] == FPS and known["size"] == SIZE
    shades = [np.frombuffer(each, np.uint8).mean() for each in read]
    assert len(shades) == 30
    assert np.abs(shades - np.linspace(0, 250, 30)).max() < 8  # H.264 loses some
    stats = json.loads((tmp_path / "data/meta/stats.json").read_text())["observation.images.scene"]
    assert np.shape(stats["mean"]) == (3, 1, 1) and stats["max"][0] == [[250 / 255]]
    row = row_of(tmp_path / "data", 0)
    assert row["videos/observation.images.scene/to_timestamp"] == 30 / FPS
    path.unlink()
    with pytest.raises(StrandError, match="FileNotFoundError"):
        opened(tmp_path / "data", pictures=True)


def test_statistics_of_large_pictures_come_from_some_pixels() -> None:
    shades = np.random.default_rng(0).integers(0, 255, (400, 300, 200, 3), dtype=np.uint8)
    found = dataset_stats.of_pictures(list(shades))
    assert found["count"] == [100]
    assert found["mean"].ravel() == pytest.approx([0.498] * 3, abs=2e-3)


@needs_discrete
@pytest.mark.slow
def test_the_command_records_and_extends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        words = ["learn", "record", "plug", "out", "--episodes", "1", "--policy", "idle"]
        done = CliRunner().invoke(app, [*words, "--json", "out.json"])
        assert done.exit_code == 0, (done.output, done.exception)
    info = info_of(tmp_path / "out")
    assert (info["total_episodes"], info["total_frames"], info["fps"]) == (2, 900, 50)
    row = data_of(tmp_path / "out", 0)
    assert len(row["observation.state"][0]) == len(info["features"]["observation.state"]["names"])
    assert np.allclose(row["action"], 0) and not any(row["next.success"])
    assert json.loads(Path("out.json").read_text())["results"][0]["recorded"]
    lay = CliRunner().invoke(app, ["learn", "record", "lay", "out", "--episodes", "1"])
    assert "another features, robot_type" in str(lay.exception)
