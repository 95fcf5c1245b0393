// The page looks at its address and shows what is there.

import { Problem, post, whoAmI } from "./api.js";
import { h, show } from "./dom.js";
import { homePage, identity } from "./home.js";
import { momentPage } from "./moment.js";
import { tablePage } from "./table.js";
import { LANGUAGES, language, refusal, t, useLanguage } from "./words.js";

const main = document.getElementById("main");

function prepare() {
  document.documentElement.lang = language;
  const button = document.getElementById("language");
  const other = Object.keys(LANGUAGES).find((name) => name !== language);
  button.textContent = LANGUAGES[other];
  button.lang = other;
  button.onclick = () => useLanguage(other);
}

/** A browser that is nobody yet says who it is before it comes to a table. */
function introduce() {
  return new Promise((done) => {
    const who = identity(null);
    const error = h("p", { class: "error", role: "alert" });
    const submit = async (event) => {
      event.preventDefault();
      try {
        done(await who.save());
      } catch (problem) {
        error.textContent = refusal(problem);
      }
    };
    show(main, h("form", { class: "panel narrow", onsubmit: submit },
      h("h1", null, t("who-are-you")), who.element, error, h("button", { class: "primary" }, t("go-on"))));
  });
}

async function open() {
  const table = location.pathname.match(/^\/tables\/([\w-]+)$/);
  let me = await whoAmI();
  if (!table && location.pathname !== "/join") return homePage(main, me);
  me ??= await introduce();
  const moment = new URLSearchParams(location.search).get("v");
  if (table && /^\d+$/.test(moment)) return momentPage(main, table[1], Number(moment));
  if (table) return tablePage(main, table[1]);
  const token = location.hash.slice(1);
  if (!/^[\w-]{16,64}$/.test(token)) throw new Problem({ code: "broken-link", message: t("code.broken-link") });
  const opened = await post("/links/open", { token });
  location.replace(`/tables/${opened.table}`);
}

prepare();
try {
  await open();
} catch (problem) {
  if (!(problem instanceof Problem)) throw problem;
  show(main, h("div", { class: "panel narrow" }, h("p", { role: "alert" }, refusal(problem)), h("a", { href: "/" }, t("to-start"))));
}
