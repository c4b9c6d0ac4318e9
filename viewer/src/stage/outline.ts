// A line around the selected body, of the same width on the screen at any distance.

import * as three from "three";

const VERTEX = `
  uniform float width;
  void main() {
    vec4 view = modelViewMatrix * vec4(position, 1.0);
    vec3 out_ = normalize(normalMatrix * normal);
    view.xyz += out_ * width * -view.z;
    gl_Position = projectionMatrix * view;
  }`;

const FRAGMENT = `
  uniform vec3 ink;
  void main() {
    gl_FragColor = vec4(ink, 1.0);
    #include <colorspace_fragment>
  }`;

export class Outline {
  readonly mesh: three.Mesh<three.BufferGeometry, three.ShaderMaterial>;

  constructor() {
    const material = new three.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { width: { value: 0.0035 }, ink: { value: new three.Color(0xff8c1a) } },
      side: three.BackSide,
    });
    this.mesh = new three.Mesh(new three.BufferGeometry(), material);
    this.mesh.matrixAutoUpdate = false;
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  setGeometry(geometry: three.BufferGeometry | null): void {
    this.mesh.visible = geometry !== null;
    if (geometry) this.mesh.geometry = geometry;
  }
}
