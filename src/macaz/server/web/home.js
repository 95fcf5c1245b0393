// The first page: who I am, a new table, open tables and my games.

import { ask, get, post } from "./api.js";
import { choice, field, h, show } from "./dom.js";
import { known, language, refusal, t } from "./words.js";

const COLORS = ["blue", "red", "green", "yellow", "black", "purple"];
const CLOCKS = [0, 30, 60, 120, 86_400, 3 * 86_400, 7 * 86_400];
const DELAYS = [0, 30, 300];

/** My name and colour; `save` tells the server if they are new. */
export function identity(me) {
  const name = h("input", { value: me?.name ?? t("somebody"), maxlength: 24, required: true, autocomplete: "nickname" });
  const color = choice(COLORS.map((c) => [c, t(`color.${c}`)]), me?.color ?? "blue");
  const save = async () => {
    const wanted = { name: name.value, color: color.value };
    if (!me) me = await post("/people", wanted);
    else if (me.name !== wanted.name || me.color !== wanted.color) me = await ask("PUT", "/me", wanted);
    return me;
  };
  return { element: h("div", { class: "row" }, field(t("my-name"), name), field(t("my-color"), color)), save };
}

/** The form of a new table, already good for a first game against a bot. */
function newTable(me, editions, bots) {
  const who = identity(me);
  const places = h("div");
  const error = h("p", { class: "error", role: "alert" });
  const best = `bot:${bots.at(-1).name}`;
  const character = (bot) => (known(`bot.${bot.name}`) ? t(`bot.${bot.name}`) : bot.character);
  const players = [["me", t("seat.me")], ["here", t("seat.here")], ["link", t("seat.link")],
    ...bots.map((bot) => [`bot:${bot.name}`, `${t("seat.bot")} ${bot.name}`])];
  const edition = choice(editions.map((e) => [e.id, e.name]), editions.find((e) => e.id === "usa")?.id ?? editions[0].id, { onchange: () => draw() });
  const duration = (seconds) => (seconds ? t(`clock.${seconds}`) : t("clock.none"));
  const clock = choice(CLOCKS.map((s) => [s, duration(s)]), 0);
  const delay = choice(DELAYS.map((s) => [s, s ? t(`clock.${s}`) : t("delay.none")]), 0);
  const standIn = choice(bots.map((bot) => [bot.name, bot.name]), bots.at(-1).name);
  const first = h("select");
  const listed = h("input", { type: "checkbox" });
  let seats = ["me", best];
  const wanted = new Set(); // options, kept while other things are changed
  let names = [];

  const seatRow = (kind, i) => h("div", { class: "row" },
    field(t("seat-number", { n: i + 1 }), choice(players, kind, { onchange: (e) => { seats[i] = e.target.value; draw(); } })),
    kind.startsWith("bot:") && h("small", { class: "character" }, character(bots.find((bot) => kind === `bot:${bot.name}`))),
    kind === "here" && field(t("friend-name"), h("input", { required: true, maxlength: 24, value: names[i] ?? "", oninput: (e) => (names[i] = e.target.value) })),
    i === seats.length - 1 && h("button", { type: "button", "aria-label": t("fewer-seats"), disabled: seats.length <= chosen().min_seats, onclick: () => { seats.pop(); draw(); } }, "−"),
    i === seats.length - 1 && h("button", { type: "button", "aria-label": t("more-seats"), disabled: seats.length >= chosen().max_seats, onclick: () => { seats.push(best); draw(); } }, "+"));

  const option = ({ name, doc }) => h("label", { class: "check" },
    h("input", { type: "checkbox", checked: wanted.has(name), onchange: (e) => wanted[e.target.checked ? "add" : "delete"](name) }),
    known(`option.${name}`) ? t(`option.${name}`) : doc);

  const chosen = () => editions.find((e) => e.id === edition.value);

  function draw() {
    const { min_seats: least, max_seats: most, options: offered } = chosen();
    seats = seats.slice(0, most);
    while (seats.length < least) seats.push(best);
    show(places, offered.map(option), seats.map(seatRow));
    const kept = first.value;
    show(first, h("option", { value: "" }, t("first.chance")), seats.map((_, i) => h("option", { value: i }, t("seat-number", { n: i + 1 }))));
    first.value = kept < seats.length ? kept : "";
  }

  async function submit(event) {
    event.preventDefault();
    try {
      const { name } = await who.save();
      const mine = seats.flatMap((kind, i) => (kind === "me" ? [name] : kind === "here" ? [names[i]] : []));
      const made = await post("/tables", {
        edition: [edition.value, ...chosen().options.map((o) => o.name).filter((o) => wanted.has(o))].join("+"),
        seats: seats.map((kind) => (kind.startsWith("bot:") ? { kind: "bot", bot: kind.slice(4) } : { kind: "person" })),
        mine,
        listed: listed.checked,
        first: first.value === "" ? null : Number(first.value),
        move_seconds: Number(clock.value) || null,
        delay: Number(delay.value),
        stand_in: standIn.value,
      });
      location.assign(`/tables/${made.id}`);
    } catch (problem) {
      error.textContent = refusal(problem);
    }
  }

  draw();
  return h("form", { class: "panel", onsubmit: submit },
    h("h1", null, t("new-table")), who.element, field(t("edition"), edition), places,
    h("details", null, h("summary", null, t("more")),
      field(t("clock"), clock), field(t("first"), first), field(t("stand-in"), standIn), field(t("delay"), delay),
      h("label", { class: "check" }, listed, t("listed"))),
    error, h("button", { class: "primary" }, t("play")));
}

const when = (ms) => new Date(ms).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });

function tableLine(table) {
  const names = table.names.map((name, seat) => (name ?? t("free")) + (table.scores ? ` ${table.scores[seat]}${table.winners.includes(seat) ? " ★" : ""}` : ""));
  return h("li", null, h("a", { href: `/tables/${table.id}` }, table.title), ` · ${t(`status.${table.status}`)} · ${names.join(", ")}`,
    h("small", null, when(table.updated_at)));
}

/** A list of tables that grows on demand. */
async function tableList(title, path) {
  const list = h("ul", { class: "tables" });
  const more = h("button", { type: "button", onclick: () => add() }, t("older"));
  let next = null;
  async function add() {
    const page = await get(path + (next ? `?before=${next}` : ""));
    list.append(...page.tables.map(tableLine));
    next = page.next;
    more.hidden = !next;
    if (!list.children.length) list.append(h("li", null, t("none-yet")));
  }
  await add();
  return h("section", { class: "panel" }, h("h2", null, title), list, more);
}

export async function homePage(main, me) {
  const [editions, bots] = await Promise.all([get("/editions"), get("/bots")]);
  show(main, h("div", { class: "home" }, newTable(me, editions, bots)));
  if (!me) return; // whoever is nobody yet has no games, and the lobby is for people
  const lists = await Promise.all([tableList(t("my-games"), "/me/tables"), tableList(t("lobby"), "/tables")]);
  main.firstChild.append(h("div", null, lists));
}
