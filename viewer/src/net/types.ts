// What the server says, as TypeScript sees it. Lengths in m, times in s, SI throughout; quaternions are xyzw.

export type Vec3 = [number, number, number];

export interface Hello {
  version: string;
  open: null | { scene: string } | { recording: string };
  page: number;
}

export interface SceneCard {
  name: string;
  title: string;
  description: string;
  thumbnail: string;
}

export interface Problem {
  severity: "error" | "warning";
  message: string;
  label: string | null;
  hint: string | null;
  file: string | null;
  line: number | null;
  column: number | null;
}

export type Setting = number | string | boolean;

export interface Parameter {
  name: string;
  value: Setting;
  default: Setting;
  min: number | null;
  max: number | null;
  unit: string | null;
  about: string | null;
  is_set: boolean;
}

export interface Material {
  number: number;
  name: string;
  friction: number | null;
  restitution: number | null;
  law: string | null;
}

export interface CameraPlace {
  eye_m: Vec3;
  target_m: Vec3;
  up?: Vec3 | null;
  fov_deg?: number | null;
}

export interface RunMeta {
  run: string;
  kind: "live" | "recording";
  name: string;
  title: string;
  description: string;
  seed: number;
  until_s: number | null;
  rate_hz: number;
  gravity_m_s2: Vec3;
  up: Vec3;
  camera: CameraPlace | null;
  bounds_m: [Vec3, Vec3];
  parameters: Parameter[];
  materials: Material[];
  laws: string[];
  gauges: Gauge[];
  law: string | null;
  span_s: [number, number];
  is_complete: boolean;
}

export interface Body {
  number: number;
  name: string;
  role: "free" | "fixed" | "scripted" | "carried" | "linked";
  since_s: number;
  material: number | null;
  mass_kg: number | null;
  moments_kg_m2: Vec3 | null;
  reference_m: Vec3;
  color: [number, number, number, number];
  see_through: boolean;
  is_sensor: boolean;
  shape: string;
  geometry: number | string | null;
  plane: null | { normal: Vec3; offset_m: number };
}

export type Quat = [number, number, number, number];

export interface Placement {
  position_m: Vec3;
  orientation_xyzw: Quat;
}

/** One freedom of a joint: forces in N·m or N, by its unit. */
export interface Freedom {
  unit: "rad" | "m";
  lower: number | null;
  upper: number | null;
  damping: number;
  stiffness: number;
  rest: number;
  friction: number;
  /** The most that its motor gives; null where nobody says. */
  effort: number | null;
  speed: number | null;
  /** Who drives it; null where nobody does. */
  control: null | { controller: number; is_rate: boolean; is_enabled: boolean };
}

export interface Joint {
  number: number;
  name: string;
  kind: string;
  since_s: number;
  /** When it was parted or broke; null while it holds. */
  until_s: number | null;
  parent: number | null;
  /** Null for the world. */
  parent_name: string | null;
  child: number;
  /** The frame in which coordinates count, from the parent's reference point, or in the world. */
  parent_from_joint: Placement;
  /** The frame of the child's side, from the child's reference point. */
  child_from_link: Placement;
  axes: Vec3[];
  freedoms: Freedom[];
}

/** What one freedom of a joint does; rows of a joint follow each other in the order of its freedoms. */
export interface JointRow {
  joint: number;
  position: number;
  rate: number;
  force: number;
  target: number | null;
}

export interface JointStates {
  time_s: number;
  rows: JointRow[];
}

/** A spring by which somebody pulls at a body. */
export interface Hand {
  body: number | null;
  /** In the body frame. */
  point_m: Vec3;
  to_m: Vec3;
  stiffness_N_m: number;
  damping_N_s_m: number;
}

/** A sensor with its mount in the frame of a body; one that looks does so along its x axis. */
export interface Gauge extends Placement {
  name: string;
  kind: string;
  /** The name of the body. */
  body: string;
  reach_m: number | null;
}

export interface BodyState {
  time_s: number;
  position_m: Vec3;
  orientation_xyzw: [number, number, number, number];
  velocity_m_s: Vec3;
  angular_velocity_rad_s: Vec3;
  kinetic_J: number;
  potential_J: number;
}

export interface RunEvent {
  time_s: number;
  kind: string;
  a: number | null;
  b: number | null;
  impulse_N_s: number | null;
  text: string;
}

export interface Contact {
  time_s: number;
  a: number;
  b: number;
  kind: "collision" | "micro";
  point_m: Vec3;
  normal: Vec3;
  impulse_N_s: Vec3;
  friction: number;
}

export interface Timeline {
  from_s: number;
  to_s: number;
  kinds: Record<string, number[]>;
}

export type Columns = Record<string, number[]>;

export interface Pair {
  a: number;
  b: number;
  first_s: number;
  last_s: number;
  collisions: number;
  micro: number;
  normal_impulse_N_s: number;
  largest_N_s: number;
  friction_work_J: number;
  normal_work_J: number;
}

export interface Expectation {
  what: string;
  expected: number | string;
  got: number | string | null;
  tolerance: number | string;
  pass: boolean | null;
  source: string | null;
}

export interface Expectations {
  is_measured: boolean;
  expectations: Expectation[];
}

export interface Near {
  time_s: number;
  lines: { a: number; b: number; from_m: Vec3; to_m: Vec3; gap_m: number }[];
  boxes: { body: number; min_m: Vec3; max_m: Vec3; until_s: number }[];
}

export interface Status {
  say: "status";
  now_s: number;
  is_running: boolean;
  speed: number;
  span_s: [number, number];
  end: null | "complete" | "touch" | "fault";
  message: string | null;
  hash: string | null;
  events: Record<string, number>;
  rate: number;
  gravity_m_s2: Vec3;
  /** How often somebody has acted on the run. */
  actions: number;
  hands: Hand[];
}

export type Say =
  | Status
  | { say: "bodies" }
  | { say: "reload"; problems: Problem[]; text: string }
  | { say: "done"; id: number }
  | { say: "error"; id: number | null; error: string; hint: string | null };
