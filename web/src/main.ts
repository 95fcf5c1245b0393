import { mount } from "svelte";

import App from "./App.svelte";
import { LocalTables } from "./local/client.ts";
import { setLocalHost } from "./net/local.ts";
import { fileUrl } from "./net/place.ts";
import { setLoading } from "./ui/loading.svelte.ts";
import { notify } from "./ui/notices.svelte.ts";
import { settings } from "./ui/settings.svelte.ts";
import { renewNotices } from "./ui/turn-notices.svelte.ts";
import { watchTurns } from "./ui/turns.svelte.ts";
import "./style/fonts.css";
import "./style/tokens.css";
import "./style/base.css";
import { botName } from "./words/names.ts";
import { setLanguageOrFallback, t } from "./words/words.ts";

// Shown if the texts of no language could be loaded.
const NO_TEXTS =
  "Macaz could not be loaded. Check your connection, then reload the page. · " +
  "Macaz nu a putut fi încărcat. Verifică-ți conexiunea, apoi reîncarcă pagina.";

const withoutNetwork = new Set<string>(); // the bots of which it was said

setLocalHost(
  new LocalTables(fileUrl("data/"), (notice) => {
    if (notice.kind === "loading") setLoading(notice);
    else if (notice.kind === "not-stored") notify(t("local.not-stored"));
    else if (!withoutNetwork.has(notice.bot)) {
      withoutNetwork.add(notice.bot);
      notify(t("local.no-network", { bot: botName(notice.bot) }));
    }
  }),
);

const target = document.getElementById("app");
if (target) {
  await setLanguageOrFallback(settings.language).then(
    () => mount(App, { target }),
    () => (target.textContent = NO_TEXTS),
  );
}
watchTurns();
renewNotices();
if (import.meta.env.PROD && "serviceWorker" in navigator)
  void navigator.serviceWorker.register(fileUrl("sw.js"));
