"""The build backend: a wheel's file name lists the MuJoCo versions of its adapters."""

import sys
import zipfile
from pathlib import Path

import pytest
from wheel.wheelfile import WheelFile

sys.path.append(str(Path(__file__).parents[2] / "scripts"))

import strand_backend

PLAIN = "strand-0.1.0-cp311-cp311-any.whl"
WHEEL = "Wheel-Version: 1.0\nGenerator: none\nRoot-Is-Purelib: false\nTag: cp311-cp311-any\n"


@pytest.mark.parametrize(
    ("versions", "name"),
    [
        ([], PLAIN),
        (["4.0.1"], PLAIN.replace("0-cp311", "0-1_mujoco_4.0.1-cp311", 1)),
        (["3.17.0", "3.3.7"], PLAIN.replace("0-cp311", "0-1_mujoco_3.3.7_3.17.0-cp311", 1)),
    ],
)
def test_the_name_lists_the_versions(
    versions: list[str], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(folder: str, settings: dict, metadata: None) -> str:
        assert settings == {"a": "b"}
        with WheelFile(Path(folder, PLAIN), "w") as wheel:
            wheel.writestr("strand-0.1.0.dist-info/WHEEL", WHEEL)
            for version in versions:
                wheel.writestr(f"strand/adapters/libstrand_mujoco_{version}.so", "")
        return PLAIN

    monkeypatch.setattr(strand_backend, "_build_wheel", build)
    assert strand_backend.build_wheel(str(tmp_path), {"a": "b"}) == name
    assert [file.name for file in tmp_path.iterdir()] == [name]
    if versions:
        text = zipfile.ZipFile(tmp_path / name).read("strand-0.1.0.dist-info/WHEEL").decode()
        assert f"Build: {name.split('-')[2]}" in text.splitlines()
