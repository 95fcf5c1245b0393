// A moment of a game: the table as it was after an entry of its log, under an address of its own.

import { get } from "./api.js";
import { h, notice, show } from "./dom.js";
import { MapView } from "./map.js";
import * as parts from "./parts.js";
import { address } from "./room.js";
import { Speaker } from "./say.js";
import { refusal, t } from "./words.js";

const NOTHING = { routes: new Set(), cities: new Set() };

/** Where a line of the log leads: to the table as it was then. */
export const momentLink = (version) =>
  h("a", { class: "moment", href: `?v=${version}`, title: t("moment.link"), "aria-label": `${t("moment.link")} (${version})` }, version);

export async function momentPage(main, id, version) {
  const [info, map] = await Promise.all([get(`/tables/${id}`), get(`/tables/${id}/map`)]);
  const log = await get(`/tables/${id}/updates?eyes=${eyes(info)}`);
  await new MomentPage(main, info, map, log).go(version);
}

/** All hands after the game; before, my own, unless others look at the same screen. */
function eyes({ status, seats }) {
  if (status === "finished") return "all";
  return seats.filter((chair) => chair.mine).length === 1 ? "mine" : "spectator";
}

class MomentPage {
  constructor(main, info, map, log) {
    Object.assign(this, { info, log });
    this.speaker = new Speaker(map);
    this.speaker.names = info.seats.map((chair) => chair.name);
    this.map = new MapView(map, this.speaker, () => {});
    this.#build(main);
  }

  #build(main) {
    const panel = (name) => (this[name] = h("section", { class: `panel ${name}` }));
    const step = (text, by) => h("button", { type: "button", onclick: () => this.#step(by) }, text);
    this.where = h("h2", { "aria-live": "polite" });
    this.previous = step(t("moment.previous"), -1);
    this.next = step(t("moment.next"), 1);
    this.told = h("ul", { class: "lines" });
    this.link = h("div", { class: "row address" });
    this.left = h("div", { class: "left" }, h("div", { class: "map", tabindex: 0, role: "region", "aria-label": t("map") }, this.map.element), panel("end"), panel("seats"));
    this.hands = h("div");
    show(main, h("h1", { class: "title" }, this.info.title),
      h("div", { class: "table" }, this.left, h("div", { class: "right" },
        h("section", { class: "panel hint" }, this.where, this.told,
          h("div", { class: "row" }, this.previous, this.next, h("a", { class: "button", href: `/tables/${this.info.id}` }, t("moment.table")))),
        h("section", { class: "panel" }, h("h2", null, t("moment.link")), this.link), panel("cards"), this.hands)));
  }

  async #step(by) {
    try {
      await this.go(Math.min(Math.max(this.wanted + by, 1), this.log.version));
    } catch (problem) {
      this.wanted = this.version;
      notice(refusal(problem));
    }
  }

  /** Show the table after an entry; the last one asked for counts, whatever comes first. */
  async go(version) {
    this.wanted = version;
    const { id } = this.info;
    const moment = await get(`/tables/${id}/moments/${version}?eyes=${eyes(this.info)}`);
    if (version !== this.wanted) return;
    this.version = version;
    history.replaceState(null, "", `/tables/${id}?v=${version}`);
    this.#draw(moment);
  }

  #draw({ version, view, deciding }) {
    const { info, log, speaker } = this;
    const name = t("moment", { v: version, n: log.version });
    document.title = `${name} · Macaz`;
    this.where.textContent = name;
    this.previous.disabled = version <= 1;
    this.next.disabled = version >= log.version;
    const update = log.updates.find((one) => one.version === version);
    const sentences = update ? speaker.sentences(update.events) : [];
    show(this.told, (view ? sentences : [...sentences, t("moment.before")]).map((text) => h("li", null, text)));
    show(this.link, address(location.href, t("moment.link")));
    this.left.hidden = this.cards.hidden = this.hands.hidden = !view;
    if (!view) return;
    this.map.update({ ...parts.owners(info, view), open: NOTHING });
    const decides = (i) => deciding.includes(i) && h("span", { class: "now" }, ` ▸ ${t("decides")}`);
    show(this.seats, parts.seatTable({ info, view, deciding }, speaker.map.rules, { note: decides, deeds: () => null }));
    show(this.cards, parts.cards(view, [], null, () => {}));
    show(this.hands, view.seats.map((seat, i) => seat.hand && this.#hand(seat, i)));
    this.end.hidden = !view.outcome;
    if (view.outcome) show(this.end, parts.ending(view.outcome, speaker));
  }

  #hand(seat, i) {
    return h("section", { class: "panel" }, h("h2", null, this.speaker.name(i)), parts.held(seat.hand),
      h("h3", null, t("column.tickets")), parts.heldTickets(seat.tickets, this.speaker, (cities) => this.map.point(cities)));
  }
}
