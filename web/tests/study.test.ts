// Positions and analyses of every edition, out and in again; tests/page/test_study.py writes the data files and states.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { EditionData } from "../src/local/edition.ts";
import { Kernel } from "../src/local/kernel.ts";
import { Positions } from "../src/local/position.ts";
import { BadAddress } from "../src/net/compressed.ts";
import type { MapFile } from "../src/net/wire.ts";
import { decode, encode } from "../src/study/address.ts";
import { Board, Impossible, type Start } from "../src/study/board.ts";
import { newDeal } from "../src/study/setup/deal.ts";
import { asTurn, cleared, giveTicket, knownBy, layRoute, withSeat } from "../src/study/setup/draft.ts";

interface Story {
  edition: string;
  map: string;
  table: string;
  seats: number;
  /** records in base64, of one game in its order */
  states: string[];
  /** by state: the views of all seats */
  views: string[][];
}

const folder = process.env["MACAZ_STUDY"];
const code = readFileSync(new URL("../../src/macaz/kernel/macaz.wasm", import.meta.url));
const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "base64"));
const fileOf = (name: string): ArrayBuffer => Uint8Array.from(readFileSync(join(folder ?? "", name))).buffer;

const stories = folder
  ? readdirSync(folder)
      .filter((name) => name.startsWith("story-"))
      .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Story)
  : [];

async function setOut(story: Story): Promise<{ kernel: Kernel; edition: EditionData }> {
  const kernel = await Kernel.load(code);
  const map = JSON.parse(new TextDecoder().decode(fileOf(story.map))) as MapFile;
  const edition = new EditionData(map);
  edition.add(story.seats, fileOf(story.table));
  return { kernel, edition };
}

const startOf = (edition: EditionData, seats: number, position: Start["position"]): Start => ({
  ...{ edition: edition.map.id, fingerprint: edition.map.fingerprint, knowing: "all", seed: "1", position },
  names: Array.from({ length: seats }, (_, seat) => `Ș${seat}`),
  colors: (["blue", "red", "green", "yellow", "black", "purple"] as const).slice(0, seats),
});

describe.skipIf(!folder)("with states of games", () => {
  test.each(stories)("$edition: states and views go out and in", async (story) => {
    const { kernel, edition } = await setOut(story);
    const positions = new Positions(kernel, edition, story.seats);
    for (const [i, state] of story.states.entries()) {
      const data: unknown = JSON.parse(JSON.stringify(positions.ofState(bytesOf(state))));
      const draft = positions.read(data);
      expect(positions.problems(draft)).toEqual([]);
      expect(Buffer.from(positions.state(draft)).toString("base64")).toBe(state);
      for (const view of story.views[i] ?? []) {
        const seen = positions.read(JSON.parse(JSON.stringify(positions.ofView(bytesOf(view)))));
        expect(positions.problems(seen)).toEqual([]);
        expect(Buffer.from(positions.view(seen)).toString("base64")).toBe(view);
      }
      const together = positions.read(positions.ofViews((story.views[i] ?? []).map(bytesOf)));
      expect(positions.problems(together)).toEqual([]);
    }
  });

  test.each(stories)("$edition: an address holds an analysis", async (story) => {
    const { kernel, edition } = await setOut(story);
    const positions = new Positions(kernel, edition, story.seats);
    const middle = story.states[Math.floor(story.states.length / 2)] ?? "";
    const board = new Board(
      kernel,
      edition,
      startOf(edition, story.seats, positions.ofState(bytesOf(middle))),
    );
    let node = 0;
    for (let n = 0; n < 12 && !board.game(node).over; n += 1) {
      const [seat = 0] = board.game(node).deciding;
      const legal = board.game(node).legal(seat);
      const other = legal[(7 * n + 3) % legal.length];
      board.play(node, seat, legal[0]?.action ?? 0);
      node = board.play(node, seat, other?.action ?? 0);
    }
    const text = await encode({ start: board.start, tree: board.tree, node, other: 1 });
    expect(text).toMatch(/^[\w-]+$/);
    expect(text.length).toBeLessThan(2500);
    const again = await decode(text);
    expect(again.start).toEqual(JSON.parse(JSON.stringify(board.start)));
    expect(again.tree.tried).toEqual(board.tree.tried);
    const same = new Board(kernel, edition, again.start, again.tree);
    expect(same.lost).toBe(0);
    expect([...same.game(node).snapshot()]).toEqual([...board.game(node).snapshot()]);
    for (const cut of [
      text.slice(0, -9),
      text.replace(/.{8}$/, "AAAAAAAA"),
      "1",
      "",
      "0e30",
      `9${text.slice(1)}`,
    ])
      await expect(decode(cut)).rejects.toThrow(BadAddress);
  });

  test.each(stories)("$edition: luck can be drawn again, and chosen; a seat's knowledge", async (story) => {
    const { kernel, edition } = await setOut(story);
    const position = newDeal(kernel, edition, story.seats, "3");
    const board = new Board(kernel, edition, startOf(edition, story.seats, position));
    const blind = board
      .game(0)
      .legal(0)
      .find(({ type }) => type === "blind");
    const node = board.play(0, 0, blind?.action ?? -1);
    expect(board.play(0, 0, blind?.action ?? -1)).toBe(node);
    const other = board.redraw(node);
    expect(other).not.toBe(node);
    const [luck] = board.luck(node);
    const wanted = luck?.possible.find((color) => color !== luck.outcome) ?? 0;
    expect(board.luck(board.choose(node, 0, wanted))[0]?.outcome).toBe(wanted);
    const known = board.from({ knowing: 0 });
    expect(known.game(0).view(0)).toEqual(board.game(0).view(0));
    expect(known.lost).toBe(0);
    const [one, two] = ["5", "6"].map((seed) => board.from({ knowing: 0, seed }).game(0).view("all").seats);
    expect(one?.[0]).toEqual(two?.[0]);
    expect(one?.slice(1)).not.toEqual(two?.slice(1));
  });

  test.each(stories)("$edition: what is set up by hand is checked", async (story) => {
    const { kernel, edition } = await setOut(story);
    const { map } = edition;
    const positions = new Positions(kernel, edition, story.seats);
    const names = (data: Start["position"]): string[] =>
      positions.problems(positions.read(data)).map(({ name }) => name);
    const dealt = asTurn(newDeal(kernel, edition, story.seats, "4"));
    expect(names(dealt)).toEqual([]);
    for (const state of story.states) {
      const turned = asTurn(positions.ofState(bytesOf(state)));
      // The last round depends on who ended a turn, which is not asked here.
      expect(
        names(turned).filter((name) => !["last-missing", "last-with-trains", "start-missing"].includes(name)),
      ).toEqual([]);
    }
    const bare = cleared(dealt, map);
    if (!map.rules.phases.includes("start-city")) expect(names(bare)).toEqual([]);
    const many = Array<number>(9).fill(0).with(0, 99);
    expect(names(withSeat(dealt, 0, { hand: many }))).toContain("card-count");
    expect(names({ ...dealt, row: Array<number>(9).fill(0) })).toContain("row-short");
    let all = dealt;
    map.routes.forEach(({ lane }, route) => {
      if (lane === 0) all = layRoute(all, route, { what: "trains", seat: 1 });
    });
    expect(names(all)).toContain("trains-exceeded");
    const [ticket = 0] = dealt.seats[1]?.tickets ?? [];
    const given = giveTicket(dealt, ticket, 0);
    expect(given.seats[0]?.tickets).toContain(ticket);
    expect(given.seats[1]?.tickets).not.toContain(ticket);
    const counts = positions.counts(positions.read(dealt));
    const seen = knownBy(dealt, 1, counts);
    expect(names(seen)).toEqual([]);
    expect(names(withSeat(seen, 0, { hand_size: 200 }))).toContain("unseen-count");
    expect(names(knownBy(seen, null, counts))).toEqual([]);
    const impossible = { ...dealt, row: Array<number>(9).fill(0) };
    expect(() => new Board(kernel, edition, startOf(edition, story.seats, impossible))).toThrow(Impossible);
    const board = new Board(kernel, edition, { ...startOf(edition, story.seats, seen), knowing: 1 });
    expect(board.game(0).legal(0).length).toBeGreaterThan(0);
  });
});
