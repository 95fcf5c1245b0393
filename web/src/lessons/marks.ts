// What the player is to click, marked in the table's own elements.

import type { Plan } from "../game/plan.svelte.ts";
import type { Move } from "../net/wire.ts";

const MARK = "data-lesson-mark";

/** The move to highlight on the map or among the cards: as a hint does, but only while nothing is picked. */
export function highlighted(answers: readonly Move[], plan: Plan): Move | null {
  const [move] = answers;
  return !move || plan.picked || plan.drawing || "tickets" in move ? null : move;
}

/** The buttons that lead to an answer. */
function selectors(answers: readonly Move[], plan: Plan): string[] {
  const [move] = answers;
  if (!move) return [];
  if ("tickets" in move) return move.tickets.map((ticket) => `.decision [data-ticket="${ticket}"]`);
  const ways = answers.map(({ action }) => `.decision [data-action="${action}"]`);
  return move.type === "station" && !plan.building ? ["[data-station]", ...ways] : ways;
}

/** Mark the buttons, also those that appear later; returns what ends it. */
export function mark(answers: readonly Move[], plan: Plan): () => void {
  const wanted = selectors(answers, plan).join(", ");
  if (!wanted) return () => undefined;
  const update = (): void => {
    for (const element of document.querySelectorAll(`[${MARK}]`))
      if (!element.matches(wanted)) element.removeAttribute(MARK);
    for (const element of document.querySelectorAll(wanted)) {
      if (element.hasAttribute(MARK)) continue;
      element.setAttribute(MARK, "");
      element.scrollIntoView({ block: "nearest" }); // a sheet may be higher than its place
    }
  };
  update();
  const observer = new MutationObserver(update);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    for (const element of document.querySelectorAll(`[${MARK}]`)) element.removeAttribute(MARK);
  };
}
