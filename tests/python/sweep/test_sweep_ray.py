"""Sweeps on a Ray cluster."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sweep_cases import of_function, write

from strand import StrandError, sweep

SPEC = of_function("sometimes", "[parameters.x]\ngrid = [0, 1, 2, 3, 6, 8, 9]\n")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a cluster of two nodes with one core each."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes.add_node(num_cpus=1)
    yield nodes.address
    nodes.shutdown()


@pytest.mark.slow
def test_a_cluster_gives_what_this_machine_gives(cluster: str, tmp_path: Path) -> None:
    spec = write(tmp_path, SPEC)
    there = sweep.run(spec, ray=cluster, journal=tmp_path / "j")
    here = sweep.run(spec, workers=2)
    for name, column in here.table.items():
        assert there.table[name].tobytes() == column.tobytes()
    kinds = [(each.index, each.kind) for each in here.failures]
    assert [(each.index, each.kind) for each in there.failures] == kinds
    assert {kind for _, kind in kinds} == {"exception", "nan", "killed"}
    # The journal is independent of where points were run.
    again = sweep.run(spec, workers=2, journal=tmp_path / "j")
    assert again.recorded == 7


@pytest.mark.slow
def test_both_nodes_work(cluster: str, tmp_path: Path) -> None:
    import ray

    code = "import time, ray\ndef node(x):\n    time.sleep(0.2)\n"
    code += "    return {'node': int(ray.get_runtime_context().get_node_id()[:8], 16)}\n"
    spec = write(tmp_path, of_function("node", "[parameters.x]\ngrid = [1, 2, 3, 4, 5, 6]\n"))
    (tmp_path / "functions.py").write_text(code)
    assert len(set(sweep.run(spec, ray=cluster).table["node"])) == 2
    assert not ray.is_initialized()


def test_without_ray_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    spec = write(tmp_path, SPEC)
    with pytest.raises(StrandError, match=r"ray: got 'auto', .*pip install 'strand\[ray\]'"):
        sweep.run(spec, ray="auto")


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "no.such.host:6379"])
def test_a_cluster_that_does_not_exist_is_refused(address: str, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with pytest.raises(StrandError, match=f"ray: got '{address}', allowed: the address of a runni"):
        sweep.run(write(tmp_path, SPEC), ray=address)
