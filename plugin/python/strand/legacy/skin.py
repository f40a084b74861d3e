"""The skin that MuJoCo 3.17 generated around a cable of boxes.

On both sides there is a strip of vertices along both edges of the links (with a subgrid: three
rows, refined). The vertices of each row are bound to the links. Between them a subgrid interpolates
in both directions with cubics through the rows (slopes by central differences, one-sided at the
border).
"""

import numpy as np

from strand.legacy.bodies import number, tag, vector
from strand.legacy.composite import LegacyCable


def skin_text(cable: LegacyCable, indent: str) -> str:
    """The element <skin>."""
    sub = cable.skin_subgrid
    columns, rows = len(cable.vertices), 3 if sub else 2
    along, across = _refined(columns, sub), _refined(rows, sub)
    shape = (len(along), len(across))
    attributes = {"name": f"{cable.prefix}Skin"}
    if cable.skin.get("material"):
        attributes["material"] = cable.skin["material"]
    attributes |= {
        "rgba": cable.skin.get("rgba", "1 1 1 1"),
        "inflate": number(2 * cable.size[2]),
        "group": cable.skin.get("group", "0"),
        "vertex": vector(np.zeros(2 * 3 * shape[0] * shape[1])),
    }
    if cable.skin.get("texcoord") == "true":
        attributes["texcoord"] = vector(_texture(shape))
    attributes["face"] = " ".join(str(index) for face in _faces(shape) for index in face)
    lines = [indent + tag("skin", attributes, ">")]
    for column in range(columns):
        for row in range(rows):
            weights = np.outer(along[:, column], across[:, row]).ravel()
            lines.append(f"{indent}  {_bone(cable, column, row, rows, weights)}")
    return "\n".join([*lines, f"{indent}</skin>"])


def _bone(cable: LegacyCable, column: int, row: int, rows: int, weights: np.ndarray) -> str:
    """The bone at the corner of a row on a link, to which vertices of both sides are bound."""
    last = cable.links - 1
    side = 2 * row / (rows - 1) - 1
    x = -2 * cable.size[0] if column > last else 0.0
    of = np.flatnonzero(weights)
    both = np.concatenate([of, of + len(weights)])
    return tag(
        "bone",
        {
            "body": cable.link_name("B", min(column, last)),
            "bindpos": vector((x, side * cable.size[1], 0)),
            "bindquat": "1 0 0 0",
            "vertid": " ".join(map(str, both)),
            "vertweight": vector(weights[both % len(weights)].astype(np.float32)),
        },
    )


def _refined(points: int, sub: int) -> np.ndarray:
    """Interpolation weights (refined points, points) for `sub` more points between each two."""
    if not sub:
        return np.eye(points)
    slope = np.zeros((points, points))
    for i in range(points):
        before, after = max(i - 1, 0), min(i + 1, points - 1)
        slope[i, after] += 1 / (after - before)
        slope[i, before] -= 1 / (after - before)
    value = np.eye(points)
    rows = []
    for i in range(points - 1):
        for k in range(sub + 1 + (i == points - 2)):
            t = k / (sub + 1)
            rows.append(
                (1 - 3 * t**2 + 2 * t**3) * value[i]
                + (3 * t**2 - 2 * t**3) * value[i + 1]
                + (t - 2 * t**2 + t**3) * slope[i]
                + (t**3 - t**2) * slope[i + 1]
            )
    weights = np.array(rows)
    weights[np.abs(weights) < 1e-12] = 0
    return weights


def _texture(shape: tuple[int, int]) -> np.ndarray:
    u, v = np.meshgrid(*(np.float32(np.arange(n) / (n - 1)) for n in shape), indexing="ij")
    return np.tile(np.column_stack([u.ravel(), v.ravel()]), (2, 1)).ravel()


def _faces(shape: tuple[int, int]) -> list[tuple[int, int, int]]:
    """Triangles of the two sides and of the four walls between them."""
    index = np.arange(2 * shape[0] * shape[1]).reshape(2, *shape)
    faces: list[tuple[int, int, int]] = []
    for side in range(2):
        grid = index[side]
        for i in range(shape[0] - 1):
            for j in range(shape[1] - 1):
                a, b, c, d = grid[i, j], grid[i + 1, j], grid[i + 1, j + 1], grid[i, j + 1]
                faces += [(a, b, c), (a, c, d)] if side == 0 else [(a, c, b), (a, d, c)]
    top, bottom = index
    for edge, outward in (
        ((top[:, 0], bottom[:, 0]), True),
        ((top[:, -1], bottom[:, -1]), False),
        ((top[0], bottom[0]), False),
        ((top[-1], bottom[-1]), True),
    ):
        upper, lower = edge
        for i in range(len(upper) - 1):
            a, b, c, d = upper[i], upper[i + 1], lower[i + 1], lower[i]
            faces += [(a, c, b), (a, d, c)] if outward else [(a, b, c), (a, c, d)]
    return faces
