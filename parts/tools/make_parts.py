"""Writes the shipped parts: small solids of the kind that part feeders handle, in four file formats.

    python3 parts/tools/make_parts.py

Needs nothing but Python 3. Every surface is closed and wound outwards; `carom mass` says so.
"""

import base64
import json
import math
import struct
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent


def hex_nut(flats=16.0, bore=10.0, height=8.4, segments=24):
    """A hexagonal prism with a round bore (ISO 4032 M10 without its thread), mm, triangles."""
    per_side = segments // 6
    corner = flats / math.sqrt(3)
    hexagon = [(corner * math.cos(math.pi / 3 * i), corner * math.sin(math.pi / 3 * i)) for i in range(6)]
    outer = []
    for i in range(6):
        (x0, y0), (x1, y1) = hexagon[i], hexagon[(i + 1) % 6]
        for k in range(per_side):
            t = k / per_side
            outer.append((x0 + t * (x1 - x0), y0 + t * (y1 - y0)))
    turn = 2 * math.pi / segments
    inner = [(bore / 2 * math.cos(turn * i), bore / 2 * math.sin(turn * i)) for i in range(segments)]
    triangles = []

    def quad(a, b, c, d):
        triangles.extend([(a, b, c), (a, c, d)])

    low, high = -height / 2, height / 2
    for i in range(segments):
        j = (i + 1) % segments
        (a, b), (c, d) = (outer[i], outer[j]), (inner[i], inner[j])
        quad((*a, low), (*b, low), (*b, high), (*a, high))
        quad((*d, low), (*c, low), (*c, high), (*d, high))
        quad((*a, high), (*b, high), (*d, high), (*c, high))
        quad((*b, low), (*a, low), (*c, low), (*d, low))
    return triangles


def write_stl(name, triangles):
    lines = [f"solid {name}"]
    for a, b, c in triangles:
        u, v = [b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)]
        n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        length = math.sqrt(sum(x * x for x in n))
        lines.append("facet normal " + " ".join(f"{x / length:.6f}" for x in n))
        lines.append(" outer loop")
        lines.extend("  vertex " + " ".join(f"{x:.9g}" for x in p) for p in (a, b, c))
        lines.extend([" endloop", "endfacet"])
    lines.append(f"endsolid {name}")
    (FOLDER / f"{name}.stl").write_text("\n".join(lines) + "\n")


def write_button():
    """A push button: a square cap, hollow from below, mm, faces of four corners."""
    outer, inner, height, wall = 6.0, 4.8, 5.0, 1.2

    def ring(half, z):
        return [(-half, -half, z), (half, -half, z), (half, half, z), (-half, half, z)]

    # Bottom rim outside 1-4, top 5-8, bottom rim inside 9-12, ceiling 13-16.
    points = ring(outer, 0) + ring(outer - 0.5, height) + ring(inner, 0) + ring(inner - 0.3, height - wall)
    faces = [[5, 6, 7, 8], [16, 15, 14, 13]]
    for i in range(1, 5):
        j = i % 4 + 1
        faces.append([i, j, j + 4, i + 4])
        faces.append([j + 8, i + 8, i + 12, j + 12])
        faces.append([j, i, i + 8, j + 8])
    lines = ["# A push button, mm; hollow from below."]
    lines += ["v " + " ".join(f"{x:g}" for x in p) for p in points]
    lines += ["f " + " ".join(map(str, f)) for f in faces]
    (FOLDER / "button.obj").write_text("\n".join(lines) + "\n")


def write_cap(segments=32):
    """An insulator cap: a cone frustum with a conical hole, turned about z, mm, polygons at both ends."""
    profile = [(7.0, 0.0), (4.0, 18.0), (0.0, 18.0), (0.0, 15.0), (2.8, 15.0), (5.4, 0.0)]
    rings = [0, 1, 4, 5]
    points, turn = [], 2 * math.pi / segments
    for k in rings:
        r, z = profile[k]
        points += [(r * math.cos(turn * i), r * math.sin(turn * i), z) for i in range(segments)]
    faces = []
    for i in range(segments):
        j = (i + 1) % segments
        for low, high in ((0, 1), (2, 3), (3, 0)):
            a, b = low * segments, high * segments
            faces.append([a + i, a + j, b + j, b + i])
    faces.append([segments + i for i in range(segments)])
    faces.append([2 * segments + i for i in reversed(range(segments))])
    lines = ["ply", "format ascii 1.0", "comment An insulator cap, mm; hollow from below.",
             f"element vertex {len(points)}", "property double x", "property double y", "property double z",
             f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header"]
    lines += [" ".join(f"{x:.9g}" for x in p) for p in points]
    lines += [" ".join(map(str, [len(f)] + f)) for f in faces]
    (FOLDER / "insulator_cap.ply").write_text("\n".join(lines) + "\n")


def write_die(half=0.008, chamfer=0.0015):
    """A die of 16 mm with chamfered edges and corners, metres, flat shaded, its buffer inside the file."""
    inner = half - chamfer
    signs = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]

    def corner(s, axis):
        return tuple(s[k] * (half if k == axis else inner) for k in range(3))

    faces = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1, 1):
            loop = []
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                s = [0, 0, 0]
                s[axis], s[u], s[v] = side, a, b
                loop.append(corner(s, axis))
            faces.append(loop if side > 0 else loop[::-1])
        for a in (-1, 1):
            for b in (-1, 1):
                s0, s1 = [0, 0, 0], [0, 0, 0]
                s0[u] = s1[u] = a
                s0[v] = s1[v] = b
                s0[axis], s1[axis] = -1, 1
                loop = [corner(s0, u), corner(s1, u), corner(s1, v), corner(s0, v)]
                faces.append(loop if a * b < 0 else loop[::-1])
    for s in signs:
        loop = [corner(s, 0), corner(s, 1), corner(s, 2)]
        faces.append(loop if s[0] * s[1] * s[2] > 0 else loop[::-1])
    positions = [p for f in faces for k in range(1, len(f) - 1) for p in (f[0], f[k], f[k + 1])]
    data = b"".join(struct.pack("<3f", *p) for p in positions)
    count = len(positions)
    columns = list(zip(*[struct.unpack("<3f", struct.pack("<3f", *p)) for p in positions]))
    document = {
        "asset": {"version": "2.0", "generator": "make_parts.py"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "die"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3",
                       "min": [min(c) for c in columns], "max": [max(c) for c in columns]}],
        "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
        "buffers": [{"byteLength": len(data),
                     "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
    }
    (FOLDER / "die.gltf").write_text(json.dumps(document, indent=1) + "\n")


write_stl("hex_nut", hex_nut())
write_button()
write_cap()
write_die()
