"""Values of links, as their colours show them."""

import mujoco
import numpy as np
import pytest
from support import cables

import strand
from strand import Cable, adapter
from strand.mujoco_versions import HAS_DISCRETE
from strand.readout.link_values import QUANTITIES, body_values


def bent(**changes: object) -> tuple[mujoco.MjModel, mujoco.MjData]:
    given = dict(radius=0.005, young=5e7, poisson=0.4, density=1000, start="fixed") | changes
    nodes = given.pop("nodes", strand.straight(0.5, 20))
    model, data = cables.load(Cable(nodes, **given))
    cables.run(model, data, 0.05)
    return model, data


def test_links_have_the_larger_value_of_their_ends() -> None:
    model, data = bent(pieces="none")
    found, links = strand.profile(model, data), cables.link_bodies(model)
    moment = np.linalg.norm(found.moment, axis=1)  # at the clamp and between links
    pairs = np.column_stack([moment, np.append(moment[1:], 0)]).max(axis=1)
    values = body_values(model, data, "moment")
    np.testing.assert_allclose(values[links], pairs, rtol=1e-12)
    assert np.isnan(np.delete(values, links)).all()
    tension = np.column_stack([found.tension[:-1], found.tension[1:]])
    largest = tension[np.arange(20), np.abs(tension).argmax(axis=1)]
    np.testing.assert_allclose(body_values(model, data, "tension")[links], largest, rtol=1e-9)


def test_compression_is_negative() -> None:
    upright = (np.sqrt(0.5), 0, -np.sqrt(0.5), 0)
    model, data = bent(quat=upright, young=5e9, pieces="none")
    values = body_values(model, data, "tension")[cables.link_bodies(model)]
    weight = 9.81 * model.body_subtreemass[1]
    assert values[0] == pytest.approx(-weight, rel=0.02)
    assert (np.diff(values) > 0).all()


@pytest.mark.parametrize("color", QUANTITIES)
def test_every_link_of_every_kind_of_cable_has_a_value(color: str) -> None:
    ring = {"nodes": strand.ring(0.1, 20), "closed": True, "start": "free"}
    kinds = [{}, {"root": "middle", "start": "free"}, ring]
    for changes in [*kinds, {"pieces": 2}] if HAS_DISCRETE else kinds:
        model, data = bent(**changes)
        values = body_values(model, data, color)
        rod = adapter.load().profile(model._address, data._address, 0)
        assert np.isfinite(values[rod.body]).all()
        np.testing.assert_array_equal(values[rod.body], values[rod.far_body])
        others = np.setdiff1d(np.arange(model.nbody), [*rod.body, *rod.far_body])
        assert np.isnan(values[others]).all()
        assert (values[rod.body] >= 0).all() or color == "tension"


def test_contacts_are_added_up() -> None:
    """A cable that lies on the floor presses on it with its weight."""
    cable = Cable(
        strand.straight(0.5, 10), EI=0.1, GJ=0.1, radius=0.005, pos=(0, 0, 0.005), friction=0.0,
        damping=0.1,
    )  # fmt: skip
    model, data = cables.load(cable, '<geom type="plane" size="1 1 .1"/>')
    cables.run(model, data, 1.0)
    values = body_values(model, data, "contact")
    weight = 9.81 * model.body_subtreemass[0]
    assert np.nansum(values) == pytest.approx(weight, rel=0.02)
