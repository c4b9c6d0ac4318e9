"""Prints where planar pendulums of three links are, to more digits than a double has, and how they multiply errors.

Three rods of 1 m and 1 kg, and the links of the scene `triple_pendulum` (X-15 of the guide) with its balls aside, both from the
horizontal, without friction, gravity 9.81 m/s² (a double, taken exactly).
No articulated-body method is used: with φ the angles of all links from the downward vertical and

    A_ii = J_i + m_i d_i² + l_i² M_i,   A_ij = l_i (m_j d_j + l_j M_j) for i < j,   G_i = g (m_i d_i + l_i M_i)

where M_i is the mass beyond link i, l_i its length, d_i the distance of its centre of mass and J_i its inertia about that,

    Σ_j A_ij cos(φ_i − φ_j) φ̈_j = −Σ_j A_ij sin(φ_i − φ_j) φ̇_j² − G_i sin φ_i

is integrated by Taylor series of order 36 in 40 digits. A step is as long as its last four terms allow; with terms a million times
as small it must end at the same place to 1e-24.

The growth is the largest |δx(t)| over the times of all steps and over all 2n starts that are 1e-18 off in one coordinate, as a
multiple of that. Angles count in radians, rates in units of √(g/L), L the length of all links: the scales that the tolerance of a
linkage has.

Needs Python 3 and mpmath; takes some ten minutes:

    python3 oracles/tools/triple_pendulum.py
"""

from mpmath import cos, fsum, lu_solve, matrix, mp, mpf, pi, sin, sqrt

mp.dps = 40
ORDER = 36
GRAVITY = mpf(9.81)
NUDGE = mpf(10) ** -18


class Chain:
    """Links (mass, length, distance of the centre of mass, inertia about it), one on the other."""

    def __init__(self, links):
        links = [[mpf(x) for x in link] for link in links]
        n = len(links)
        beyond = [fsum(link[0] for link in links[i + 1:]) for i in range(n)]
        moment = [links[i][0] * links[i][2] + links[i][1] * beyond[i] for i in range(n)]
        self.n = n
        self.length = fsum(link[1] for link in links)
        self.weight = [GRAVITY * it for it in moment]
        self.coupling = [[links[min(i, j)][1] * moment[max(i, j)] for j in range(n)] for i in range(n)]
        for i, (mass, length, centre, inertia) in enumerate(links):
            self.coupling[i][i] = inertia + mass * centre**2 + length**2 * beyond[i]

    def energy(self, angles, rates):
        n, a = self.n, self.coupling
        kinetic = fsum(a[i][j] * cos(angles[i] - angles[j]) * rates[i] * rates[j] for i in range(n) for j in range(n)) / 2
        return kinetic - fsum(self.weight[i] * cos(angles[i]) for i in range(n))

    def series(self, angles, rates):
        """Taylor coefficients of angles and rates."""
        n, a = self.n, self.coupling
        phi, omega = [[x] for x in angles], [[x] for x in rates]
        pairs = [(i, j) for i in range(n) for j in range(i)]
        # Sine and cosine of differences for pairs, and of the angles themselves for (i, i).
        turn = {(i, j): [[sin(angles[i] - angles[j])], [cos(angles[i] - angles[j])]] for i, j in pairs}
        turn.update({(i, i): [[sin(angles[i])], [cos(angles[i])]] for i in range(n)})
        square, alpha = [[] for _ in range(n)], []
        first = matrix(n, n)
        for i in range(n):
            first[i, i] = a[i][i]
            for j in range(i):
                first[i, j] = first[j, i] = a[i][j] * turn[i, j][1][0]
        for k in range(ORDER):
            if k > 0:
                for (i, j), (s, c) in turn.items():
                    d = phi[i] if i == j else [x - y for x, y in zip(phi[i], phi[j])]
                    slope = [m * d[m] for m in range(1, k + 1)]
                    next_s = fsum(slope[m - 1] * c[k - m] for m in range(1, k + 1)) / k
                    next_c = -fsum(slope[m - 1] * s[k - m] for m in range(1, k + 1)) / k
                    s.append(next_s)
                    c.append(next_c)
            for i in range(n):
                square[i].append(fsum(omega[i][m] * omega[i][k - m] for m in range(k + 1)))
            right = matrix(n, 1)
            for i in range(n):
                terms = [-self.weight[i] * turn[i, i][0][k]]
                for j in range(n):
                    if i == j:
                        continue
                    s, c = turn[max(i, j), min(i, j)]
                    sign = a[i][j] if i > j else -a[i][j]
                    terms.append(-sign * fsum(s[m] * square[j][k - m] for m in range(k + 1)))
                    terms.append(-a[i][j] * fsum(c[m] * alpha[k - m][j] for m in range(1, k + 1)))
                right[i] = fsum(terms)
            alpha.append(lu_solve(first, right))
            for i in range(n):
                phi[i].append(omega[i][k] / (k + 1))
                omega[i].append(alpha[k][i] / (k + 1))
        return phi, omega

    def path(self, angles, rates, end, least):
        """Steps and the states after them; the last terms of series are below `least`."""
        steps, states, left = [], [], mpf(end)
        while left > 0:
            phi, omega = self.series(angles, rates)
            # From the horizontal at rest three of four terms are zero.
            h = min((least / abs(it[k])) ** (mpf(1) / k) for it in phi + omega for k in range(ORDER - 3, ORDER + 1) if it[k])
            h = min(h, left)
            angles, rates = [value(it, h) for it in phi], [value(it, h) for it in omega]
            steps.append(h)
            states.append((angles, rates))
            left -= h
        return steps, states

    def along(self, angles, rates, steps):
        """States after given steps."""
        for h in steps:
            phi, omega = self.series(angles, rates)
            angles, rates = [value(it, h) for it in phi], [value(it, h) for it in omega]
            yield angles, rates


def value(series, h):
    total = mpf(0)
    for coefficient in reversed(series):
        total = total * h + coefficient
    return total


def apart(one, other, unit):
    """Length of the difference of two states."""
    angles = fsum((a - b) ** 2 for a, b in zip(one[0], other[0]))
    rates = fsum((a - b) ** 2 for a, b in zip(one[1], other[1]))
    return sqrt(angles + rates / unit**2)


def growth(chain, angles, rates, steps, states):
    unit, worst = sqrt(GRAVITY / chain.length), mpf(0)
    for k in range(2 * chain.n):
        start = [list(angles), list(rates)]
        start[k // chain.n][k % chain.n] += NUDGE * (1 if k < chain.n else unit)
        for state, nominal in zip(chain.along(*start, steps), states):
            worst = max(worst, apart(state, nominal, unit) / NUDGE)
    return worst


def report(name, chain, angles, end):
    angles = [mpf(x) for x in angles]
    rates = [mpf(0)] * chain.n
    steps, states = chain.path(angles, rates, end, mpf(10) ** -32)
    print(f"{name}:")
    again = angles, rates
    for second in range(1, end + 1):
        again = chain.path(*again, 1, mpf(10) ** -38)[1][-1]
        for one, what in zip(again, ("angles", "rates")):
            print(f"  after {second} s: {what}", ", ".join(mp.nstr(x, 20) for x in one))
    off = apart(states[-1], again, mpf(1))
    drift = abs(chain.energy(*again) - chain.energy(angles, rates))
    print(f"  {len(steps)} steps, smaller ones differ by {mp.nstr(off, 2)}, energy by {mp.nstr(drift, 2)} J", flush=True)
    assert off < mpf(10) ** -24
    print(f"  growth {mp.nstr(growth(chain, angles, rates, steps, states), 6)}", flush=True)


ROD = (1, 1, mpf(1) / 2, mpf(1) / 12)


def link(length, parts):
    """A link of parts (mass, distance of the centre from the upper hinge, inertia about it)."""
    mass = fsum(part[0] for part in parts)
    centre = fsum(part[0] * part[1] for part in parts) / mass
    return mass, length, centre, fsum(part[2] + part[0] * (part[1] - centre) ** 2 for part in parts)


def x15():
    """The links of scenes/triple_pendulum.toml."""
    long, thick, side, wood = mpf("0.3"), mpf("0.02"), mpf("0.05"), 700
    head, head_long, heavy = mpf("0.03"), mpf("0.12"), 2700

    def bar(length, middle):
        mass = wood * thick**2 * length
        return mass, middle, mass * (length**2 + thick**2) / 12

    pin_mass = wood * pi * (thick / 4) ** 2 * (side - thick)
    pin = pin_mass, long, pin_mass * (thick / 4) ** 2 / 2
    plain = link(long, [bar(long + thick, long / 2), pin])
    head_mass = heavy * pi * head**2 * head_long
    # Its axis is across that of the hinge.
    hammer = head_mass, long, head_mass * (3 * head**2 + head_long**2) / 12
    stick = bar(long + thick / 2 - head, (long - thick / 2 - head) / 2)
    return Chain([plain, plain, link(long, [stick, hammer])])


if __name__ == "__main__":
    report("three rods from the horizontal", Chain([ROD] * 3), [pi / 2] * 3, 5)
    report("X-15 from the horizontal", x15(), [pi / 2] * 3, 5)
