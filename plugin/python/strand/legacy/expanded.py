"""Chains of explicit bodies with the old plugin, as MuJoCo 3 saved its composites."""

import dataclasses
import itertools
from typing import TYPE_CHECKING

import numpy as np

from strand.legacy.composite import PLUGIN
from strand.legacy.elasticity import (
    Moduli,
    Section,
    describe,
    lost_moduli,
    rod_keys,
)
from strand.legacy.tree import Tree
from strand.legacy.xml_source import Edits, Element

if TYPE_CHECKING:
    import mujoco

_MARK = "strand_legacy_link_"


@dataclasses.dataclass
class _Link:
    body: Element
    plugin: Element
    section: Section | None = None
    length: float = 0.0  #: m, to the origin of the next link; of the last link: of its geom


class ExpandedChains:
    """The chains of explicit bodies in a model, each a list of links of one instance."""

    def __init__(self, tree: Tree, declared: set[str]) -> None:
        self.tree, self.declared = tree, declared
        self.links: list[_Link] = []
        self._alone: list[Element] = []  # plugins of single bodies, which name no instance
        for plugin in tree.all("plugin"):
            body = tree.parent(plugin)
            old = plugin.get("plugin") == PLUGIN or plugin.get("instance") in declared
            if body is None or body.tag != "body" or not old:
                continue
            if not plugin.get("instance"):
                self._alone.append(plugin)
            elif plugin.get("instance") not in declared:
                allowed = "an instance declared in <extension>"
                plugin.reject("instance", repr(plugin.get("instance")), allowed)
            self.links.append(_Link(body, plugin))
        self.chains = self._chains()

    def _chains(self) -> list[list[_Link]]:
        """Groups links of one instance, each the child of the previous one, in file order."""
        chains: list[list[_Link]] = []
        chain_of: dict[tuple[Element, str], list[_Link]] = {}
        for link in self.links:
            if link.plugin in self._alone:
                continue
            instance = link.plugin.get("instance")
            parent = next((e for e in self.tree.ancestors(link.body) if e.tag == "body"), None)
            chain = chain_of.get((parent, instance)) if parent else None
            if chain is None:
                chain = []
                chains.append(chain)
            chain.append(link)
            chain_of[link.body, instance] = chain
        return chains

    def measure(self, bare: Edits, lost: list[str]) -> None:
        """Compiles the model without elasticity and reads sections and lengths of the links."""
        import mujoco

        for index, link in enumerate(self.links):
            bare.replace_element(link.plugin, f'<site name="{_MARK}{index}"/>')
        try:
            model = self.tree.compile(bare)
        except ValueError as error:
            reason = " ".join(str(error).split())
            lost.append(
                f"{self.tree.main.path}: exact stiffness of links whose sections or lengths differ:"
                f" the model does not load without elasticity either ({reason})"
            )
            return
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        bodies = {
            id(link): model.site_bodyid[model.site(f"{_MARK}{index}").id]
            for index, link in enumerate(self.links)
        }
        for chain in self.chains:
            for link in chain:
                link.section, link.length = _first_geom(model, bodies[id(link)])
            for link, following in itertools.pairwise(chain):
                gap = data.xpos[bodies[id(following)]] - data.xpos[bodies[id(link)]]
                link.length = float(np.linalg.norm(gap))

    def convert(
        self,
        edits: Edits,
        moduli: dict[str, Moduli],
        instances: dict[str, dict[str, str]],
        lost: list[str],
    ) -> list[str]:
        """Replaces the plugins by instances of strand.cable. Returns what was converted."""
        did = []
        for plugin in self._alone:
            edits.remove(plugin)
            lost.append(f"{plugin.where()}: elasticity without effect: of a single body")
        for chain in self.chains:
            old = chain[0].plugin.get("instance")
            where = chain[0].plugin.where()
            keys = _keys(moduli[old], chain)
            if not keys:
                for link in chain:
                    edits.remove(link.plugin)
                why = "it has a single link" if len(chain) < 2 else "it has no stiffness"
                lost.append(f"{where}: elasticity without effect: {why}")
                continue
            name, count = old, 1
            while name in instances:
                count += 1
                name = f"{old}_{count}"
            if name != old:
                lost.append(f"{where}: instance {old!r} for several cables: this one has {name!r}")
            instances[name] = keys
            for link in chain:
                text = f'<plugin plugin="strand.cable" instance="{name}"/>'
                edits.replace_element(link.plugin, text)
            lost += lost_moduli(where, moduli[old])
            did.append(
                f"{where}: chain of {len(chain)} bodies with {PLUGIN}: strand.cable {name!r}: "
                f"{describe(keys)}"
            )
        return did


def _first_geom(model: "mujoco.MjModel", body: int) -> tuple[Section, float]:
    """Section and length of a body from its first geom, as in the old plugin."""
    import mujoco

    if model.body_geomnum[body] == 0:
        return Section(), 0.0
    geom = model.body_geomadr[body]
    size = [float(s) for s in model.geom_size[geom]]
    kind = mujoco.mjtGeom(int(model.geom_type[geom]))
    if kind in (mujoco.mjtGeom.mjGEOM_CAPSULE, mujoco.mjtGeom.mjGEOM_CYLINDER):
        return Section(radius=size[0]), 2 * size[1]
    if kind == mujoco.mjtGeom.mjGEOM_BOX:
        return Section(half_sizes=(size[1], size[2])), 2 * size[0]
    return Section(), 0.0


def _keys(moduli: Moduli, chain: list[_Link]) -> dict[str, str]:
    if len(chain) < 2 or not moduli.rigid:
        return {}
    sections = [link.section for link in chain if link.section is not None]
    if not sections:  # not measured: assumes equal links
        like = Section(radius=1.0)
        return rod_keys(moduli, [like] * len(chain), [1.0] * len(chain))
    lengths = [link.length for link in chain]
    if not lengths[-1]:
        lengths[-1] = lengths[-2]
    return rod_keys(moduli, sections, lengths)
