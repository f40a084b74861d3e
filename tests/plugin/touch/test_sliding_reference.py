"""Contacts that slide: the normal acceleration that MuJoCo aims at is lowered by what associated
friction would add, and nothing else changes.
"""

import mujoco
import numpy as np
import pytest
from support.touch import FLOOR, INTEGRATORS, RUBBER, scene, start, steps

import strand
from strand.mujoco_versions import is_discrete

ELLIPTIC = mujoco.mjtCone.mjCONE_ELLIPTIC


def sliding(integrator: str, option: str, speed: float, **contact: object) -> tuple:
    """A model, and its state, with a cable on the floor whose links slide and spin."""
    spec = scene(integrator, 0.001, FLOOR, option=option)
    rope = strand.Cable(strand.straight(0.5, 10), radius=0.004, **RUBBER, **contact)
    strand.attach(spec, rope, pos=(0, 0, 0.00399))
    model, data = start(spec)
    for _ in steps(model, 0.02):
        mujoco.mj_step(model, data)
    random = np.random.default_rng(1)
    for address in model.jnt_dofadr[model.jnt_type == mujoco.mjtJoint.mjJNT_FREE]:
        data.qvel[address : address + 2] = speed * random.normal(size=2)
    data.qvel += 0.02 * speed * random.normal(size=model.nv)
    steady(model, data)[:] = speed * random.normal(size=3)  # m/s^2
    mujoco.mj_forward(model, data)
    return model, data


def steady(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Steady acceleration (m/s^2) of each link, a view of the plugin's state."""
    first, size = model.plugin_stateadr[0], model.plugin_statenum[0]
    joints = (size - 4) // 9  # twist; motion, 6 numbers; change of the material, 2 and 4 more
    end = first + size - 2 * joints - 4
    return data.plugin_state[end - 6 * joints : end].reshape(joints, 6)[:, 3:]


def rows(model: mujoco.MjModel, data: mujoco.MjData, joints: np.ndarray) -> np.ndarray:
    product = np.zeros(data.nefc)
    mujoco.mj_mulJacVec(model, data, product, joints)
    return product


def impedance(solimp: np.ndarray, depth: float) -> float:
    first, last, width, middle, power = solimp
    x = min(depth / width, 1)
    if x <= middle:
        return first + (last - first) * x**power / middle ** (power - 1)
    return first + (last - first) * (1 - (1 - x) ** power / (1 - middle) ** (power - 1))


def check_contact(model: mujoco.MjModel, data: mujoco.MjData, contact: object) -> bool:
    """True if the contact slides."""
    count, row = contact.dim - 1, contact.efc_address
    elliptic = model.opt.cone == ELLIPTIC
    edges = slice(row, row + (1 if elliptic else 2 * count))
    velocity, acceleration = (rows(model, data, v) for v in (data.qvel, data.qacc_warmstart))

    def split(values: np.ndarray) -> tuple[float, np.ndarray]:
        """Along the normal; along the surface, times friction."""
        if elliptic:
            return values[row], contact.friction[:count] * values[row + 1 : row + 1 + count]
        plus, minus = values[edges][::2], values[edges][1::2]
        return (plus[0] + minus[0]) / 2, (plus - minus) / 2

    def size(along: np.ndarray) -> float:
        return np.linalg.norm(along) if elliptic else np.abs(along).max()

    (speed, slip), (lifting, change) = split(velocity), split(acceleration)
    link = int(model.body(model.geom_bodyid[contact.geom[1]]).name.removeprefix("cable_link"))
    known = np.zeros(count)
    tangents = np.reshape(contact.frame, (3, 3))[1:]
    known[:2] = contact.friction[:2] * (tangents @ steady(model, data)[link])
    stiffness, damping, d, _ = data.efc_KBIP[row]
    solimp = model.geom_solimp[contact.geom[1]]
    assert d == pytest.approx(impedance(solimp, -contact.dist), rel=1e-12)
    step = model.opt.timestep if is_discrete(model.opt) else 0
    implicit = 1 + step * (damping + step * stiffness * d)

    def reference(along: np.ndarray | float) -> np.ndarray | float:
        depth = contact.dist + step * along
        return -(damping * along + stiffness * d * depth) / implicit

    g = contact.friction[0] ** 2 / model.opt.impratio if elliptic else 1
    pressing = max(reference(speed), reference(speed) - lifting, 0)
    sliding = size(damping / (1 + step * damping) * slip + known)
    parting = max(0, sliding - 2 * size(change - known) - g * pressing)
    expected = reference(velocity[edges]) - parting
    assert data.efc_aref[edges] == pytest.approx(expected, rel=1e-9, abs=1e-9)
    return parting > 0


@pytest.mark.parametrize("integrator", [*INTEGRATORS, "Euler", "RK4"])
@pytest.mark.parametrize("option", ["", 'cone="elliptic"', 'cone="elliptic" impratio="20"'])
@pytest.mark.parametrize(
    "contact",
    [{}, {"condim": 6}, {"contact_solref": (-2e4, -200)}, {"contact_solimp": (0.9, 0.95, 1e-3)}],
    ids=["default", "condim", "solref", "solimp"],
)
def test_the_reference_is_lowered(integrator: str, option: str, contact: dict) -> None:
    model, data = sliding(integrator, option, 1.0, **contact)
    assert data.ncon > 0
    assert all([check_contact(model, data, c) for c in data.contact])
    before = data.efc_aref.copy()
    mujoco.mj_forwardSkip(model, data, mujoco.mjtStage.mjSTAGE_POS, 1)
    assert data.efc_aref == pytest.approx(before, rel=1e-12)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_contacts_that_stick_are_left(integrator: str) -> None:
    model, data = sliding(integrator, 'cone="elliptic"', 1e-9)
    assert not any([check_contact(model, data, c) for c in data.contact])
    first = [c.efc_address for c in data.contact]
    assert (data.efc_pos[first] == data.contact.dist).all()


def test_old_cables_keep_the_contacts_of_mujoco() -> None:
    """The torque law of MuJoCo 3 is for models that are to move as they did."""
    config = "".join(
        f'<config key="{key}" value="{value}"/>'
        for key, value in {"law": "mujoco_3", "EI": "0.01", "GJ": "0.01"}.items()
    )
    link = """<body pos=".02 0 0"><joint type="ball"/><plugin instance="cable"/>
      <geom type="capsule" fromto="0 0 0 .02 0 0" size=".004"/>{}</body>"""
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
      <extension><plugin plugin="strand.cable"><instance name="cable">{config}</instance></plugin>
      </extension>
      <worldbody>{FLOOR}<body pos="0 0 .0039"><freejoint/><plugin instance="cable"/>
      <geom type="capsule" fromto="0 0 0 .02 0 0" size=".004"/>{link.format(link.format(""))}
      </body></worldbody></mujoco>""")
    data = mujoco.MjData(model)
    data.qvel[0] = 1
    mujoco.mj_forward(model, data)
    first = [c.efc_address for c in data.contact]
    assert len(first) > 3
    assert (data.efc_pos[first] == data.contact.dist).all()
