// The parts of a running table, each drawn from what the server said and nothing else.

import { h } from "./dom.js";
import { cardName } from "./say.js";
import { count, t } from "./words.js";

// These moves have buttons of their own; all others stand in the list.
const BUTTONED = ["take", "blind", "draw-tickets", "keep", "choose"];

const card = (color, content, props) => h("button", { type: "button", class: `card card${color}`, ...props }, content);

/** Face-up cards, the deck, tickets to draw, and my hand. */
export function cards(view, legal, hand, act) {
  const move = (type, color) => legal.find((m) => m.type === type && (color === undefined || m.color === color));
  const doing = (found) => ({ disabled: !found, onclick: () => act(found) });
  const row = view.row.flatMap((n, color) => Array.from({ length: n }, (_, i) =>
    card(color, cardName(color), { ...doing(move("take", color)), "data-key": `take-${color}-${i}` })));
  return [
    h("h2", null, t("face-up")),
    h("div", { class: "cards" }, row,
      card("deck", t("deck", { cards: count(view.deck_size, "cards") }), { ...doing(move("blind")), "data-key": "blind" }),
      card("deck", t("draw-tickets", { tickets: count(view.ticket_stock, "tickets-n") }), { ...doing(move("draw-tickets")), "data-key": "draw-tickets" })),
    hand && h("h2", null, t("hand")),
    hand && held(hand),
  ];
}

/** The cards of a hand. */
export function held(hand) {
  const cards = hand.flatMap((n, color) => (n ? [h("li", { class: `card card${color}` }, `${n} × ${cardName(color)}`)] : []));
  return h("ul", { class: "cards" }, cards.length ? cards : h("li", null, t("nothing")));
}

/** What lies on the map, and whose it is: colours by route and by city. */
export function owners(info, view) {
  const [owner, marks] = [{}, {}];
  view.seats.forEach((seat, i) => {
    seat.routes.forEach((route) => (owner[route] = info.seats[i].color));
    seat.marks.forEach((city) => (marks[city] = info.seats[i].color));
  });
  return { owner, marks, alvin: view.alvin_city };
}

/** A ticket in words, and what points out its cities on the map. */
const ticketLine = (ticket, { map, ticket: name }, point) => {
  const { a, b, points, deck } = map.tickets[ticket];
  const [on, off] = [() => point([a, b]), () => point([])];
  return {
    text: `${name(ticket)} · ${points}${deck === "long" ? ` · ${t("long")}` : ""}`,
    pointing: { onpointerenter: on, onpointerleave: off, onfocusin: on, onfocusout: off },
  };
};

/** The tickets that somebody has kept. */
export function heldTickets(tickets, speaker, point) {
  const lines = tickets.map((ticket) => ticketLine(ticket, speaker, point));
  return h("ul", { class: "lines" }, lines.length ? lines.map(({ text, pointing }) => h("li", { tabindex: 0, ...pointing }, text)) : h("li", null, t("nothing")));
}

/** My tickets, and those I am to choose from. */
export function tickets(seat, legal, speaker, kept, point, act) {
  const choosing = legal.filter((move) => move.type === "keep" || move.type === "choose");
  const found = () => choosing.find((move) => move.tickets.length === kept.size && move.tickets.every((ticket) => kept.has(ticket)));
  const keep = h("button", { type: "button", class: "primary", disabled: !found(), "data-key": "keep", onclick: () => act(found()) }, t("keep"));
  const box = (ticket) => h("input", { type: "checkbox", checked: kept.has(ticket), "data-key": `ticket-${ticket}`, onchange: (event) => {
    kept[event.target.checked ? "add" : "delete"](ticket);
    keep.disabled = !found();
  } });
  const choice = (ticket) => {
    const { text, pointing } = ticketLine(ticket, speaker, point);
    return h("label", { class: "check", ...pointing }, box(ticket), text);
  };
  const offer = h("fieldset", null, h("legend", null, t("hint.choose")), seat.offer?.map(choice),
    h("small", null, t("keep-at-least", { n: Math.min(...choosing.map((move) => move.tickets.length)) })), keep);
  return [choosing.length > 0 && offer, h("h2", null, t("tickets")), heldTickets(seat.tickets, speaker, point)];
}

/** Moves as buttons: by kind, then by place, one button for each way to pay. */
export function moveGroups(moves, speaker, act) {
  const groups = grouped(moves, (move) => move.type);
  return [...groups].map(([type, ofKind]) => h("section", null, h("h3", null, t(`move.${type}`)),
    [...grouped(ofKind, (move) => speaker.place(move))].map(([place, ways]) => h("div", { class: "ways" },
      place && h("span", null, place),
      ways.map((move) => h("button", {
        type: "button", "data-key": `move-${move.action}`, onclick: () => act(move),
        class: move.color === undefined ? "" : `card${move.color} way`,
        "aria-label": [t(`move.${type}`), place, speaker.detail(move)].filter(Boolean).join(": "),
      }, speaker.detail(move)))))));
}

function grouped(things, key) {
  const groups = new Map();
  for (const thing of things) groups.set(key(thing), [...(groups.get(key(thing)) ?? []), thing]);
  return groups;
}

export const inList = (legal) => legal.filter((move) => !BUTTONED.includes(move.type));

/** Points, trains, cards and tickets of all seats. */
export function seatTable({ info, view, deciding }, rules, cells) {
  const marked = rules.stations ? "stations" : rules.markers ? "markers" : null;
  const columns = ["points", "trains", "cards", "tickets", ...(marked ? [marked] : [])];
  const known = (i) => {
    const seat = view.seats[i];
    return [seat.score, seat.trains, seat.hand_size, seat.tickets_held, ...(marked ? [seat.marks.length] : [])];
  };
  return h("table", null,
    h("thead", null, h("tr", null, h("th", { scope: "col" }, t("player")), columns.map((c) => h("th", { scope: "col" }, t(`column.${c}`))))),
    h("tbody", null, info.seats.map((chair, i) => h("tr", { class: deciding.includes(i) ? "deciding" : "" },
      h("th", { scope: "row" }, h("span", { class: "swatch", "data-owner": chair.color }), chair.name, cells.note(i), h("div", null, cells.deeds(i))),
      known(i).map((n) => h("td", null, n))))));
}

const SCORES = ["routes", "tickets", "longest_path", "stations", "globetrotter", "alvin", "total"];

/** The end: where every point came from. */
export function ending(outcome, speaker) {
  const points = (seat, row) => (row === "tickets" ? seat.tickets.reduce((sum, ticket) => sum + ticket.points, 0) : seat[row]);
  const rows = SCORES.filter((row) => outcome.seats.some((seat) => points(seat, row)) || row === "total");
  const done = (ticket) => h("li", null, `${ticket.completed ? "✓" : "✗"} ${speaker.ticket(ticket.ticket)} ${ticket.points}`);
  return [
    h("h2", null, t("event.game-ended", { winners: outcome.winners.map(speaker.name).join(", ") })),
    outcome.tie_break && h("p", null, t(`tie.${outcome.tie_break}`)),
    h("table", null,
      h("thead", null, h("tr", null, h("th"), outcome.seats.map((_, i) => h("th", { scope: "col" }, speaker.name(i))))),
      h("tbody", null, rows.map((row) => h("tr", { class: row }, h("th", { scope: "row" }, t(`score.${row}`)), outcome.seats.map((seat) => h("td", null, points(seat, row))))))),
    h("div", { class: "row top" }, outcome.seats.map((seat, i) => h("div", null, h("h3", null, speaker.name(i)),
      h("p", null, t("path", { spaces: count(seat.path_length, "spaces") })), h("ul", { class: "lines" }, seat.tickets.map(done))))),
  ];
}
