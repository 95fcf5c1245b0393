import { mount } from "svelte";

import App from "./App.svelte";
import { settings } from "./settings.svelte.ts";
import "./style/fonts.css";
import "./style/tokens.css";
import "./style/base.css";
import { speak } from "./words/words.ts";

const target = document.getElementById("app");
if (target) {
  await speak(settings.language);
  mount(App, { target });
}
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js");
