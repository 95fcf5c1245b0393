// What an invitation says, and what it offers.

import type { Invitation, Status } from "../net/wire.ts";
import { type Key, t } from "../words/words.ts";

/** What its button does: sit down (or take a seat over), watch, or nothing. */
export type Offer = "sit" | "watch" | null;

export function offerOf({ may_sit, may_watch }: Invitation): Offer {
  if (may_sit) return "sit";
  return may_watch ? "watch" : null;
}

const LATE: Record<Status, Key> = {
  waiting: "invite.full",
  running: "invite.begun",
  finished: "invite.over",
  closed: "invite.closed",
};

/** Whether it leads where it was meant to lead. */
const isInTime = ({ kind, may_sit, status }: Invitation): boolean =>
  kind === "watch" ? status !== "closed" : may_sit;

/** The seat that moves to this device; null: the link is for another person. */
function takenOver({ kind, seat, seats }: Invitation): string | null {
  return kind === "seat" && seat !== null ? (seats[seat]?.name ?? null) : null;
}

export function titleOf(invitation: Invitation): string {
  if (!isInTime(invitation)) return t(LATE[invitation.status]);
  const moved = takenOver(invitation);
  if (moved !== null) return t("invite.take-over", { name: moved });
  const name = invitation.by ?? t("somebody");
  if (invitation.kind === "watch") return t("invite.watch-by", { name });
  if (invitation.seat !== null) return t("invite.seat", { name, n: invitation.seat + 1 });
  return t("invite.by", { name });
}

/** A sentence below the title; null: the title says it all. */
export function noteOf(invitation: Invitation): string | null {
  if (isInTime(invitation)) return takenOver(invitation) === null ? null : t("invite.take-over-note");
  if (invitation.status === "closed") return t("invite.closed-note");
  if (!invitation.may_watch) return t("invite.no-watching");
  return t(invitation.status === "finished" ? "invite.replay-note" : "invite.watch-note");
}

export function buttonOf(invitation: Invitation): string {
  if (isInTime(invitation)) return t("join.enter");
  return t(invitation.status === "finished" ? "invite.replay" : "invite.watch");
}

/** Whether a person who is known here need not be asked: they watch, or have that seat. */
export const isPlain = ({ kind, seat, seats, may_watch }: Invitation): boolean =>
  kind === "watch" ? may_watch : seat === null ? seats.some(({ mine }) => mine) : seats[seat]?.mine === true;
