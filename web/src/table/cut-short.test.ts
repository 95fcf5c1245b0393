// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";

import type { Animator } from "../game/animator.svelte.ts";
import { CutShort } from "./cut-short.ts";

let animator: { busy: boolean; leadsToMoves: boolean; skip: () => void };
let cut: CutShort;
let card: HTMLElement;
let plain: HTMLElement;
let taken: number;

beforeEach(() => {
  document.body.innerHTML = `<main><div data-offers><button data-take="3"></button></div><p></p></main>`;
  const main = document.querySelector("main") as HTMLElement;
  card = document.querySelector("button") as HTMLElement;
  plain = document.querySelector("p") as HTMLElement;
  animator = { busy: true, leadsToMoves: true, skip: vi.fn(() => (animator.busy = false)) };
  cut = new CutShort(() => animator as unknown as Animator);
  main.addEventListener("pointerdown", cut.press, true);
  main.addEventListener("click", cut.click, true);
  taken = 0;
  card.addEventListener("click", () => (taken += 1));
});

const press = (element: HTMLElement): boolean =>
  element.dispatchEvent(new Event("pointerdown", { bubbles: true }));

test("a click during an animation ends it and acts", () => {
  press(card);
  expect(animator.busy).toBe(false);
  card.click();
  expect(taken).toBe(1);
});

test("a click without a press acts, too", () => {
  card.click();
  expect([animator.busy, taken]).toEqual([false, 1]);
});

test("a card that has changed under the pointer is not taken, with the next click it is", () => {
  animator.skip = () => {
    animator.busy = false;
    card.dataset["take"] = "5";
  };
  press(card);
  card.click();
  expect(taken).toBe(0);
  press(card);
  card.click();
  expect(taken).toBe(1);
});

test("who only looks does not end the animation, but by a click", () => {
  press(plain);
  animator.leadsToMoves = false;
  press(card);
  expect(animator.busy).toBe(true);
  plain.click();
  expect(animator.busy).toBe(false);
});

test("a key acts unless the card is another one now", () => {
  let slot = 3;
  expect(cut.key(() => slot)).toBe(true);
  animator.busy = true;
  animator.skip = () => {
    animator.busy = false;
    slot = 4;
  };
  expect(cut.key(() => slot)).toBe(false);
});
