"""Answers questions about Pinocchio and MuJoCo, one JSON object a line. Times are those that the thread worked [s]."""

import json
import sys
import time

import mujoco
import numpy as np
import pinocchio as pin

MODELS = {}
ALIGNED = {
    "revolute": (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ),
    "prismatic": (pin.JointModelPX, pin.JointModelPY, pin.JointModelPZ),
}
UNALIGNED = {"revolute": pin.JointModelRevoluteUnaligned, "prismatic": pin.JointModelPrismaticUnaligned}


def joint_of(link):
    kind = link["joint"]
    if kind == "spherical":
        return pin.JointModelSpherical()
    if kind == "floating":
        return pin.JointModelFreeFlyer()
    axis = np.array(link["axis"], dtype=float)
    # As its URDF reader does: axes along x, y and z have joints of their own, which are faster.
    for k in range(3):
        if np.array_equal(axis, np.eye(3)[k]):
            return ALIGNED[kind][k]()
    return UNALIGNED[kind](axis)


def build(question):
    given = question["model"]
    model = pin.Model()
    model.gravity.linear = np.array(given["gravity"])
    for k, link in enumerate(given["bodies"]):
        place = pin.SE3(np.array(link["R"]).reshape(3, 3), np.array(link["p"]))
        joint = model.addJoint(link["parent"] + 1, joint_of(link), place, f"joint {k}")
        inertia = pin.Inertia(link["mass"], np.array(link["com"]), np.array(link["inertia_com"]).reshape(3, 3))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    data = model.createData()
    states = [tuple(np.array(s[key]) for key in ("q", "v", "tau")) for s in given["samples"]]
    MODELS[question["name"]] = model, data, states
    return {"accelerations": [pin.aba(model, data, *state).tolist() for state in states]}


def repeated(model, data, states, calls):
    aba, rounds = pin.aba, calls // len(states)
    started = time.thread_time()
    for _ in range(rounds):
        for q, v, tau in states:
            aba(model, data, q, v, tau)
    return (time.thread_time() - started) / (rounds * len(states))


def timed(question):
    return {"seconds": repeated(*MODELS[question["name"]], question["calls"])}


def overhead(question):
    """The same loop and the same call, of a model without joints: what Python and the binding take."""
    if "" not in MODELS:
        model = pin.Model()
        MODELS[""] = model, model.createData(), [(np.zeros(0),) * 3] * 8
    return {"seconds": repeated(*MODELS[""], question["calls"])}


def rods(question):
    count, length, mass = question["count"], question["length"], question["mass"]
    moment = mass * length**2 / 12
    text = ""
    for i in reversed(range(count)):
        # A rod has no inertia about itself, which MuJoCo refuses; nothing turns about it here.
        text = (f'<body pos="{length if i else 0!r} 0 0"><joint type="hinge" axis="0 1 0"/>'
                f'<inertial pos="{length / 2!r} 0 0" mass="{mass!r}" diaginertia="1e-12 {moment!r} {moment!r}"/>{text}</body>')
    MODELS["rods"] = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{question["dt"]!r}" integrator="RK4" gravity="0 0 -9.81"/>'
        f'<worldbody>{text}</worldbody></mujoco>')
    return {}


def rods_time(question):
    data, steps = mujoco.MjData(MODELS["rods"]), question["steps"]
    started = time.thread_time()
    mujoco.mj_step(MODELS["rods"], data, steps)
    return {"seconds": time.thread_time() - started}


def rods_energy(question):
    """Largest change of the energy, looked at after every step [J]."""
    model, worst = MODELS["rods"], 0.0
    data = mujoco.MjData(model)

    def energy():
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        mujoco.mj_energyPos(model, data)
        mujoco.mj_energyVel(model, data)
        return data.energy[0] + data.energy[1]

    first = energy()
    for _ in range(question["steps"]):
        mujoco.mj_step(model, data)
        worst = max(worst, abs(energy() - first))
    return {"energy": worst, "time": data.time}


def hello(_):
    return {"versions": f"Pinocchio {pin.__version__}, MuJoCo {mujoco.__version__}"}


ANSWERS = {"hello": hello, "build": build, "aba": timed, "overhead": overhead, "rods": rods,
           "rods_time": rods_time, "rods_energy": rods_energy}
for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps(ANSWERS[question["do"]](question)))
