"""Makes ../data/primitives.json: volume, centre, inertia, area and reach of primitive solids by quadrature.

No closed form of a volume, moment or area is used. A solid is described by its half width Y(x, z) along y
and its half width X(z) along x; integrals over y are elementary, those over x and z are done by tanh-sinh
quadrature in 25 digits. Areas are integrals of |r_u x r_v| over a parametrised surface, reaches along a
direction are found by search.
Needs Python 3 and mpmath:

    python3 oracles/tools/primitives.py > oracles/data/primitives.json
"""

import json

from mpmath import cos, mp, mpf, pi, quad, sin, sqrt

mp.dps = 25


def moments(z_breaks, half_x, half_y):
    """Volume, mean z and central second moments of a solid symmetric in x and y, at density 1."""

    def over_slice(z, f):
        x_end = half_x(z)
        return 4 * quad(lambda x: f(x, half_y(x, z)), [0, x_end]) if x_end > 0 else mpf(0)

    def total(f):
        return quad(lambda z: over_slice(z, lambda x, y: f(x, y, z)), z_breaks)

    volume = total(lambda x, y, z: y)
    center = total(lambda x, y, z: y * z) / volume
    xx = total(lambda x, y, z: y * x**2)
    yy = total(lambda x, y, z: y**3 / 3)
    zz = total(lambda x, y, z: y * (z - center) ** 2)
    return volume, center, [yy + zz, zz + xx, xx + yy]


def largest(f, low, high):
    """Largest value of a concave function, by golden-section search."""
    golden = (sqrt(mpf(5)) - 1) / 2
    a, b = mpf(low), mpf(high)
    x, y = b - golden * (b - a), a + golden * (b - a)
    fx, fy = f(x), f(y)
    for _ in range(90):
        if fx >= fy:
            b, y, fy = y, x, fx
            x = b - golden * (b - a)
            fx = f(x)
        else:
            a, x, fx = x, y, fy
            y = a + golden * (b - a)
            fy = f(y)
    return max(fx, fy, f(mpf(low)), f(mpf(high)))


def support(z_breaks, half_x, half_y, direction):
    """Largest d.x over the solid: a slice is symmetric, and its reach is concave in z, as is a point's in x."""
    dx, dy, dz = (mpf(d) for d in direction)

    def over_slice(z):
        return dz * z + largest(lambda x: abs(dx) * x + abs(dy) * half_y(x, z), 0, half_x(z))

    return largest(over_slice, z_breaks[0], z_breaks[-1])


def area(patches):
    """Sum of the areas of patches (count, r_u, r_v, u range, v range)."""

    def norm_of_cross(a, b):
        c = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        return sqrt(sum(x * x for x in c))

    return sum(
        count * quad(lambda u: quad(lambda v: norm_of_cross(r_u(u, v), r_v(u, v)), vs), us)
        for count, r_u, r_v, us, vs in patches
    )


def superquadric(a, b, c, m, n):
    """((|x/a|^m + |y/b|^m)^(n/m) + |z/c|^n = 1."""
    a, b, c, m, n = map(mpf, (a, b, c, m, n))

    def radius(z):
        return (1 - abs(z / c) ** n) ** (1 / n) if abs(z) < c else mpf(0)

    def half_y(x, z):
        r = radius(z)
        rest = r**m - (x / a) ** m
        return b * rest ** (1 / m) if rest > 0 else mpf(0)

    return [-c, 0, c], lambda z: a * radius(z), half_y, lambda: superquadric_area(a, b, c, m, n)


def superquadric_area(a, b, c, m, n):
    """Each octant in three patches by the largest of x/a, y/b, z/c: r = X/N(X) with X = (a, bs, ct) and so on."""
    scale = [a, b, c]

    def norm_and_slopes(x, y, z):
        p = (x**m + y**m) ** (1 / m)
        value = (p**n + z**n) ** (1 / n)
        outer = (p / value) ** (n - 1)
        in_plane = [outer * (t / p) ** (m - 1) if p > 0 else mpf(0) for t in (x, y)]
        return value, in_plane + [(z / value) ** (n - 1)]

    def patch(largest):
        first, second = [k for k in range(3) if k != largest]

        def tangent(axis):
            def r_axis(s, t):
                x = [mpf(1)] * 3
                x[first], x[second] = s, t
                value, slopes = norm_and_slopes(*x)
                step = [mpf(k == axis) for k in range(3)]
                return [scale[k] * (step[k] / value - x[k] * slopes[axis] / value**2) for k in range(3)]

            return r_axis

        return (8, tangent(first), tangent(second), [0, mpf("0.8"), 1], [0, mpf("0.8"), 1])

    return area([patch(k) for k in range(3)])


def round_solid(z_breaks, radius, patches):
    """A solid of revolution about z."""
    half_y = lambda x, z: sqrt(max(radius(z) ** 2 - x**2, mpf(0)))  # noqa: E731
    return z_breaks, radius, half_y, lambda: area(patches)


def lateral(radius, slope, zs):
    """The side of a solid of revolution, as one quarter turn taken four times."""
    r_u = lambda z, t: [slope(z) * cos(t), slope(z) * sin(t), mpf(1)]  # noqa: E731
    r_v = lambda z, t: [-radius(z) * sin(t), radius(z) * cos(t), mpf(0)]  # noqa: E731
    return (4, r_u, r_v, zs, [0, pi / 2])


def disc(radius, count):
    r_u = lambda s, t: [cos(t), sin(t), mpf(0)]  # noqa: E731
    r_v = lambda s, t: [-s * sin(t), s * cos(t), mpf(0)]  # noqa: E731
    return (4 * count, r_u, r_v, [0, radius], [0, pi / 2])


def sphere_patch(radius):
    r_u = lambda u, v: [-radius * sin(u) * cos(v), -radius * sin(u) * sin(v), radius * cos(u)]  # noqa: E731
    r_v = lambda u, v: [-radius * cos(u) * sin(v), radius * cos(u) * cos(v), mpf(0)]  # noqa: E731
    return (8, r_u, r_v, [0, pi / 2], [0, pi / 2])


def box(a, b, c):
    a, b, c = map(mpf, (a, b, c))
    flat = lambda p, q: (8, lambda u, v: [1, 0, 0], lambda u, v: [0, 1, 0], [0, p], [0, q])  # noqa: E731
    return [-c, c], lambda z: a, lambda x, z: b, lambda: area([flat(a, b), flat(b, c), flat(c, a)])


def ball(r):
    r = mpf(r)
    return round_solid([-r, r], lambda z: sqrt(max(r**2 - z**2, mpf(0))), [sphere_patch(r)])


def cylinder(h, r):
    h, r = mpf(h), mpf(r)
    side = lateral(lambda z: r, lambda z: mpf(0), [-h, h])
    return round_solid([-h, h], lambda z: r, [side, disc(r, 2)])


def cone(h, r):
    h, r = mpf(h), mpf(r)
    radius = lambda z: r * (h - z) / (2 * h)  # noqa: E731
    side = lateral(radius, lambda z: -r / (2 * h), [-h, h])
    return round_solid([-h, h], radius, [side, disc(r, 1)])


def capsule(h, r):
    h, r = mpf(h), mpf(r)

    def radius(z):
        over = max(abs(z) - h, mpf(0))
        return sqrt(max(r**2 - over**2, mpf(0)))

    side = lateral(lambda z: r, lambda z: mpf(0), [-h, h])
    return round_solid([-h - r, -h, h, h + r], radius, [side, sphere_patch(r)])


CASES = {
    "ball": ("ball", ball, ["0.35"]),
    "box": ("box", box, ["0.1", "0.25", "1.5"]),
    "capsule": ("capsule", capsule, ["0.4", "0.15"]),
    "cylinder": ("cylinder", cylinder, ["0.05", "0.3"]),
    "cone": ("cone", cone, ["0.6", "0.25"]),
    "ellipsoid": ("ellipsoid", lambda a, b, c: superquadric(a, b, c, 2, 2), ["0.2", "0.03", "0.02"]),
    "superquadric_soft": ("superquadric", superquadric, ["0.3", "0.2", "0.1", "1.5", "1.2"]),
    "superquadric_mixed": ("superquadric", superquadric, ["0.3", "0.2", "0.5", "2", "4"]),
    "superquadric_boxy": ("superquadric", superquadric, ["1", "1", "1", "8", "8"]),
}


DIRECTIONS = [(0.36, 0.48, -0.8), (-0.6, 0.0, 0.8), (0.28, -0.96, 0.0)]


def main():
    out = {}
    for name, (kind, make, sizes) in CASES.items():
        z_breaks, half_x, half_y, area_of = make(*sizes)
        volume, center, inertia = moments(z_breaks, half_x, half_y)
        out[name] = {
            "kind": kind,
            "sizes": [float(s) for s in sizes],
            "volume": float(volume),
            "center": [0.0, 0.0, float(mp.chop(center, tol=mpf("1e-18")))],
            "inertia": [float(i) for i in inertia],
            "area": float(area_of()),
            "support": [
                {"direction": d, "value": float(support(z_breaks, half_x, half_y, d))} for d in DIRECTIONS
            ],
        }
    print(json.dumps(out, indent=1))


if __name__ == "__main__":
    main()
