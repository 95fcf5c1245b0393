// The board without its picture: what is looked at, pointed at and focused. It knows no rules.

import { NO_PLACES, type Place, type Places } from "../game/places.ts";
import { type Geometry, includes, type Point, samePlace } from "./geometry.ts";

/** Where the plate's (0, 0) is in the view, and how many pixels a unit takes. */
export interface Camera {
  x: number;
  y: number;
  scale: number;
}

/** The frame around the plate, in units. */
export const FRAME = 22;
/** A finger needs this much around what it points at, in pixels. */
export const SLACK = 12;

/** What a pointer needs to itself to hit what is meant, in pixels. */
const FINGER = 24;
const MOUSE = 8;

const NARROW = 640; // a view narrower than this is a phone's, in pixels
const READABLE = 0.6; // the least pixels a unit takes there at first
const CLOSEST = 2.5; // the most pixels a unit takes,
const CLOSER = 4; // or so many times more than where all fits

export class BoardState {
  camera: Camera = $state.raw({ x: 0, y: 0, scale: 1 });
  /** whether the camera moves smoothly to its place, as it does not when it follows a finger */
  gliding = $state(false);
  hovered: Place | null = $state.raw(null);

  #focused: Place | null = $state.raw(null);
  #width = $state(0);
  #height = $state(0);
  // Somebody moved the camera, so a new size of the view leaves it where it is. What is only brought
  // into view for a while does not count: with the next size the board is seen as at first again.
  #touched = false;

  /** `choosable` tells what can be chosen now. */
  constructor(
    readonly geometry: Geometry,
    readonly choosable: () => Places = () => NO_PLACES,
  ) {}

  /** What the keyboard points at: only what can be chosen. */
  get focused(): Place | null {
    return this.canChoose(this.#focused) ? this.#focused : null;
  }

  /** How many pixels a unit takes where the whole board is seen. */
  get fitScale(): number {
    const { width, height } = this.geometry;
    return Math.min(this.#width / (width + 2 * FRAME), this.#height / (height + 2 * FRAME)) || 1;
  }

  /** The size of the view: what is to be in it must be looked for again when it changes. */
  get size(): readonly [width: number, height: number] {
    return [this.#width, this.#height];
  }

  get closestScale(): number {
    return Math.max(CLOSEST, CLOSER * this.fitScale);
  }

  /** The view has another size. */
  resize(width: number, height: number): void {
    const middle = this.toPlate(this.#width / 2, this.#height / 2);
    const known = this.#width > 0 && this.#height > 0;
    [this.#width, this.#height] = [width, height];
    this.gliding = false;
    if (!known || !this.#touched) this.home();
    else this.#look(middle, Math.max(this.camera.scale, this.fitScale));
  }

  /** How the board is first seen: whole, or on a phone large enough to read. */
  home(): void {
    this.#touched = false;
    const { width, height } = this.geometry;
    const filled = this.#height / (height + 2 * FRAME);
    const scale = this.#width < NARROW ? Math.max(READABLE, filled) : this.fitScale;
    this.#look({ x: width / 2, y: height / 2 }, scale);
  }

  /** See the whole board. */
  fit(): void {
    const { width, height } = this.geometry;
    this.#touched = true;
    this.#look({ x: width / 2, y: height / 2 }, this.fitScale);
  }

  /** Come closer by a factor; what is at (x, y) of the view stays there. */
  zoom(factor: number, x = this.#width / 2, y = this.#height / 2): void {
    const { camera } = this;
    const scale = Math.min(this.closestScale, Math.max(this.fitScale, camera.scale * factor));
    const ratio = scale / camera.scale;
    this.#touched = true;
    this.#set({ x: x - (x - camera.x) * ratio, y: y - (y - camera.y) * ratio, scale });
  }

  /** Move the board by pixels. */
  pan(dx: number, dy: number): void {
    const { x, y, scale } = this.camera;
    this.#touched = true;
    this.#set({ x: x + dx, y: y + dy, scale });
  }

  /** Bring several targets into the view: closer where they fit, further away where they do not. */
  show(targets: readonly Place[]): void {
    const points = targets.map((target) => this.geometry.at(target));
    if (points.length === 0) return;
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const margin = Math.min(60, this.#width / 5, this.#height / 5);
    const room = { x: this.#width - 2 * margin, y: this.#height - 2 * margin };
    const fitting = Math.min(room.x / (right - left || 1), room.y / (bottom - top || 1));
    const here = points.map((point) => this.toView(point));
    const seen = here.every(
      ({ x, y }) => x >= margin && x <= this.#width - margin && y >= margin && y <= this.#height - margin,
    );
    if (seen) return;
    const scale = Math.max(this.fitScale, Math.min(this.camera.scale, fitting));
    this.#look({ x: (left + right) / 2, y: (top + bottom) / 2 }, scale);
  }

  /** Bring a target into the view, if it is not well within it. */
  reveal(target: Place): void {
    const { x, y } = this.toView(this.geometry.at(target));
    const margin = Math.min(80, this.#width / 4, this.#height / 4);
    const dx = Math.max(margin - x, 0) + Math.min(this.#width - margin - x, 0);
    const dy = Math.max(margin - y, 0) + Math.min(this.#height - margin - y, 0);
    const { x: left, y: top, scale } = this.camera;
    if (dx || dy) this.#set({ x: left + dx, y: top + dy, scale });
  }

  toPlate(x: number, y: number): Point {
    const { camera } = this;
    return { x: (x - camera.x) / camera.scale, y: (y - camera.y) / camera.scale };
  }

  toView({ x, y }: Point): Point {
    const { camera } = this;
    return { x: camera.x + x * camera.scale, y: camera.y + y * camera.scale };
  }

  /** What is at a point of the view, or near it: what can be chosen goes before all else. */
  hit(x: number, y: number, slack = SLACK): Place | null {
    return this.geometry.nearest(this.toPlate(x, y), slack / this.camera.scale, this.choosable());
  }

  /** Whether lanes side by side are far enough from each other to point at the one that is meant. */
  tellsLanesApart(pointer: string): boolean {
    return this.geometry.laneStep * this.camera.scale >= (pointer === "mouse" ? MOUSE : FINGER);
  }

  canChoose(target: Place | null): target is Place {
    return target !== null && includes(this.choosable(), target);
  }

  hover(target: Place | null): boolean {
    if (samePlace(target, this.hovered)) return false;
    this.hovered = target;
    return true;
  }

  /** The keyboard points at nothing. */
  unfocus(): void {
    this.#focused = null;
  }

  /** Move the focus in a direction among what can be chosen; whether there is anything. */
  step(direction: Point): boolean {
    const middle = this.toPlate(this.#width / 2, this.#height / 2);
    const { focused, geometry } = this;
    const choosable = this.choosable();
    const found = focused
      ? geometry.next(geometry.at(focused), direction, choosable)
      : geometry.nearest(middle, Infinity, choosable);
    if (this.canChoose(found)) this.#focus(found);
    return choosable.routes.size + choosable.cities.size > 0;
  }

  /** Move the focus to the one after or before, in the order of reading. */
  turn(by: 1 | -1): void {
    const order = this.geometry.inOrder(this.choosable());
    const here = order.findIndex((target) => samePlace(target, this.focused));
    const there = here < 0 ? (by > 0 ? 0 : order.length - 1) : (here + by + order.length) % order.length;
    const target = order[there];
    if (target) this.#focus(target);
  }

  #focus(target: Place): void {
    this.#focused = target;
    this.gliding = true;
    this.reveal(target);
  }

  #look(at: Point, scale: number): void {
    this.#set({ x: this.#width / 2 - at.x * scale, y: this.#height / 2 - at.y * scale, scale });
  }

  /** The board fills the view where it can, and lies in its middle where it cannot. */
  #set({ x, y, scale }: Camera): void {
    const { width, height } = this.geometry;
    this.camera = {
      x: within(x, this.#width, width * scale, FRAME * scale),
      y: within(y, this.#height, height * scale, FRAME * scale),
      scale,
    };
  }
}

function within(start: number, view: number, size: number, frame: number): number {
  const room = view - size;
  return room >= 2 * frame ? room / 2 : Math.min(frame, Math.max(room - frame, start));
}
