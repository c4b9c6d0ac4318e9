"""Steps a described scene through MuJoCo.

Standard input: {"scene": description, "dt": s, "stride": steps between states that are kept}.
Standard output: a line of JSON {"steps", "cpu", "rows", "failed"}, then the rows as little-endian doubles: time, and for each free
body position of the centre of mass, quaternion (x, y, z, w), velocity, angular velocity in world axes. "cpu" is the time that
the thread worked in steps; "failed" says when and why the states mean nothing, if they do: MuJoCo begins anew where its
numbers grow too large.
What cannot be told to MuJoCo ends it with status 3 and a reason on standard error.

A contact is a spring and damper per unit of mass, MuJoCo's negative solref, damped so that two bodies rebound with the pair's
restitution at this very step: the damping is found by trying, in the recursion that MuJoCo steps by (velocity from the
force at the old place, which never pulls; place from the new velocity). It lasts a time that goes with the root of the
step, so that with finer steps it gets both stiffer and better resolved; at 1/60 s it is a little stiffer than MuJoCo's own
default is allowed to be. Friction is the pair's, without torsion, by Coulomb's
cone and not MuJoCo's default of a pyramid, for that is the law of the scenes.
"""

import functools
import json
import math
import os
import sys
import tempfile
import time

import mujoco
import numpy as np

# A contact lasts this many steps of 1/60 s, 20 of 1/1000 s: with fewer the rebound is not resolved, with more bodies sink
# deeper.
CONTACT_STEPS = 5
COARSE_STEP = 1 / 60
# Pairs of geometries that are written out one by one, at most.
MOST_PAIRS = 4000
# Runs that take less are repeated once, and the faster one counts [s].
SHORT = 1.0
# A contact begins at so many places within a step, and lasts at most so many steps; halvings of the search for its damping.
PHASES, MOST_STEPS, HALVINGS = 16, 10_000, 40
# Constant impedance: the spring is linear.
SOLIMP = "0.99 0.99 0.001"


def refuse(reason):
    sys.stderr.write(reason)
    sys.exit(3)


def numbers(values):
    return " ".join(repr(float(value)) for value in values)


def quaternion(xyzw):
    x, y, z, w = xyzw
    return numbers([w, x, y, z])


def product(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]


def matrix(xyzw):
    x, y, z, w = xyzw
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])


def from_z_to(normal):
    """The rotation that takes z to a unit vector."""
    x, y, z = normal
    if z < -1 + 1e-12:
        return [1.0, 0.0, 0.0, 0.0]
    q = np.array([-y, x, 0.0, 1.0 + z])
    return list(q / np.linalg.norm(q))


def rebound(ratio, angle):
    """Speed after a contact, of the speed before, at a damping ratio and the angle of the oscillation that a step is."""
    total = 0.0
    for phase in range(PHASES):
        # Lengths are in the way of a step before the contact, speeds in those before it.
        place, speed = -(phase + 0.5) / PHASES, -1.0
        for _ in range(MOST_STEPS):
            force = -angle * angle * place - 2 * ratio * angle * speed
            if place >= 0 or (speed >= 0 and force <= 0):
                break
            speed += max(0.0, force)
            place += speed
        total += max(0.0, speed)
    return total / PHASES


@functools.cache
def solref(restitution, dt):
    angle = math.pi / CONTACT_STEPS * math.sqrt(dt / COARSE_STEP)
    # More damping would stop a body before a step is over, and throw it back.
    low, high = 0.0, 0.5 / angle
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if rebound(middle, angle) > restitution else (low, middle)
    rate = angle / dt
    return numbers([-rate * rate, -2 * high * rate])


def geometry(part, name, assets, is_free):
    (kind, form), = part["form"].items()
    position, turn = part["position"], part["orientation"]
    if kind == "half_space":
        if is_free:
            refuse("it has planes on bodies that move")
        normal, offset = form
        shift = matrix(turn) @ (np.array(normal) * offset)
        position = list(np.array(position) + shift)
        turn = product(turn, from_z_to(normal))
        what = 'type="plane" size="0 0 1"'
    elif kind == "ball":
        what = f'type="sphere" size="{numbers([form])}"'
    elif kind == "box":
        what = f'type="box" size="{numbers(form)}"'
    elif kind in ("capsule", "cylinder"):
        half, radius = form
        what = f'type="{kind}" size="{numbers([radius, half])}"'
    elif kind == "ellipsoid":
        what = f'type="ellipsoid" size="{numbers(form)}"'
    elif kind == "hull":
        points = numbers(x for point in form for x in point)
        assets.append(f'<mesh name="{name}" vertex="{points}"/>')
        what = f'type="mesh" mesh="{name}"'
    elif kind == "mesh":
        refuse("its meshes are convex hulls, the scene's are not")
    else:
        refuse(f"it has no {kind}s")
    return f'<geom name="{name}" {what} pos="{numbers(position)}" quat="{quaternion(turn)}" contype="%d" conaffinity="%d"/>'


def inertial(mass):
    i = np.array(mass["inertia"])
    full = [i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2]]
    center = numbers(mass["center"])
    return f'<inertial pos="{center}" mass="{mass["mass"]!r}" fullinertia="{numbers(full)}"/>'


def meets(scene, a, b):
    one, other = scene["bodies"][a], scene["bodies"][b]
    if "free" not in (one["role"], other["role"]) or [a, b] in scene["exclusions"]:
        return False
    return one["layers"][0] & other["layers"][1] != 0 and other["layers"][0] & one["layers"][1] != 0


def contacts(scene, names, dt):
    """Pairs written out, or None where all are alike and there are too many of them."""
    bodies = scene["bodies"]
    n = len(bodies)
    meeting = [(a, b) for a in range(n) for b in range(a + 1, n) if meets(scene, a, b)]
    count = sum(len(names[a]) * len(names[b]) for a, b in meeting)
    value = lambda a, b: (scene["friction"][bodies[a]["material"]][bodies[b]["material"]],
                          scene["restitution"][bodies[a]["material"]][bodies[b]["material"]])
    if count > MOST_PAIRS:
        values = {value(a, b) for a, b in meeting}
        if len(values) > 1 or scene["exclusions"]:
            refuse("it has too many pairs of different materials")
        return None, values.pop()
    lines = []
    for a, b in meeting:
        friction, restitution = value(a, b)
        # Friction of zero is the frictionless dimension: MuJoCo takes no zero coefficient.
        law = f'condim="3" friction="{numbers([friction, friction, 0, 0, 0])}"' if friction > 0 else 'condim="1"'
        for first in names[a]:
            for second in names[b]:
                lines.append(f'<pair geom1="{first}" geom2="{second}" {law} solref="{solref(restitution, dt)}" solimp="{SOLIMP}"/>')
    return lines, None


def model_of(scene, dt):
    assets, bodies, names = [], [], []
    for index, body in enumerate(scene["bodies"]):
        if body["role"] == "driven":
            refuse("bodies are driven: its contacts do not feel the speed of a body that is moved by its pose")
        if body["until"] is not None:
            refuse("bodies are taken away: its models do not change")
        is_free = body["role"] == "free"
        own = [f"g{index}_{k}" for k in range(len(body["parts"]))]
        geoms = [geometry(part, name, assets, is_free) for part, name in zip(body["parts"], own)]
        names.append(own)
        inside = "<freejoint/>" + inertial(body["mass"]) if is_free else ""
        bodies.append(f'<body name="b{index}" pos="{numbers(body["position"])}" quat="{quaternion(body["orientation"])}">'
                      + inside + "".join(geoms) + "</body>")
    pairs, common = contacts(scene, names, dt)
    bits = (0, 0) if pairs is not None else (1, 1)
    default = ""
    if common is not None:
        friction, restitution = common
        law = f'condim="3" friction="{numbers([friction, 0, 0])}"' if friction > 0 else 'condim="1"'
        default = f'<default><geom {law} solref="{solref(restitution, dt)}" solimp="{SOLIMP}"/></default>'
    text = "".join(bodies).replace('contype="%d" conaffinity="%d"', f'contype="{bits[0]}" conaffinity="{bits[1]}"')
    return (f'<mujoco><compiler angle="radian" balanceinertia="false"/>'
            f'<option timestep="{dt!r}" cone="elliptic" gravity="{numbers(scene["gravity"])}"/>{default}'
            f'<asset>{"".join(assets)}</asset><worldbody>{text}</worldbody>'
            f'<contact>{"".join(pairs or [])}</contact></mujoco>')


class Free:
    """A free body: MuJoCo follows its frame, with the angular velocity in its own axes; we, its centre of mass."""

    def __init__(self, model, index, body):
        joint = model.body_jntadr[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, f"b{index}")]
        self.q, self.v = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
        self.center = np.array(body["mass"]["center"])
        self.mass, self.inertia = body["mass"]["mass"], np.array(body["mass"]["inertia"])

    def state(self, data):
        p, (w, x, y, z) = data.qpos[self.q:self.q + 3], data.qpos[self.q + 3:self.q + 7]
        turn = matrix([x, y, z, w])
        arm, spin = turn @ self.center, turn @ data.qvel[self.v + 3:self.v + 6]
        velocity = data.qvel[self.v:self.v + 3] + np.cross(spin, arm)
        return p + arm, np.array([x, y, z, w]), velocity, spin, turn

    def rows(self, places, speeds):
        """The same of many states, one to a row, without the matrix."""
        p, (w, x, y, z) = places[:, self.q:self.q + 3], places[:, self.q + 3:self.q + 7].T
        turn = np.moveaxis(matrix([x, y, z, w]), 2, 0)
        arm, spin = turn @ self.center, np.einsum("nij,nj->ni", turn, speeds[:, self.v + 3:self.v + 6])
        velocity = speeds[:, self.v:self.v + 3] + np.cross(spin, arm)
        return np.hstack([p + arm, np.array([x, y, z, w]).T, velocity, spin])

    def set_velocity(self, data, velocity, spin):
        _, _, _, _, turn = self.state(data)
        data.qvel[self.v:self.v + 3] = velocity - np.cross(spin, turn @ self.center)
        data.qvel[self.v + 3:self.v + 6] = turn.T @ spin

    def strike(self, data, blow):
        place, _, velocity, spin, turn = self.state(data)
        point = place
        if blow["point"] is not None:
            point = np.array(blow["point"])
            if blow["in_body"]:
                point = place + turn @ (point - self.center)
        impulse = np.array(blow["impulse"])
        moment = np.cross(point - place, impulse) + np.array(blow["angular"])
        more = turn @ np.linalg.solve(self.inertia, turn.T @ moment)
        self.set_velocity(data, velocity + impulse / self.mass, spin + more)


def beginning(scene, model, free):
    data = mujoco.MjData(model)
    model.opt.gravity[:] = scene["gravity"]
    for index, body in free.items():
        given = scene["bodies"][index]
        body.set_velocity(data, np.array(given["velocity"]), np.array(given["angular_velocity"]))
    return data


def act(model, data, free, event):
    """A blow or a change of gravity."""
    if isinstance(event, dict):
        free[event["body"]].strike(data, event)
    else:
        model.opt.gravity[:] = event


def events_of(scene, dt, steps):
    """Step before which something acts, and what."""
    events = [(round(blow["at"] / dt), blow) for blow in scene["impulses"]]
    events += [(round(at / dt), gravity) for at, gravity in scene["gravity_changes"]]
    return sorted((event for event in events if event[0] <= steps), key=lambda event: event[0])


def timed(scene, dt, steps, model, free):
    """Time of stepping alone, as the thread worked."""
    data, cpu, step = beginning(scene, model, free), 0.0, 0
    for until, event in events_of(scene, dt, steps) + [(steps, None)]:
        if until > step:
            started = time.thread_time()
            mujoco.mj_step(model, data, until - step)
            cpu += time.thread_time() - started
            step = until
        if event is not None:
            act(model, data, free, event)
    return cpu


def broken(data):
    kinds = mujoco.mjtWarning
    return any(data.warning[int(kind)].number for kind in (kinds.mjWARN_BADQPOS, kinds.mjWARN_BADQVEL, kinds.mjWARN_BADQACC))


def followed(scene, dt, steps, stride, model, free):
    """States, every so many steps, and why they mean nothing."""
    data, events, failed = beginning(scene, model, free), events_of(scene, dt, steps), None
    kept = sorted(set(range(0, steps, stride)) | {steps})
    places, speeds = np.empty((len(kept), model.nq)), np.empty((len(kept), model.nv))
    step = 0
    for row, until in enumerate(kept):
        while step < until:
            while events and events[0][0] <= step:
                act(model, data, free, events.pop(0)[1])
            stop = min(until, events[0][0]) if events else until
            mujoco.mj_step(model, data, stop - step)
            step = stop
        places[row], speeds[row] = data.qpos, data.qvel
        if failed is None and broken(data):
            failed = f"its numbers grew too large by {step * dt:.3f} s, and it began anew"
    columns = [body.rows(places, speeds) for body in free.values()]
    return np.hstack([np.array(kept)[:, None] * dt] + columns), failed


def main():
    request = json.load(sys.stdin)
    scene, dt, stride = request["scene"], request["dt"], request["stride"]
    try:
        model = mujoco.MjModel.from_xml_string(model_of(scene, dt))
    except ValueError as error:
        refuse(str(error).splitlines()[0])
    free = {i: Free(model, i, body) for i, body in enumerate(scene["bodies"]) if body["role"] == "free"}
    steps = max(0, math.ceil(scene["until"] / dt - 1e-9))
    cpu = timed(scene, dt, steps, model, free)
    if cpu < SHORT:
        cpu = min(cpu, timed(scene, dt, steps, model, free))
    rows, failed = followed(scene, dt, steps, stride, model, free)
    head = {"steps": steps, "cpu": cpu, "rows": len(rows), "failed": failed}
    sys.stdout.buffer.write((json.dumps(head) + "\n").encode())
    sys.stdout.buffer.write(rows.astype("<f8").tobytes())


# Warnings go to a file in the current folder.
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
    os.chdir("/")
