// The state of the board without its drawing: camera, hovered and focused place. It knows no rules.
// Lengths are in units of the plate (the drawing), or in CSS pixels of the view (the visible part).

import { NO_PLACES, type Place, type Places } from "../game/places.ts";
import { type Geometry, includes, type Point, samePlace } from "./geometry.ts";

/** Where the plate's (0, 0) is in the view, in pixels, and how many pixels a unit has. */
interface Camera {
  x: number;
  y: number;
  scale: number;
}

/** The frame around the plate, in units. */
export const FRAME = 22;
/** How far from a place a pointer may be to hit it, in pixels. */
const SLACK = 12;

/** The smallest targets that a finger and a mouse hit reliably, in pixels. */
const FINGER = 24;
const MOUSE = 8;

const NARROW = 640; // pixels: a narrower view is that of a phone
const READABLE = 0.6; // pixels per unit: the least on a phone at first
// The largest scale: CLOSEST, or CLOSER times `fitScale` if that is more.
const CLOSEST = 2.5; // pixels per unit
const CLOSER = 4;

/** The least distance of a shown place from the edge of the view, in pixels; less in a small view. */
const SHOWN_MARGIN = 60; // of several places
const REVEALED_MARGIN = 80; // of one place

export class BoardState {
  camera: Camera = $state.raw({ x: 0, y: 0, scale: 1 });
  /** whether changes of the camera are animated; false while it follows a finger */
  gliding = $state(false);
  hovered: Place | null = $state.raw(null);

  #focused: Place | null = $state.raw(null);
  #width = $state(0);
  #height = $state(0);
  // Whether the player moved the camera. If so, resize() keeps what is in the middle of the view; if not, it
  // calls home(). show() and reveal() do not set this.
  #touched = false;
  // Whether the camera shows the whole board since fit(): resize() keeps it so.
  #whole = false;

  /** `choosable` returns what can be chosen now. */
  constructor(
    readonly geometry: Geometry,
    readonly choosable: () => Places = () => NO_PLACES,
  ) {}

  /** The place that has the keyboard focus: only one that can be chosen. */
  get focused(): Place | null {
    return this.canChoose(this.#focused) ? this.#focused : null;
  }

  /** Pixels per unit at which the whole board fits into the view. */
  get fitScale(): number {
    const { width, height } = this.geometry;
    return Math.min(this.#width / (width + 2 * FRAME), this.#height / (height + 2 * FRAME)) || 1;
  }

  /** Whether the whole board is in the view. */
  get fitted(): boolean {
    return this.camera.scale <= this.fitScale;
  }

  /** The size of the view. Effects that bring a place into it depend on this. */
  get size(): readonly [width: number, height: number] {
    return [this.#width, this.#height];
  }

  get closestScale(): number {
    return Math.max(CLOSEST, CLOSER * this.fitScale);
  }

  /** Set the size of the view. */
  resize(width: number, height: number): void {
    // An observer tells the first size once more, perhaps after something was brought into view.
    if (width === this.#width && height === this.#height) return;
    const middle = this.toPlate(this.#width / 2, this.#height / 2);
    const known = this.#width > 0 && this.#height > 0;
    [this.#width, this.#height] = [width, height];
    this.gliding = false;
    if (this.#whole) this.fit();
    else if (!known || !this.#touched) this.home();
    else this.#look(middle, Math.max(this.camera.scale, this.fitScale));
  }

  /** Show the board as at first: whole, or on a phone large enough to read. */
  home(): void {
    this.#touched = false;
    const { width, height } = this.geometry;
    const filled = this.#height / (height + 2 * FRAME);
    const scale = this.#width < NARROW ? Math.max(READABLE, filled) : this.fitScale;
    this.#look({ x: width / 2, y: height / 2 }, scale);
  }

  /** Show the whole board. */
  fit(): void {
    const { width, height } = this.geometry;
    this.#touched = true;
    this.#look({ x: width / 2, y: height / 2 }, this.fitScale);
    this.#whole = true;
  }

  /** Zoom in by a factor; the point at (x, y) of the view stays there. */
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

  /** Bring several places into the view, and zoom out if they do not fit. */
  show(targets: readonly Place[]): void {
    const points = targets.map((target) => this.geometry.at(target));
    if (points.length === 0) return;
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const margin = Math.min(SHOWN_MARGIN, this.#width / 5, this.#height / 5);
    const inner = { width: this.#width - 2 * margin, height: this.#height - 2 * margin };
    const fitting = Math.min(inner.width / (right - left || 1), inner.height / (bottom - top || 1));
    const inView = points.map((point) => this.toView(point));
    const visible = inView.every(
      ({ x, y }) => x >= margin && x <= this.#width - margin && y >= margin && y <= this.#height - margin,
    );
    if (visible) return;
    const scale = Math.max(this.fitScale, Math.min(this.camera.scale, fitting));
    this.#look({ x: (left + right) / 2, y: (top + bottom) / 2 }, scale);
  }

  /** Bring a place into the view, if it is outside or near the edge. */
  reveal(target: Place): void {
    const { x, y } = this.toView(this.geometry.at(target));
    const margin = Math.min(REVEALED_MARGIN, this.#width / 4, this.#height / 4);
    const dx = Math.max(margin - x, 0) + Math.min(this.#width - margin - x, 0);
    const dy = Math.max(margin - y, 0) + Math.min(this.#height - margin - y, 0);
    const { x: left, y: top, scale } = this.camera;
    if (dx || dy) this.#set({ x: left + dx, y: top + dy, scale });
  }

  /** From pixels of the view to units of the plate. */
  toPlate(x: number, y: number): Point {
    const { camera } = this;
    return { x: (x - camera.x) / camera.scale, y: (y - camera.y) / camera.scale };
  }

  /** From units of the plate to pixels of the view. */
  toView({ x, y }: Point): Point {
    const { camera } = this;
    return { x: camera.x + x * camera.scale, y: camera.y + y * camera.scale };
  }

  /** The place at a point of the view or near it; those that can be chosen have priority. */
  hit(x: number, y: number, slack = SLACK): Place | null {
    return this.geometry.nearest(this.toPlate(x, y), slack / this.camera.scale, this.choosable());
  }

  /** Whether parallel lanes are far enough apart for this pointer to hit the right one. */
  tellsLanesApart(pointer: string): boolean {
    return this.geometry.laneStep * this.camera.scale >= (pointer === "mouse" ? MOUSE : FINGER);
  }

  canChoose(target: Place | null): target is Place {
    return target !== null && includes(this.choosable(), target);
  }

  /** Set the hovered place; false if it was that already. */
  hover(target: Place | null): boolean {
    if (samePlace(target, this.hovered)) return false;
    this.hovered = target;
    return true;
  }

  unfocus(): void {
    this.#focused = null;
  }

  /** Move the focus to the next place in a direction; false if nothing can be chosen. */
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

  /** Move the focus to the next or previous place in reading order. */
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

  /** Show a point of the plate in the middle of the view. */
  #look(at: Point, scale: number): void {
    this.#set({ x: this.#width / 2 - at.x * scale, y: this.#height / 2 - at.y * scale, scale });
  }

  /** Move the camera, so that the board covers the view; in a direction where it is smaller, it is centred. */
  #set({ x, y, scale }: Camera): void {
    this.#whole = false;
    const { width, height } = this.geometry;
    this.camera = {
      x: within(x, this.#width, width * scale, FRAME * scale),
      y: within(y, this.#height, height * scale, FRAME * scale),
      scale,
    };
  }
}

/** The nearest allowed start of a plate of this size, between two frames, in one direction of the view. */
function within(start: number, view: number, size: number, frame: number): number {
  const rest = view - size;
  return rest >= 2 * frame ? rest / 2 : Math.min(frame, Math.max(rest - frame, start));
}
