"""Writes the generated shapes of scenes: bowling pins, insulator caps and letters, as convex pieces that fit without overlap.

    python3 parts/tools/make_scene_shapes.py

Needs nothing but Python 3. A scene names what it wants in a pair of lines, and what stands between them is replaced:

    # begin pin (parts/tools/make_scene_shapes.py)
    # end pin

Scenes that come with the program are one file each, so shapes stand in them, not beside them. Every solid is the exact union of
its pieces: pieces share faces and never overlap (checked here), so mass counts once. Lengths are in metres.
"""

import math
import re
from pathlib import Path

SCENES = Path(__file__).resolve().parent.parent.parent / "scenes"
INCH = 0.0254


def number(x):
    text = f"{x:.9f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def hull(points):
    return "{ shape = { kind = \"hull\", points = [" + ", ".join(
        "[" + ", ".join(number(x) for x in p) + "]" for p in points) + "] } },"


def ring(radius, z, segments):
    turn = 2 * math.pi / segments
    return [(radius * math.cos(turn * i), radius * math.sin(turn * i), z) for i in range(segments)]


def pin(segments=24):
    """A regulation pin: diameters at heights of the USBC specification, inches, a spherical head on top."""
    profile = [(0, 2.031), (0.75, 2.828), (2.25, 3.906), (3.375, 4.510), (4.5, 4.766), (5.875, 4.563), (7.25, 3.703),
               (8.625, 2.472), (9.375, 1.965), (10, 1.797), (10.875, 1.870), (11.75, 2.094), (12.625, 2.406),
               (13.5, 2.547)]
    head = 1.273
    for latitude in (20, 40, 60, 80):
        angle = math.radians(latitude)
        profile.append((15 - head + head * math.sin(angle), 2 * head * math.cos(angle)))
    profile.append((15, 2 * head * math.cos(math.radians(86))))
    # A piece ends where the outline turns outwards.
    slopes = [(d1 - d0) / (z1 - z0) for (z0, d0), (z1, d1) in zip(profile, profile[1:])]
    cuts = [0] + [k for k in range(1, len(slopes)) if slopes[k] > slopes[k - 1]] + [len(slopes)]
    pieces = []
    for first, last in zip(cuts, cuts[1:]):
        rows = profile[first:last + 1]
        pieces.append([p for z, d in rows for p in ring(d / 2 * INCH, z * INCH, segments)])
    report_pin(profile)
    return pieces


def report_pin(profile):
    volume = moment = 0.0
    for (z0, d0), (z1, d1) in zip(profile, profile[1:]):
        for k in range(100):
            z = z0 + (k + 0.5) / 100 * (z1 - z0)
            d = d0 + (k + 0.5) / 100 * (d1 - d0)
            volume += d * d * (z1 - z0) / 100
            moment += d * d * z * (z1 - z0) / 100
    print(f"pin: centre at {moment / volume:.3f} in")


def cap(segments=12):
    """The insulator cap of parts/insulator_cap.ply with its segments, mm: a conical wall and a lid, hollow from below.
    Its origin is in the middle, so that however it is turned, it takes little room."""
    outer, inner, low = 7.0, 5.4, 2.8
    top, height, ceiling = 4.0, 18.0, 15.0
    middle = height / 2
    bend = outer + (top - outer) * ceiling / height
    mm = 1e-3
    rows = [ring(r * mm, (z - middle) * mm, segments) for r, z in
            ((outer, 0), (bend, ceiling), (inner, 0), (low, ceiling))]
    pieces = []
    for i in range(segments):
        j = (i + 1) % segments
        pieces.append([row[k] for row in rows for k in (i, j)])
    pieces.append(ring(bend * mm, (ceiling - middle) * mm, segments) + ring(top * mm, (height - middle) * mm, segments))
    return pieces


# Letters: strokes WIDE wide and as deep, in units of the height of an x, which is SIZE.
WIDE = 0.2
SIZE = 0.1


def box(x0, y0, x1, y1):
    return [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]]


def stroke(points, closed=False):
    """Quadrilaterals along a line with mitred corners; open ends are cut square."""
    count = len(points)
    edges = []
    for k in range(count):
        before, here, after = points[k - 1], points[k], points[(k + 1) % count]
        sides = []
        if closed or k > 0:
            sides.append((before, here))
        if closed or k < count - 1:
            sides.append((here, after))
        normals = []
        for (x0, y0), (x1, y1) in sides:
            long = math.hypot(x1 - x0, y1 - y0)
            normals.append((-(y1 - y0) / long, (x1 - x0) / long))
        nx, ny = (sum(n[axis] for n in normals) for axis in (0, 1))
        shift = WIDE / 2 / (nx * normals[0][0] + ny * normals[0][1])
        edges.append(((here[0] + shift * nx, here[1] + shift * ny), (here[0] - shift * nx, here[1] - shift * ny)))
    last = count if closed else count - 1
    return [[edges[k][1], edges[(k + 1) % count][1], edges[(k + 1) % count][0], edges[k][0]] for k in range(last)]


def mirrored(polygons, width):
    return [[(width - x, y) for x, y in reversed(polygon)] for polygon in polygons]


def turned(polygons, width):
    return [[(width - x, 1 - y) for x, y in polygon] for polygon in polygons]


BOWL = stroke([(0.2, 0.9), (0.45, 0.9), (0.6, 0.75), (0.6, 0.25), (0.45, 0.1), (0.2, 0.1)])
ARCH = box(0, 0, 0.2, 1) + stroke([(0.2, 0.9), (0.45, 0.9), (0.6, 0.75), (0.6, 0)])
LETTERS = {
    "i": (0.2, box(0, 0, 0.2, 1)),
    "dot": (0.2, box(0, 1.2, 0.2, 1.4)),
    "l": (0.2, box(0, 0, 0.2, 1.6)),
    "hyphen": (0.4, box(0, 0.4, 0.4, 0.6)),
    "n": (0.7, ARCH),
    "u": (0.7, turned(ARCH, 0.7)),
    "m": (1.15, box(0, 0, 0.2, 1) + stroke([(0.2, 0.9), (0.9, 0.9), (1.05, 0.75), (1.05, 0)])
          + box(0.525, 0, 0.725, 0.8)),
    "p": (0.7, box(0, -0.6, 0.2, 1) + BOWL),
    "b": (0.7, box(0, 0, 0.2, 1.6) + BOWL),
    "d": (0.7, mirrored(box(0, 0, 0.2, 1.6) + BOWL, 0.7)),
    "a": (0.7, mirrored(box(0, 0, 0.2, 1) + BOWL, 0.7)),
    "t": (0.55, box(0.15, 0, 0.35, 1.4) + box(0, 0.8, 0.15, 1) + box(0.35, 0.8, 0.55, 1) + box(0.35, 0, 0.55, 0.2)),
    "o": (0.7, stroke([(0.6, 0.25), (0.6, 0.75), (0.45, 0.9), (0.25, 0.9), (0.1, 0.75), (0.1, 0.25), (0.25, 0.1),
                       (0.45, 0.1)], closed=True)),
    "e": (0.7, stroke([(0.6, 0.4), (0.6, 0.75), (0.45, 0.9), (0.25, 0.9), (0.1, 0.75), (0.1, 0.25), (0.25, 0.1),
                       (0.65, 0.1)]) + box(0.2, 0.4, 0.5, 0.6)),
    "s": (0.7, stroke([(0.65, 0.9), (0.2, 0.9), (0.1, 0.8), (0.1, 0.6), (0.2, 0.5), (0.5, 0.5), (0.6, 0.4),
                       (0.6, 0.2), (0.5, 0.1), (0.05, 0.1)])),
}
LINES = ["impulse-based", "simulation"]
BETWEEN = 0.25
LINE_STEP = 2.6
COLOURS = ["crimson", "orange", "gold", "olive", "teal", "blue", "purple"]


def check(name, polygons):
    """Every polygon is convex and wound to the left, and some edge parts every two of them."""
    def side(a, b, p):
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

    for polygon in polygons:
        edges = list(zip(polygon, polygon[1:] + polygon[:1]))
        assert all(side(a, b, p) > -1e-9 for a, b in edges for p in polygon), name
    for k, one in enumerate(polygons):
        for other in polygons[:k]:
            edges = [(e, q) for p, q in ((one, other), (other, one)) for e in zip(p, p[1:] + p[:1])]
            assert any(all(side(a, b, p) < 1e-9 for p in q) for (a, b), q in edges), name


def letter(name):
    """Prisms of a letter, x to the right and z up."""
    _, polygons = LETTERS[name]
    check(name, polygons)
    deep = SIZE * WIDE / 2
    return [[(SIZE * x, y, SIZE * z) for x, z in polygon for y in (-deep, deep)] for polygon in polygons]


def places():
    """Of every kind of letter, where its copies stand in units of the height of an x: the text is centred."""
    found = {}
    for row, line in enumerate(LINES):
        names = ["hyphen" if c == "-" else c for c in line]
        x = -(sum(LETTERS[n][0] for n in names) + BETWEEN * (len(names) - 1)) / 2
        z = LINE_STEP * (0.5 - row) - 0.5
        for n in names:
            found.setdefault(n, []).append((x, z))
            if n == "i":
                found.setdefault("dot", []).append((x, z))
            x += LETTERS[n][0] + BETWEEN
    return found


def choice(values):
    """A number of copy i as a scene writes it."""
    if len(set(values)) == 1:
        return number(values[0])
    parts = [f"if i == {k} {{ {number(v)} }}" for k, v in enumerate(values[:-1])]
    return '"' + " else ".join(parts) + f' else {{ {number(values[-1])} }}"'


def text_bodies():
    """All letters as bodies of a scene with the parameters speed and spin."""
    lines, number_of = [], 0
    for k, (name, copies) in enumerate(places().items()):
        lines += ["[[body]]", f'name = "{name}_{{i}}"', 'material = "ideal"']
        x, z = (choice([SIZE * place[axis] for place in copies]) for axis in (0, 1))
        lines.append(f'position = [{x}, 0, {z}]')
        for key, factor, first in (("velocity", "speed", 0), ("angular_velocity", "spin", 3)):
            draws = ", ".join(f'"{factor}*(2*random(seed, {6 * number_of + first + axis} + 6*i) - 1)"' for axis in range(3))
            lines.append(f"{key} = [{draws}]")
        lines.append(f'repeat = {{ kind = "row", count = {len(copies)}, step = [0, 0, 0] }}')
        lines.append(f'color = "{COLOURS[k % len(COLOURS)]}"')
        lines += ["", "[body.shape]", 'kind = "compound"', "parts = ["]
        lines += ["  " + hull(piece) for piece in letter(name)]
        lines += ["]", ""]
        number_of += len(copies)
    assert number_of == 26, number_of
    return lines[:-1]


def parts(pieces):
    return ["parts = ["] + ["  " + hull(piece) for piece in pieces] + ["]"]


MADE = {"pin": lambda: parts(pin()), "cap": lambda: parts(cap()), "letters": text_bodies}


def main():
    for path in sorted(SCENES.glob("*.toml")):
        text = path.read_text()
        new = text
        for name, make in MADE.items():
            pattern = re.compile(rf"(# begin {name} [^\n]*\n)(.*?)(# end {name}\n)", re.S)
            if pattern.search(new):
                body = "\n".join(make()) + "\n"
                new = pattern.sub(lambda found: found[1] + body + found[3], new)
        if new != text:
            path.write_text(new)
            print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
