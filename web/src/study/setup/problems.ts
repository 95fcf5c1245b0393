// What is impossible in a position, in words.

import { cardName, type GameTexts } from "../../game/texts.ts";
import type { PositionProblem } from "../../local/position.ts";
import { filled } from "../../words/words.ts";
import { words } from "../text.ts";

export function problemWords(problem: PositionProblem, texts: GameTexts): string {
  const { name, seat, other, route, city, ticket, color, have, want, most } = problem;
  const w = words();
  const text = w.problem[name];
  if (text === undefined) return filled(w.otherProblem, { name });
  return filled(text, {
    ...{ have, want, most },
    seat: seat === null ? "" : texts.name(seat),
    other: other === null ? "" : texts.name(other),
    route: route === null ? "" : texts.routeLine(route),
    city: city === null ? "" : texts.city(city),
    ticket: ticket === null ? "" : texts.ticket(ticket),
    card: color === null ? "" : cardName(color),
  });
}
