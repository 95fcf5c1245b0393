import { beforeEach, expect, test } from "vitest";

import type { Invitation, SeatInfo } from "../net/wire.ts";
import { setLanguage, t } from "../words/words.ts";
import { buttonOf, isPlain, noteOf, offerOf, titleOf } from "./invitation.ts";

const seat = (name: string | null, mine = false): SeatInfo => ({ name, mine }) as SeatInfo;
const invitation = (more: Partial<Invitation>): Invitation =>
  ({
    kind: "join",
    seat: null,
    by: "Ana",
    status: "waiting",
    seats: [seat("Ana"), seat(null)],
    may_sit: true,
    may_watch: true,
    ...more,
  }) as Invitation;

beforeEach(() => setLanguage("en"));

test("an open table: who invites, and a seat", () => {
  const open = invitation({});
  expect([titleOf(open), noteOf(open), offerOf(open)]).toEqual(["Ana invites you", null, "sit"]);
});

test.each([
  ["waiting", "invite.full", "invite.watch", "invite.watch-note"],
  ["running", "invite.begun", "invite.watch", "invite.watch-note"],
  ["finished", "invite.over", "invite.replay", "invite.replay-note"],
] as const)("too late, %s: why, and an offer to watch", (status, title, button, note) => {
  const late = invitation({ status, may_sit: false });
  expect([titleOf(late), buttonOf(late), offerOf(late)]).toEqual([t(title), t(button), "watch"]);
  expect(noteOf(late)).toBe(t(note));
});

test("a closed table, and one that may not be watched, offer nothing", () => {
  const closed = invitation({ status: "closed", may_sit: false, may_watch: false });
  expect([titleOf(closed), offerOf(closed)]).toEqual([t("invite.closed"), null]);
  const hidden = invitation({ kind: "seat", seat: 1, status: "finished", may_sit: false, may_watch: false });
  expect([noteOf(hidden), offerOf(hidden)]).toEqual([t("invite.no-watching"), null]);
});

test("a link to a seat offers it, or moves it", () => {
  expect(titleOf(invitation({ kind: "seat", seat: 1 }))).toBe(t("invite.seat", { name: "Ana", n: 2 }));
  expect(titleOf(invitation({ kind: "seat", seat: 0 }))).toBe(t("invite.take-over", { name: "Ana" }));
});

test("who may watch, or sits there already, is led on at once", () => {
  expect(isPlain(invitation({ kind: "watch", may_sit: false }))).toBe(true);
  expect(isPlain(invitation({ seats: [seat("Ana"), seat("Ion", true)] }))).toBe(true);
  expect(isPlain(invitation({}))).toBe(false);
  expect(isPlain(invitation({ kind: "seat", seat: 1, seats: [seat("Ana", true), seat(null)] }))).toBe(false);
});
