import { expect, test } from "vitest";

import { Tree, type Tried } from "./tree.ts";

const tried = (parent: number, action: number, ...chances: number[]): Tried => ({
  parent,
  seat: 0,
  action,
  chances,
});

function grown(): Tree {
  //  0 - 1 - 2
  //    \ 3 - 4
  //        \ 5
  return new Tree([tried(0, 7), tried(1, 8), tried(0, 9), tried(3, 7), tried(3, 8, 2)]);
}

test("paths and forks", () => {
  const tree = grown();
  expect(tree.path(5)).toEqual([0, 3, 5]);
  expect(tree.fork(4, 5)).toBe(3);
  expect(tree.fork(2, 5)).toBe(0);
  expect(tree.fork(3, 5)).toBe(3);
  expect(tree.children(3)).toEqual([4, 5]);
});

test("the same decision with the same luck is the same node", () => {
  const tree = grown();
  expect(tree.with(tried(3, 8, 2))).toEqual({ tree, node: 5 });
  const other = tree.with(tried(3, 8, 1));
  expect(other.node).toBe(6);
  expect(other.tree.path(6)).toEqual([0, 3, 6]);
});

test("a node is removed with all that follows", () => {
  const { tree, moved } = grown().without(3);
  expect(tree.tried).toEqual([tried(0, 7), tried(1, 8)]);
  expect([0, 1, 2, 3, 4].map(moved)).toEqual([0, 1, 2, 0, 0]);
  const first = grown().without(1);
  expect(first.tree.tried).toEqual([tried(0, 9), tried(1, 7), tried(1, 8, 2)]);
  expect([3, 4, 5].map(first.moved)).toEqual([1, 2, 3]);
});

test("a parent comes before its children", () => {
  expect(() => new Tree([tried(1, 7)])).toThrow();
  expect(() => new Tree([tried(-1, 7)])).toThrow();
});
