// One table: waiting for its people, being played, or over.

import { get } from "./api.js";
import { h, notice, show } from "./dom.js";
import { Line } from "./line.js";
import { MapView } from "./map.js";
import { momentLink } from "./moment.js";
import * as parts from "./parts.js";
import { Links, botNote, seatDeeds, tableDeeds, waitingRoom } from "./room.js";
import { Speaker, cardName } from "./say.js";
import { count, listed, refusal, t } from "./words.js";

const SIGNS = ["hello", "well-played", "thanks", "oops", "wow", "hurry", "think", "good-game"];
const HINTS = ["choose", "keep", "return", "pay-tunnel", "decline", "start", "mark", "skip-marker", "move-alvin"];

export async function tablePage(main, id) {
  const [info, map] = await Promise.all([get(`/tables/${id}`), get(`/tables/${id}/map`)]);
  await new TablePage(main, info, map).begin();
}

class TablePage {
  constructor(main, info, map) {
    Object.assign(this, { info, view: null, legal: [], deciding: [], deadlines: [], version: 0, skew: 0 });
    Object.assign(this, { kept: new Set(), offered: "", filter: "", seat: null, logged: 0 });
    this.speaker = new Speaker(map);
    this.map = new MapView(map, this.speaker, (place) => this.#pick(place));
    this.links = new Links(info.id);
    this.#build(main);
    this.line = new Line(info.id, {
      whole: (welcome) => this.#whole(welcome),
      update: (update) => this.#inTurn(() => this.#follow(update)),
      refused: (message) => notice(refusal(message)),
      reaction: ({ seat, sign }) => this.#say(`${this.speaker.name(seat)}: ${t(`sign.${sign}`)}`, "sign"),
      rematch: ({ table }) => { this.again = table; this.#render(); },
      state: (state) => this.#state(state),
    });
  }

  #build(main) {
    const panel = (name, ...children) => (this[name] = h("section", { class: `panel ${name}` }, ...children));
    this.turn = h("p", { class: "turn", "aria-live": "polite" });
    this.hint = h("div", { class: "panel hint", tabindex: -1 }, this.turn, (this.next = h("div", { class: "row" })));
    this.log = h("ol", { role: "log", tabindex: 0, "aria-label": t("log") });
    this.cover = h("section", { class: "panel narrow cover" });
    this.dialog = h("dialog", { onclick: (event) => event.target === this.dialog && this.dialog.close() });
    this.map.element.setAttribute("aria-label", t("map"));
    this.moves = h("div", { class: "moves" });
    this.search = h("input", { type: "search", placeholder: t("filter"), "aria-label": t("filter"), oninput: () => this.#moves() });
    const list = (this.list = h("section", { class: "panel" }, h("h2", null, t("moves")), this.search, this.moves));
    this.table = h("div", { class: "table" },
      h("div", { class: "left" }, h("div", { class: "map", tabindex: 0, role: "region", "aria-label": t("map") }, this.map.element), panel("end"), panel("seats")),
      h("div", { class: "right" }, this.hint, panel("cards"), panel("tickets"), list,
        panel("story", h("h2", null, t("log")), this.log), panel("signs"), this.links.element, panel("deeds")));
    this.room = h("div");
    this.cover.hidden = this.table.hidden = this.end.hidden = true; // until the server says more
    show(main, h("h1", { class: "title" }, this.info.title), this.cover, this.room, this.table, this.dialog);
  }

  async begin() {
    const mine = this.#mine();
    this.covered = this.info.status === "running" && this.#here().length > 1;
    this.again = this.info.rematch;
    this.#names();
    await this.#watch(mine[0] ?? null);
    setInterval(() => this.#clocks(), 1000);
  }

  // -- what the server says

  #mine = () => this.info.seats.flatMap((chair, i) => (chair.mine ? [i] : []));
  #here = () => this.#mine().filter((i) => !this.info.seats[i].bot);
  #names = () => (this.speaker.names = this.info.seats.map((chair) => chair.name));

  /** See the table with the eyes of a seat: first its whole log, then what follows. */
  async #watch(seat) {
    this.seat = seat;
    this.logged = 0;
    this.log.replaceChildren();
    await this.#inTurn(() => this.#refill());
    if (seat === this.seat) this.line.watch(seat, this.logged);
  }

  /** News are told one after the other, even where some must be fetched first. */
  #inTurn = (deed) => (this.telling = Promise.resolve(this.telling).then(deed).catch((problem) => notice(refusal(problem))));

  async #refill() {
    const { seat, info } = this;
    const eyes = info.status === "finished" ? "all" : (seat ?? "spectator");
    const { updates } = await get(`/tables/${info.id}/updates?eyes=${eyes}&after=${this.logged}`);
    if (seat === this.seat) updates.forEach((update) => this.#tell(update));
  }

  /** An update that follows the last one told; a look may have passed over those between. */
  async #follow(update) {
    if (update.version > this.logged + 1) await this.#refill();
    this.#tell(update);
  }

  #tell(update) {
    if (update.version <= this.logged) return;
    this.logged = update.version;
    this.at = update.at;
    for (const event of update.events) if (event.type === "sat-down") this.speaker.names[event.seat] = event.name;
    const [first, ...more] = this.speaker.sentences(update.events);
    if (first) this.#say(first, null, momentLink(update.version));
    more.forEach((sentence) => this.#say(sentence));
  }

  /** A line of the log, the newest on top: there it is seen without scrolling. */
  #say(text, kind, link) {
    this.log.prepend(h("li", { class: kind }, text, link));
  }

  #whole(welcome) {
    const began = this.info.status === "waiting" && welcome.table.status === "running";
    const { table: info, view, legal, deciding, deadlines, version, now } = welcome;
    Object.assign(this, { info, view, legal, deciding, deadlines, version, skew: now - Date.now() });
    this.#names();
    this.#inTurn(() => version > this.logged && this.#refill());
    if (info.status !== "running") this.covered = false;
    else if (began) this.covered = this.#here().length > 1;
    const mine = this.#mine();
    if (this.seat === null ? mine.length : !mine.includes(this.seat)) return this.#watch(mine[0] ?? null);
    this.#render();
  }

  #state(state) {
    document.getElementById("line").textContent = state === "open" ? "" : t(`line.${state}`);
  }

  // -- what I do

  #act = (move) => {
    if (!move || this.line.pending) return;
    this.dialog.close();
    this.line.act(move.action, this.version);
    this.#busy();
  };

  #pick(place) {
    const found = parts.inList(this.legal).filter((move) => (place.route !== undefined ? move.route === place.route : move.city === place.city));
    if (!found.length) return;
    show(this.dialog, parts.moveGroups(found, this.speaker, this.#act),
      h("button", { type: "button", onclick: () => this.dialog.close() }, t("cancel")));
    this.dialog.showModal();
  }

  /** The screen goes to another person: nothing is shown until they say they are here. */
  #handOver = () => {
    this.covered = true;
    this.#render();
  };

  async #uncover(seat) {
    this.covered = false;
    if (seat !== this.seat) this.view = null; // the one before must not be seen, even for a moment
    this.#render();
    if (seat !== this.seat) await this.#watch(seat);
  }

  // -- what is shown

  /** Until an action is answered, no other is taken. */
  #busy() {
    this.table.setAttribute("aria-busy", String(Boolean(this.line.pending)));
  }

  #render() {
    const within = this.table.contains(document.activeElement);
    this.#draw();
    // Where the button that was pressed is gone, the keyboard goes on from the line that says whose turn it is.
    if (within && !this.table.contains(document.activeElement)) this.hint.focus({ preventScroll: true });
  }

  #draw() {
    const { info, view } = this;
    document.title = `${this.#turnText()} · Macaz`;
    const next = this.#here().find((i) => this.deciding.includes(i)) ?? this.seat;
    this.cover.hidden = !this.covered;
    this.table.hidden = this.covered || !view;
    this.#busy();
    if (this.covered) return this.#cover(next);
    const refresh = () => this.line.look();
    show(this.room, info.status === "waiting" && waitingRoom(info, refresh), info.status === "closed" && h("p", { class: "panel" }, t("status.closed")));
    this.links.update(info);
    const place = view ? this.table.querySelector(".right") : this.room;
    if (this.links.element.parentNode !== place) place.append(this.links.element, this.deeds);
    const deeds = [tableDeeds(info, refresh), this.again && h("a", { class: "button", href: `/tables/${this.again}` }, t("rematch.go"))].flat().filter(Boolean);
    this.deeds.hidden = !deeds.length;
    show(this.deeds, h("div", { class: "row" }, deeds));
    if (!view) return;
    this.#turn(next);
    this.#board();
    this.#seats();
    const own = this.seat === null ? null : view.seats[this.seat];
    show(this.cards, parts.cards(view, this.legal, own?.hand, this.#act));
    this.#tickets(own);
    this.#moves();
    this.end.hidden = !view.outcome;
    if (view.outcome) show(this.end, parts.ending(view.outcome, this.speaker));
    this.signs.hidden = this.seat === null || !info.reactions;
    if (!this.signs.children.length) show(this.signs, SIGNS.map((sign) =>
      h("button", { type: "button", onclick: () => this.line.react(sign) }, t(`sign.${sign}`))));
  }

  #cover(next) {
    const name = this.speaker.name(next);
    show(this.cover, h("h2", null, t("pass-to", { name })),
      h("button", { type: "button", class: "primary", "data-key": "here", onclick: () => this.#uncover(next) }, t("i-am", { name })));
    show(this.room);
  }

  #turnText() {
    const { info, view, deciding, seat } = this;
    if (view?.outcome) return t("event.game-ended", { winners: listed(view.outcome.winners.map(this.speaker.name)) });
    if (info.status !== "running") return t(`status.${info.status}`);
    if (this.legal.length && !this.covered) {
      const hint = HINTS.find((type) => this.legal.some((move) => move.type === type));
      return t(hint ? `hint.${hint}` : "your-turn", { name: this.speaker.name(seat) });
    }
    return t("their-turn", { names: listed(deciding.map(this.speaker.name)) });
  }

  #turn(next) {
    const { view } = this;
    const text = [this.#turnText()];
    if (view.last_turns) text.push(t("last-round", { turns: count(view.last_turns, "turns") }));
    if (view.claiming !== null) {
      const shown = view.revealed.flatMap((n, color) => (n ? [`${n} ${cardName(color)}`] : []));
      text.push(t("tunnel", { route: this.speaker.route(view.claiming), cards: listed(shown) || t("nothing"), extra: view.extra }));
    }
    if (this.turn.textContent !== text.join(" ")) this.turn.textContent = text.join(" ");
    this.hint.classList.toggle("mine", this.legal.length > 0);
    const other = next !== this.seat && next !== null;
    show(this.next, other && h("button", { type: "button", class: "primary", "data-key": "hand-over", onclick: this.#handOver }, t("hand-over", { name: this.speaker.name(next) })));
  }

  #board() {
    const listable = parts.inList(this.legal);
    const open = { routes: new Set(listable.map((m) => m.route)), cities: new Set(listable.map((m) => m.city)) };
    this.map.update({ ...parts.owners(this.info, this.view), open });
  }

  #seats() {
    const { info, deciding } = this;
    const mute = (i) => {
      const muted = this.line.muted.has(i);
      const toggle = () => {
        this.line.mute(i, !muted);
        this.#seats();
      };
      return h("button", { type: "button", "data-key": `mute-${i}`, onclick: toggle }, t(muted ? "unmute" : "mute"));
    };
    const others = (i) => info.reactions && info.seats[i].kind === "person" && !info.seats[i].mine && mute(i);
    show(this.seats, parts.seatTable(this, this.speaker.map.rules, {
      note: (i) => [botNote(info.seats[i]), deciding.includes(i) && h("span", { class: "now" }, ` ▸ ${t("decides")}`), h("time", { "data-seat": i })],
      deeds: (i) => [seatDeeds(info, i, deciding.includes(i), this.#waited(), () => this.line.look()), others(i)],
    }));
    this.#clocks();
  }

  /** How many seconds nothing has happened. */
  #waited = () => (Date.now() + this.skew - this.at) / 1000;

  #clocks() {
    const late = this.info.move_seconds === null && this.#waited() >= this.info.patience;
    if (late !== Boolean(this.late)) {
      this.late = late;
      if (this.view) this.#render();
      return;
    }
    for (const place of this.seats.querySelectorAll("time")) {
      const due = this.deadlines[place.dataset.seat];
      place.textContent = due ? ` ${timeLeft(due - Date.now() - this.skew)}` : "";
    }
  }

  #tickets(own) {
    this.tickets.hidden = !own?.tickets;
    if (!own?.tickets) return;
    const offered = `${this.seat} ${own.offer}`;
    if (this.offered !== offered) Object.assign(this, { offered, kept: new Set() });
    show(this.tickets, parts.tickets(own, this.legal, this.speaker, this.kept, (cities) => this.map.point(cities), this.#act));
  }

  #moves() {
    const wanted = this.search.value.trim().toLocaleLowerCase();
    const matches = (move) => `${t(`move.${move.type}`)} ${this.speaker.place(move)} ${this.speaker.detail(move)}`.toLocaleLowerCase().includes(wanted);
    const all = parts.inList(this.legal);
    this.list.hidden = !all.length;
    show(this.moves, parts.moveGroups(all.filter(matches), this.speaker, this.#act));
  }
}

function timeLeft(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds >= 86_400) return count(Math.floor(seconds / 86_400), "days");
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  return `${hours ? `${hours}:` : ""}${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
}
