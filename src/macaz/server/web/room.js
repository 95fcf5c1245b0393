// Around a table: who sits where before the game, links to give away, and what to do about a seat.

import { Problem, ask, get, post } from "./api.js";
import { h, notice, show } from "./dom.js";
import { known, refusal, t } from "./words.js";

/** Do something for a click; say why not if it is refused. */
export async function attempt(deed) {
  try {
    return await deed();
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    notice(refusal(problem));
  }
}

const button = (text, deed, props) => h("button", { type: "button", "data-key": text, onclick: () => attempt(deed), ...props }, text);

async function copy(input) {
  input.select();
  await navigator.clipboard?.writeText(input.value);
  notice(t("copied"));
}

/** An address to give away, and a button that copies it. */
export const address = (url, name) => {
  const input = h("input", { readonly: true, value: url, "aria-label": name, onfocus: (e) => e.target.select() });
  return [input, button(t("copy"), () => copy(input))];
};

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** Buttons that make links, and the links made here: their addresses are told only once. */
export class Links {
  constructor(table) {
    this.table = table;
    this.buttons = h("div", { class: "row" });
    this.list = h("ul", { class: "links" });
    this.element = h("section", { class: "panel", hidden: true }, h("h2", null, t("links")), this.buttons, this.list);
  }

  update(info) {
    const over = info.status === "finished" || info.status === "closed";
    const free = info.seats.some((seat) => seat.name === null);
    const given = (seat) => seat.kind === "person" && !over && (seat.mine || (info.host && seat.name === null));
    const made = [
      info.host && free && button(t("link.join"), () => this.#make({ kind: "join" })),
      info.host && button(t("link.watch"), () => this.#make({ kind: "watch" })),
      ...info.seats.map((seat, i) => given(seat) && button(
        t(seat.mine ? "link.move" : "link.seat", { name: seat.name, n: i + 1 }), () => this.#make({ kind: "seat", seat: i }))),
    ].filter(Boolean);
    this.element.hidden = !made.length && !this.list.children.length;
    show(this.buttons, made);
    if (this.known !== info.id) attempt(() => this.#earlier(info.id));
  }

  async #make(wanted) {
    this.#add(await post(`/tables/${this.table}/links`, wanted));
  }

  async #earlier(id) {
    this.known = id;
    const found = await get(`/tables/${id}/links`);
    found.filter((link) => !link.revoked && !(link.kind === "seat" && link.used)).forEach((link) => this.#add(link));
  }

  #add(link) {
    const name = t(`link-kind.${link.kind}`, { n: (link.seat ?? 0) + 1 });
    const revoke = async () => {
      await ask("DELETE", `/tables/${this.table}/links/${link.id}`);
      line.remove();
    };
    const told = link.url ? address(link.url, name) : [h("em", null, t("link-told"))];
    const line = h("li", { class: "row" }, h("span", null, name), told, button(t("revoke"), revoke));
    this.list.append(line);
    if (link.url) told[0].focus();
    if (link.url && LOOPBACK.includes(location.hostname)) line.append(h("small", null, t("link.local")));
  }
}

/** The seats of a table before its game. */
export function waitingRoom(info, changed) {
  const act = (path, body) => async () => {
    await post(`/tables/${info.id}/${path}`, body);
    changed();
  };
  const seat = (chair, i) => h("li", { class: "row" },
    h("span", { class: "swatch", "data-owner": chair.color }), h("span", null, chair.name ?? t("free")),
    chair.name === null && button(t("sit", { n: i + 1 }), act("sit", { seat: i })),
    chair.mine && button(t("get-up"), act(`seats/${i}/leave`)));
  return h("section", { class: "panel" }, h("h2", null, t("waiting")), h("p", null, t("waiting.begins")),
    h("ul", { class: "links" }, info.seats.map(seat)));
}

/** What can be done about a seat in the game: let a bot play it, or play it again. */
export function seatDeeds(info, seat, deciding, waited, changed) {
  const chair = info.seats[seat];
  const deed = (key, path) => button(t(key), async () => {
    await post(`/tables/${info.id}/seats/${seat}/${path}`);
    changed();
  }, { "data-key": `${path}-${seat}` });
  if (info.status !== "running" || chair.kind === "bot") return null;
  if (chair.mine) return chair.bot ? deed("come-back", "back") : deed("bot-for-me", "leave");
  const mayAsk = info.host || info.seats.some((other) => other.mine);
  const long = info.move_seconds === null && waited >= info.patience;
  return mayAsk && !chair.bot && deciding && long ? deed("bot-for-them", "stand-in") : null;
}

/** What can be done about the whole table. */
export function tableDeeds(info, changed) {
  const deeds = [];
  if (info.status === "finished") {
    deeds.push(h("a", { class: "button", href: `/api/v1/tables/${info.id}/record`, download: true }, t("record")));
    if (info.seats.some((seat) => seat.mine)) {
      deeds.push(button(t("rematch"), async () => location.assign(`/tables/${(await post(`/tables/${info.id}/rematch`)).id}`)));
    }
  } else if (info.host && info.status !== "closed") {
    deeds.push(button(t("close"), async () => {
      if (!confirm(t("close.sure"))) return;
      await post(`/tables/${info.id}/close`);
      changed();
    }));
  }
  return deeds;
}

/** What a bot does on a seat, in brackets behind its name. */
export function botNote(chair) {
  if (!chair.bot) return "";
  if (chair.kind === "bot") return ` (${t("seat.bot")})`;
  const why = known(`reason.${chair.reason}`) ? t(`reason.${chair.reason}`) : chair.reason;
  return ` (${t("stands-in", { bot: chair.bot, reason: why })})`;
}
