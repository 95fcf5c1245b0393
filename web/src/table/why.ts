// Why a place on the map has no move, as far as anybody can see it: facts, not rules.

import { LOCOMOTIVE } from "../game/cards.ts";
import { lanesBeside } from "../game/lanes.ts";
import type { Place } from "../game/plan.svelte.ts";
import { payment } from "../game/say.ts";
import type { TableState } from "../game/table.svelte.ts";
import { count, t } from "../words/words.ts";

/** A route or a city in words, and what stands in the way. */
export function why(table: TableState, place: Place): string {
  return "route" in place ? whyRoute(table, place.route) : whyCity(table, place.city);
}

const mayClaim = (table: TableState): boolean =>
  table.seat !== null && table.view?.phase === "turn" && table.view.turn === table.seat && !table.stage.busy;

function whyRoute(table: TableState, number: number): string {
  const { view, map, speaker, seat } = table;
  const route = map.routes[number];
  if (!view || !route) return "";
  const line = speaker.routeLine(number);
  const owner = view.seats.findIndex((known) => known.routes.includes(number));
  if (owner >= 0)
    return t(owner === seat ? "why.own" : "why.taken", { place: line, name: speaker.name(owner) });
  const me = seat === null ? undefined : view.seats[seat];
  if (!me?.hand || !mayClaim(table)) return line;
  const beside = lanesBeside(map, number);
  if (beside.some((lane) => me.routes.includes(lane))) return t("why.own-beside", { place: line });
  const other = view.seats.findIndex((known) => beside.some((lane) => known.routes.includes(lane)));
  const closed = view.seats.length < map.rules.parallel_from; // with more players the other lanes stay open
  if (other >= 0 && closed) return t("why.beside", { place: line, name: speaker.name(other) });
  if (me.trains < route.length)
    return t("why.trains", { place: line, trains: count(me.trains, "play.trains") });
  const locomotives = me.hand[LOCOMOTIVE] ?? 0;
  if (route.color >= 0) {
    return t("why.cards", {
      place: line,
      have: payment(route.color, me.hand[route.color] ?? 0, locomotives),
    });
  }
  const most = me.hand
    .slice(0, LOCOMOTIVE)
    .reduce((best, n, color, all) => (n > (all[best] ?? 0) ? color : best), 0);
  return t("why.cards", { place: line, have: payment(most, me.hand[most] ?? 0, locomotives) });
}

function whyCity(table: TableState, city: number): string {
  const { view, speaker, seat } = table;
  if (!view) return "";
  const name = speaker.city(city);
  const parts = view.seats.flatMap((known, i) => {
    if (!known.marks.includes(city)) return [];
    const key = `why.${i === seat ? "own-" : ""}${table.map.rules.stations ? "station" : "marker"}` as const;
    return [t(key, { place: name, name: speaker.name(i) })];
  });
  if (view.alvin_city === city) parts.push(t("why.alvin", { place: name }));
  return parts.join(" ") || name;
}
