"""Robots of others, as Carom imports them, beside Pinocchio and MuJoCo.

    cargo build --example robot_dynamics -p carom-scene
    python oracles/tools/robots.py [--program target/debug/examples/robot_dynamics] [--states 5] [NAME ...]

needs `pip install pin example-robot-data mujoco numpy`. Every URDF of example-robot-data is read twice, with its root held and floating,
in random states; mass matrix and accelerations are compared with Pinocchio's `crba` and `aba`. The same robots as MJCF, which MuJoCo
writes of them without their meshes, MJCF files of this project and any that are given are compared with MuJoCo's. Differences are
relative to the largest entry. The exit status is 1 where one is above 1e-9, or where a robot is refused that the other program reads,
unless KNOWN says why.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TOLERANCE = 1e-9

# Part of a path, and what is the matter with the robot.
KNOWN = {
    "bolt.urdf": "feet with inertia and no mass, which no body has: left out, and told",
    "icub": "links with mass and no inertia: refused",
    "romeo.urdf": "finger tips without mass on hinges of their own: refused",
    "romeo_laas_small.urdf": "meshes that are not in the package: refused",
    "romeo_small.urdf": "an inertia that no body has: refused, unless asked to balance it",
    "tests/robots/arm.urdf": "a root without mass, which cannot float: refused",
    "ur3.urdf": "a robot without a name: Pinocchio refuses it",
    "quadrotor_base.urdf": "one body and no joint: no linkage",
}


class Carom:
    """The program that answers for us, one question a line."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def matrix_of(quaternion):
    x, y, z, w = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def at_center(pose):
    """Velocity of a body's centre of mass in its axes, from that of the root's origin in the root's, which is the world's."""
    turn = matrix_of(pose[3:]).T
    change = np.zeros((6, 6))
    change[:3, :3] = turn
    change[:3, 3:] = -turn @ skew(pose[:3])
    change[3:, 3:] = turn
    return change


def differences(answer, columns, matrix, accelerations):
    """Ours in the other's freedoms: ours v = C·v, C block by block; H' = CᵀHC and C·v̇' = v̇."""
    n = len(answer["freedoms"])
    if set(columns) != set(answer["freedoms"]) or len(columns) != n:
        return None
    change = np.zeros((n, n))
    done = set()
    for row, name in enumerate(answer["freedoms"]):
        body = name.rsplit(" floats, ", 1)[0]
        if body != name and body in answer["floating"]:
            if body not in done:
                done.add(body)
                at = columns.index(f"{body} floats, 0")
                change[row : row + 6, at : at + 6] = at_center(np.array(answer["floating"][body]))
        else:
            change[row, columns.index(name)] = 1.0
    ours = change.T @ np.array(answer["mass_matrix"]) @ change
    found = np.linalg.solve(change, np.array(answer["accelerations"]))
    off = np.abs(ours - matrix).max() / np.abs(matrix).max()
    return off, np.abs(found - accelerations).max() / max(np.abs(accelerations).max(), 1e-300)


def reason(error):
    """Without what is only told by the way."""
    return "; ".join(part for part in error.split("; ") if "scenes leave this shape out" not in part)


def urdf_case(carom, path, free, seed, search):
    import pinocchio as pin

    model = pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer()) if free else pin.buildModelFromUrdf(path)
    data = model.createData()
    draw = random.Random(seed)
    q, v = pin.neutral(model), np.zeros(model.nv)
    start, rates, columns = {}, {}, [None] * model.nv
    for index in range(1, model.njoints):
        joint, name = model.joints[index], model.names[index]
        if free and index == 1:
            continue
        angle, rate = (draw.uniform(-1, 1), draw.uniform(-2, 2)) if seed else (0.0, 0.0)
        if joint.nq == 2:
            q[joint.idx_q : joint.idx_q + 2] = math.cos(angle), math.sin(angle)
        elif joint.nq == 1:
            q[joint.idx_q] = angle
        else:
            return "a joint of several freedoms"
        v[joint.idx_v] = rate
        columns[joint.idx_v] = name
        start[name], rates[name] = [angle], rate
    answer = carom.ask(file=path, base="free" if free else "fixed", start=start, rates=rates, search=search)
    if "error" in answer:
        return reason(answer["error"])
    if not answer["freedoms"] and not model.nv:
        return 0.0, 0.0
    if free:
        if len(answer["floating"]) != 1:
            return f"{len(answer['floating'])} bodies float"
        columns[:6] = [f"{next(iter(answer['floating']))} floats, {i}" for i in range(6)]
    model.gravity.linear = np.array(answer["gravity"])
    damping = np.array(getattr(model, "damping", np.zeros(model.nv)))
    accelerations = pin.aba(model, data, q, v, -damping * v)
    matrix = pin.crba(model, data, q)
    matrix = np.triu(matrix) + np.triu(matrix, 1).T
    found = differences(answer, columns, matrix, accelerations)
    return found or f"freedoms differ: {sorted(set(columns) ^ set(answer['freedoms']))[:6]}"


def mjcf_case(carom, path, seed):
    import mujoco

    model = mujoco.MjModel.from_xml_path(path)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_ACTUATION
    data = mujoco.MjData(model)
    draw = random.Random(seed)
    start, rates, columns = {}, {}, [None] * model.nv
    for index in range(model.njnt):
        name, kind = model.joint(index).name, model.jnt_type[index]
        at, dof = model.jnt_qposadr[index], model.jnt_dofadr[index]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            body = model.body(model.jnt_bodyid[index]).name
            columns[dof : dof + 6] = [f"{body} floats, {i}" for i in range(6)]
            # MuJoCo's free velocity is linear in the world and angular in the body; with the body at the identity they agree,
            # and at rest so do their derivatives.
            data.qpos[at : at + 7] = 0, 0, 0, 1, 0, 0, 0
            start[name] = [0, 0, 0, 0, 0, 0, 1]
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            turn = np.array([1.5, draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(-1, 1)])
            turn /= np.linalg.norm(turn)
            data.qpos[at : at + 4] = turn
            columns[dof : dof + 3] = [f"{name}, {i}" for i in range(3)]
            start[name] = [*turn[1:], turn[0]]
        else:
            data.qpos[at], data.qvel[dof] = draw.uniform(-1, 1), draw.uniform(-2, 2)
            columns[dof] = name
            start[name], rates[name] = [data.qpos[at]], data.qvel[dof]
    mujoco.mj_forward(model, data)
    matrix = np.zeros((model.nv, model.nv))
    if hasattr(data, "qM"):
        mujoco.mj_fullM(model, matrix, data.qM)
    else:
        mujoco.mj_fullM(model, data, matrix)
    answer = carom.ask(file=path, start=start, rates=rates)
    if "error" in answer:
        return reason(answer["error"])
    found = differences(answer, columns, matrix, data.qacc_smooth)
    return found or f"freedoms differ: {sorted(set(columns) ^ set(answer['freedoms']))[:6]}"


def as_mjcf(path, folder):
    """A URDF as MuJoCo writes it, bodies and joints only; none where MuJoCo refuses it."""
    import mujoco

    tree = ElementTree.parse(path)
    for link in tree.getroot().iter("link"):
        for tag in ("visual", "collision"):
            for element in link.findall(tag):
                link.remove(element)
    for tag in ("gazebo", "transmission", "mujoco"):
        for element in tree.getroot().findall(tag):
            tree.getroot().remove(element)
    stripped = os.path.join(folder, "robot.urdf")
    tree.write(stripped)
    try:
        model = mujoco.MjModel.from_xml_path(stripped)
    except ValueError:
        return None
    if not model.nv:
        return None
    written = os.path.join(folder, os.path.basename(path) + ".xml")
    mujoco.mj_saveLastXML(written, model)
    return written


def robots_folder():
    import pinocchio

    folder = os.path.dirname(pinocchio.__file__)
    while folder != "/":
        found = os.path.join(folder, "share", "example-robot-data", "robots")
        if os.path.isdir(found):
            return found
        folder = os.path.dirname(folder)
    sys.exit("example-robot-data is not installed")


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("names", nargs="*", help="parts of paths; all robots unless given")
    words.add_argument("--program", default=os.path.join(ROOT, "target/debug/examples/robot_dynamics"))
    words.add_argument("--states", type=int, default=5)
    words = words.parse_args()
    carom = Carom(words.program)
    folder = robots_folder()
    files = [os.path.join(at, file) for at, _, files in os.walk(folder) for file in files if file.endswith(".urdf")]
    mine = [os.path.join(ROOT, "crates/carom-scene/tests/robots/walker.xml")]
    own = [os.path.join(ROOT, "parts/quadruped.urdf"), os.path.join(ROOT, "crates/carom-scene/tests/robots/arm.urdf")]
    print("| robot | base | states | mass matrix off by | accelerations off by | |")
    print("|---|---|---|---|---|---|")
    wrong = agreed = 0
    cases = [(path, free) for path in sorted(files) + own for free in (False, True)]
    cases += [(path, None) for path in mine + [name for name in words.names if name.endswith(".xml")]]
    written = tempfile.TemporaryDirectory()
    known = 0
    for path, free in cases + [(path, "mjcf") for path in sorted(files)]:
        if words.names and not any(name in path for name in words.names):
            continue
        worst, refused = np.zeros(2), None
        name = os.path.relpath(path, folder if path.startswith(folder) else ROOT)
        if free == "mjcf":
            path = as_mjcf(path, written.name)
            if path is None:
                continue
        for seed in range(words.states):
            try:
                if free in (None, "mjcf"):
                    found = mjcf_case(carom, path, seed)
                else:
                    found = urdf_case(carom, path, free, seed, [folder])
            except ValueError as error:
                found = f"the other program: {error}"
            if isinstance(found, str):
                refused = found
                break
            worst = np.maximum(worst, found)
        base = {None: "MJCF", "mjcf": "as MJCF", False: "held", True: "floats"}[free]
        good = not refused and worst.max() < TOLERANCE
        why = next((why for part, why in KNOWN.items() if part in name), None)
        if good:
            agreed += 1
            print(f"| {name} | {base} | {words.states} | {worst[0]:.1e} | {worst[1]:.1e} | |", flush=True)
        elif why:
            known += 1
            print(f"| {name} | {base} | | | | {why} |", flush=True)
        else:
            wrong += 1
            what = " ".join(refused.split())[:300] if refused else f"off by {worst}"
            print(f"| {name} | {base} | | | | **!** {what} |", flush=True)
    print(f"\n{agreed} set-ups agree to {TOLERANCE:g}; {known} do not for reasons of their files, {wrong} for others")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
