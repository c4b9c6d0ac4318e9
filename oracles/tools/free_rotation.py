"""Makes ../data/free-rotation.json: attitude and angular velocity of torque-free bodies by integration.

No closed form is used. Euler's equations and the quaternion rate are integrated by Taylor series of order 40
with steps of 1/8 rad in 50 digits; energy and the angular momentum vector must come back to 1e-38. Inputs are
doubles, taken exactly; an orientation is (w, x, y, z), an angular velocity is in world axes.
Needs Python 3 and mpmath; takes some minutes:

    python3 oracles/tools/free_rotation.py > oracles/data/free-rotation.json
"""

import json

from mpmath import fsum, mp, mpf, sqrt

mp.dps = 50
ORDER = 40
STEPS_PER_RADIAN = 8


def product(p, q):
    a, b, c, d = p
    e, f, g, h = q
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def turned(q, v):
    """q v q* for a unit quaternion."""
    return product(product(q, (mpf(0), *v)), (q[0], -q[1], -q[2], -q[3]))[1:]


def step(moments, q, w, h):
    """One Taylor step of length h; w is in body axes."""
    i1, i2, i3 = moments
    ratios = ((i2 - i3) / i1, (i3 - i1) / i2, (i1 - i2) / i3)
    ws, qs = [[x] for x in w], [[x] for x in q]
    for n in range(ORDER):

        def term(a, b):
            return fsum(a[j] * b[n - j] for j in range(n + 1))

        next_w = [ratio * term(ws[j], ws[k]) for ratio, (j, k) in zip(ratios, ((1, 2), (2, 0), (0, 1)))]
        s, x, y, z = qs
        a, b, c = ws
        next_q = [
            (-term(x, a) - term(y, b) - term(z, c)) / 2,
            (term(s, a) + term(y, c) - term(z, b)) / 2,
            (term(s, b) + term(z, a) - term(x, c)) / 2,
            (term(s, c) + term(x, b) - term(y, a)) / 2,
        ]
        for series, value in zip(ws + qs, next_w + next_q):
            series.append(value / (n + 1))

    def end(series):
        total = mpf(0)
        for coefficient in reversed(series):
            total = total * h + coefficient
        return total

    return tuple(end(s) for s in qs), tuple(end(s) for s in ws)


def invariants(moments, q, w):
    momentum = turned(q, [i * x for i, x in zip(moments, w)])
    return [fsum(i * x * x for i, x in zip(moments, w)), *momentum]


def integrate(moments, orientation, angular_velocity, time):
    moments = [mpf(i) for i in moments]
    length = sqrt(fsum(mpf(x) ** 2 for x in orientation))
    q = tuple(mpf(x) / length for x in orientation)
    w = turned((q[0], -q[1], -q[2], -q[3]), [mpf(x) for x in angular_velocity])
    speed = sqrt(fsum(x * x for x in w))
    before = invariants(moments, q, w)
    count = int(abs(time) * speed * STEPS_PER_RADIAN) + 1
    for _ in range(count):
        q, w = step(moments, q, w, mpf(time) / count)
    scale = fsum(abs(x) for x in before)
    drift = max(abs(a - b) for a, b in zip(before, invariants(moments, q, w))) / scale
    assert drift < mpf("1e-38"), drift
    return q, turned(q, w)


TURNED = [0.5, -0.5, 0.5, 0.5]
PLAIN = [1.0, 0.0, 0.0, 0.0]

# Name: moments, orientation, angular velocity, time.
CASES = {
    "box_1_2_3": ([5.0, 10.0, 13.0], PLAIN, [5.773502691896258] * 3, 10.0),
    "middle_axis_e1": ([1.0, 2.0, 3.0], PLAIN, [0.01, 2.0, 0.0], 10.0),
    "middle_axis_e1_late": ([1.0, 2.0, 3.0], TURNED, [2.0, 0.0, -0.01], 60.0),
    "about_first_axis": ([1.0, 2.0, 3.0], TURNED, [-0.5, 2.0, 0.25], 25.0),
    "about_third_axis_backwards": ([1.0, 2.0, 2.5], PLAIN, [-0.3, 0.7, -1.2], -40.0),
    "thousand_seconds": ([0.7, 1.0, 1.4], TURNED, [1.5, -0.7, 0.4], 1000.0),
    "nearly_oblate": ([1.0, 1.0 + 1e-9, 1.6], PLAIN, [0.9, -0.4, 0.6], 100.0),
    "thrown_rod": ([0.01, 1.0, 1.0 + 1e-6], PLAIN, [3e-4, 2.0, -1.0], 50.0),
    "nearly_spherical": ([1.0, 1.0 + 1e-12, 1.0 + 3e-12], TURNED, [0.5, 1.25, -0.75], 30.0),
    "near_separatrix": ([1.0, 2.0, 3.0], PLAIN, [1.0, 0.3, 0.577351], 20.0),
    "on_separatrix": ([3.0, 4.0, 6.0], PLAIN, [2.0, 0.5, 1.0], 12.0),
    "balanced_on_middle_axis": ([1.0, 2.0, 3.0], PLAIN, [1e-6, 1.0, -2e-6], 30.0),
    "fast_lamina": ([1.0, 2.0, 3.0], TURNED, [60.0, 80.0, -10.0], 3.0),
    "slow": ([0.3, 0.8, 1.0], PLAIN, [1e-3, -2e-3, 1.5e-3], 10000.0),
    "oblate": ([1.0, 1.0, 1.5], TURNED, [0.5, 2.0, -1.5], 100.0),
    "prolate": ([0.2, 1.0, 1.0], PLAIN, [3.0, 0.5, -0.25], 100.0),
}


def main():
    out = {}
    for name, (moments, orientation, angular_velocity, time) in CASES.items():
        q, w = integrate(moments, orientation, angular_velocity, time)
        out[name] = {
            "moments": moments,
            "orientation": orientation,
            "angular_velocity": angular_velocity,
            "time": time,
            "final_orientation": [float(x) for x in q],
            "final_angular_velocity": [float(x) for x in w],
        }
    print(json.dumps(out, indent=1))


if __name__ == "__main__":
    main()
