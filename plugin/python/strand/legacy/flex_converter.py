"""Converts a model with old cables to one with 1D flexes of MuJoCo 4, without a plugin."""

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from strand.errors import StrandError
from strand.flex import mjcf
from strand.flex.check import NEEDED, supported
from strand.legacy import flex_cable
from strand.legacy.bodies import Expansion, geom_attributes, number, tag, vector
from strand.legacy.composite import PLUGIN
from strand.legacy.converter import Conversion, Converter, marks, section
from strand.legacy.elasticity import Moduli
from strand.legacy.expanded import ExpandedChains
from strand.legacy.flex_cable import FlexCable
from strand.legacy.flex_references import References
from strand.legacy.tree import Tree
from strand.legacy.xml_source import Edits, Element

if TYPE_CHECKING:
    import mujoco

_WITH = "(with the flex backend)"
_DAMPING = (
    "damping: a flex damps the bending of its joints, but not the rotation of the plane in which "
    "they bend, so that sagging cables swing sideways for longer; twisting is damped GJ / EI times "
    "as much as bending"
)


class FlexConverter(Converter):
    """Converts cables to flexes, and everything else as the base class does."""

    def __init__(self, tree: Tree, folder: str | None, child_prefix: str, law: str) -> None:
        if law != "strand":
            tree.main.root.reject("law", repr(law), f"strand {_WITH}")
        if not supported():
            import mujoco

            found = mujoco.mj_versionString()
            tree.main.root.reject("backend", f"flex with MuJoCo {found}", NEEDED)
        super().__init__(tree, folder, child_prefix, law)

    def convert(self) -> Conversion:
        children = self._children()
        self._ropes()
        declared = self._declared()
        self._reject_chains(set(declared))
        cables = self._cables()
        self._names(cables)
        moduli = [self._material(expansion, declared) for expansion in cables]
        plugins = [e.cable.plugin for e in cables if e.cable.plugin]
        self._report_unused(declared, {plugin.get("instance") for plugin in plugins})
        if cables:
            self._reject_model(cables)
            flexes = self._flexes(cables, moduli)
            for flexed, material in zip(flexes, moduli, strict=True):
                self._write_flex(flexed, material)
            self._sections_of(flexes)
            self._options()
            self.lost.append(f"{self.tree.main.path}: {_DAMPING}")
        conversion = self._finished(children)
        if cables:
            self._loads()
        return conversion

    def _children(self) -> dict[str, bytes]:
        """Rejects attached models that have cables: twist joints are in a model's world, which
        is not attached."""
        for element in self.tree.all("model"):
            path = self.tree.folder / element.get("file")
            if (
                path.suffix == ".xml"
                and path.is_file()
                and Converter(Tree(path), None, "", "strand").convert().changed
            ):
                allowed = f"models without old cables {_WITH}: move the cable into this model"
                element.reject("attached model", repr(element.get("file")), allowed)
        return {}

    def _reject_chains(self, declared: set[str]) -> None:
        for link in ExpandedChains(self.tree, declared).links:
            link.plugin.reject("explicit bodies", PLUGIN, f"<composite> {_WITH}")

    def _names(self, cables: list[Expansion]) -> None:
        taken: set[str] = set()
        for expansion in cables:
            cable, count = expansion.cable, 1
            prefix = cable.prefix
            while prefix in taken:
                count += 1
                prefix = f"{cable.prefix}{count}_"
            taken.add(prefix)
            if prefix != cable.prefix:
                self.lost.append(
                    f"{cable.element.where()}: another cable has the prefix {cable.prefix!r}, and "
                    f"MuJoCo 3 left this one without names: its names now start with {prefix!r}"
                )
                expansion.cable = dataclasses.replace(cable, prefix=prefix)

    def _material(self, expansion: Expansion, declared: dict[str, Element]) -> Moduli:
        flex_cable.check(expansion.cable)
        plugin = expansion.cable.plugin
        return Moduli() if plugin is None else self._moduli(plugin, declared)

    def _reject_model(self, cables: list[Expansion]) -> None:
        """Rejects what the bodies or contacts of flexes do not support."""
        for expansion in cables:
            for element in self.tree.ancestors(expansion.cable.element):
                if element.tag == "replicate":
                    allowed = f"no cable {_WITH}: a flex cannot be replicated"
                    element.reject("replicate", "a cable", allowed)
                if element.get("mocap") == "true":
                    allowed = f"false {_WITH}: MuJoCo supports no elastic flex on a mocap body; "
                    element.reject("mocap", "'true'", f"{allowed}weld a body with the cable to one")
        for element, name, allowed in _unfit(self.tree):
            element.reject(name, repr(element.get(name)), f"{allowed} {_WITH}")

    def _flexes(self, cables: list[Expansion], moduli: list[Moduli]) -> list[FlexCable]:
        import mujoco

        references = References(self.tree, cables)
        references.check(self.lost)
        # Every link as a separate body without joints: MuJoCo computes its mass and pose.
        apart = self.edits.copy()
        unnamed = self._unnamed_carriers(cables)
        for name, body in unnamed.items():
            apart.set_attribute(body, "name", name)
        for expansion in cables:
            self._write_apart(apart, expansion)
        self._declare(apart, {})
        model = self._compiled(apart, "the model does not load without elasticity either")
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        flexes = [
            flex_cable.make(expansion, material, self.defaults, model, data)
            for expansion, material in zip(cables, moduli, strict=True)
        ]
        holders = {body for flexed in flexes for body, _ in flexed.layout.vertices}
        for name in holders & unnamed.keys():
            self.edits.set_attribute(unnamed[name], "name", name)
            self.did.append(f"{unnamed[name].where()}: body without a name: {name!r}")
        for element in references.excluded:
            self.edits.remove(element)
        soft = self.defaults.sets("equality", "solref")
        references.connect(self.edits, flexes, model, data, soft, self.did)
        return flexes

    def _compiled(self, edits: Edits, reason: str) -> "mujoco.MjModel":
        try:
            return self.tree.compile(edits)
        except ValueError as error:
            words = " ".join(str(error).split())
            raise StrandError(f"{self.tree.main.path}: {reason}: {words}") from None

    def _unnamed_carriers(self, cables: list[Expansion]) -> dict[str, Element]:
        """Unnamed bodies that carry cables, by the names that they get."""
        named: dict[Element, str] = {}
        for expansion in cables:
            ancestors = self.tree.ancestors(expansion.cable.element)
            body = next((e for e in ancestors if e.tag == "body"), None)
            if body and not body.get("name"):
                named.setdefault(body, f"{expansion.cable.prefix}carrier")
        return {name: body for body, name in named.items()}

    def _write_apart(self, edits: Edits, expansion: Expansion) -> None:
        cable = expansion.cable
        _, in_class = self._place(cable.element)
        shared = {"quat": vector(expansion.links[0].quat)}
        if in_class:
            shared["childclass"] = "main"
        lines = []
        for k, link in enumerate(expansion.links):
            pos = vector(cable.vertices[k] + cable.offset)
            geom = tag("geom", geom_attributes(cable, link.length, self.defaults))
            body = tag("body", {"name": cable.link_name("B", k), "pos": pos} | shared, ">")
            ends = {0: ("first", 0.0), cable.links - 1: ("last", link.length)}
            site = ""
            if k in ends:
                end, x = ends[k]
                place = {"name": f"{cable.prefix}S_{end}", "pos": vector((x, 0, 0))}
                site = tag("site", place)
            lines.append(f"{body}{geom}{site}</body>")
        edits.replace_element(cable.element, "".join(lines))

    def _write_flex(self, flexed: FlexCable, moduli: Moduli) -> None:
        element = flexed.expansion.cable.element
        indent, in_class = self._place(element)
        bodies = mjcf.node_bodies(flexed.layout, flexed.rod)
        for body in bodies if in_class else ():
            body.set("childclass", "main")
        text = "\n".join(self._text(body, indent) for body in bodies)
        self._replace(self.edits, element, text[len(indent) :])
        rod = flexed.rod
        self._report_cable(
            flexed.expansion,
            f"flex {flexed.layout.name!r}: EI {rod.EI:.6g} N m^2, GJ {rod.GJ:.6g} N m^2, "
            f"loss time {rod.loss_time:.3g} s; {flexed.end_body!r} is the body of the last node",
        )
        prefix = flexed.expansion.cable.prefix
        self.lost.append(
            f"{element.where()}: joints {prefix}J_*, geoms {prefix}G*, and orientations: nodes "
            "slide and do not turn, so that qpos has three numbers per node and one per link"
        )
        self.lost += flex_cable.losses(flexed, moduli)

    def _text(self, element: ElementTree.Element, indent: str) -> str:
        """An element as text, with explicit values of what the model's defaults would change."""
        for part in element.iter():
            kind = "equality" if part.get("flex") else part.tag
            if kind in ("joint", "site", "equality"):
                written = self.defaults.complete(kind, dict(part.attrib))
                part.attrib.clear()
                part.attrib.update(written)
        ElementTree.indent(element)
        lines = ElementTree.tostring(element, encoding="unicode").splitlines()
        return "\n".join(indent + line.replace(" />", "/>") for line in lines)

    def _sections_of(self, flexes: list[FlexCable]) -> None:
        """Adds the sections of cables outside the bodies that carry them."""
        twists, deformables, equalities = [], [], []
        for flexed in flexes:
            layout, rod, geom = flexed.layout, flexed.rod, flexed.expansion.cable.geom
            look = {name: geom[name] for name in flex_cable.LOOK if name in geom}
            contact = {name: geom[name] for name in flex_cable.CONTACT if name in geom}
            twists += mjcf.twist_bodies(layout)
            deformables.append(mjcf.flex(layout, rod, look, contact))
            equalities.append(mjcf.edges_kept(layout, rod))
        text = section("custom", marks([flexed.expansion for flexed in flexes]))
        for name, elements in (
            ("worldbody", twists),
            ("deformable", deformables),
            ("equality", equalities),
        ):
            lines = [line for e in elements for line in self._text(e, "").split("\n")]
            text += section(name, lines)
        self._append(self.edits, text)

    def _options(self) -> None:
        """Sets the integrator that flexes need, a solver that it supports, and a tolerance."""
        options = self.tree.top("option")
        written = {name: text for option in options for name, text in option.attributes.items()}
        wanted = {"integrator": mjcf.INTEGRATOR}
        if "tolerance" not in written:
            wanted["tolerance"] = number(mjcf.TOLERANCE)
        if written.get("solver") == "PGS":
            wanted["solver"] = "Newton"
        if int(written.get("noslip_iterations", "0")):
            wanted["noslip_iterations"] = "0"
        changes = [f"{k} {v}" + (f" (was {written[k]})" if k in written else "")
                   for k, v in wanted.items()]  # fmt: skip
        self.did.append(f"{self.tree.main.path}: option: {', '.join(changes)}")
        for option in options:
            for name in option.attributes.keys() & wanted.keys():
                self.edits.set_attribute(option, name, wanted[name])
        missing = {name: text for name, text in wanted.items() if name not in written}
        if options:
            for name, text in missing.items():
                self.edits.set_attribute(options[0], name, text)
        else:
            main = self.tree.main
            text = f"\n  {tag('option', missing)}"
            self.edits.replace(main, main.root.inside, main.root.inside, text)

    def _loads(self) -> None:
        """Checks that MuJoCo loads the model, and reports what the cables touch at the start."""
        import mujoco

        model = self._compiled(self.edits, "the converted one does not load")
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        for contact in data.contact:
            geom, flexed = max(contact.geom), max(contact.flex)
            if flexed < 0 or geom < 0 or contact.exclude or contact.dist >= 0:
                continue
            name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_FLEX, flexed)
            self.lost.append(
                f"{self.tree.main.path}: flex {name!r} touches geom "
                f"{model.geom(geom).name or geom!r} at the start; contacts of a flex can be "
                "excluded by contype and conaffinity only"
            )


def _unfit(tree: Tree) -> Iterator[tuple[Element, str, str]]:
    """Attributes of the model that flexes do not support, and the allowed values."""
    for compiler in tree.top("compiler"):
        if compiler.get("inertiafromgeom") == "true":
            yield compiler, "inertiafromgeom", "auto or false: nodes have no geoms"
        for name in ("boundmass", "boundinertia"):
            if float(compiler.get(name, "0")) > 0:
                yield compiler, name, "0: the spins of edges have almost no mass"
    for option in tree.top("option"):
        for name in ("density", "viscosity"):
            if float(option.get(name, "0")) > 0:
                yield option, name, "0: no fluid forces act on a flex"
    for flag in tree.all("flag"):
        if flag.get("equality") == "disable":
            yield flag, "equality", "enable: equalities keep the lengths of the flex's edges"
    for key in tree.all("key"):
        for name in ("qpos", "qvel"):
            if key.get(name):
                yield key, name, "none: the order of joints has changed"
