// Whether this browser tells the player of their turns: the permission, and the subscription at the server.

import { del, get, put, Refusal } from "../net/api.ts";
import { hasServer } from "../net/place.ts";
import type { PushOffer } from "../net/wire.ts";
import { language } from "../words/words.ts";
import { set, settings } from "./settings.svelte.ts";

/** Why notices cannot be switched on; null: they can. */
type Obstacle = "insecure" | "home-screen" | "unsupported" | "denied";

const READY_MS = 10_000; // until the service worker of a first visit runs

const isApple = (): boolean =>
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1); // an iPad says so

export function obstacle(): Obstacle | null {
  if (!isSecureContext) return "insecure";
  if (!("Notification" in window) || !("serviceWorker" in navigator))
    return isApple() ? "home-screen" : "unsupported";
  return Notification.permission === "denied" ? "denied" : null;
}

/** The registered service worker; null: there is none. */
async function worker(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator)) return null;
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), READY_MS));
  return Promise.race([navigator.serviceWorker.ready, late]);
}

const bytesOf = (key: string): string =>
  Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0)).join();

/** Whether a subscription is for the server's present key. */
const isFor = ({ options }: PushSubscription, key: string): boolean =>
  options.applicationServerKey !== null &&
  Array.from(new Uint8Array(options.applicationServerKey)).join() === bytesOf(key);

/** Have the server tell this browser while no page is open; false: it, or the browser, cannot. */
async function subscribe(): Promise<boolean> {
  const { key } = await get<PushOffer>("/push");
  const manager = (await worker())?.pushManager;
  if (!key || !manager) return false;
  let subscription = await manager.getSubscription();
  if (subscription && !isFor(subscription, key)) {
    await subscription.unsubscribe();
    subscription = null;
  }
  try {
    subscription ??= await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    return false; // the browser has no push service, or cannot reach it
  }
  const { endpoint, keys } = subscription.toJSON();
  await put("/me/push", { endpoint, p256dh: keys?.p256dh, auth: keys?.auth, language: language() });
  return true;
}

/** whether the server tells this browser while no page is open; null: not known yet */
let whenClosed: boolean | null = $state(null);
export const noticesWhenClosed = (): boolean | null => whenClosed;

async function trySubscribe(): Promise<void> {
  try {
    whenClosed = await subscribe();
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    whenClosed = false; // the server cannot be reached, or does not send to that push service
  }
}

/** Ask for permission, and switch notices on; returns whether they are on. Only ever called for a click. */
export async function switchOn(): Promise<boolean> {
  if (obstacle() || (await Notification.requestPermission()) !== "granted") return false;
  set("notices", true);
  await trySubscribe();
  return true;
}

export async function switchOff(): Promise<void> {
  set("notices", false);
  whenClosed = null;
  await (await (await worker())?.pushManager.getSubscription())?.unsubscribe();
  await del("/me/push");
}

/** The person has signed out: the server has forgotten the subscription, and the browser does, too. */
export function forgetNotices(): void {
  if (!settings.notices) return;
  set("notices", false);
  void worker().then(async (found) => (await found?.pushManager.getSubscription())?.unsubscribe());
}

/** At the start of the page: the address of a subscription and the language may have changed. */
export function renewNotices(): void {
  if (!hasServer() || !settings.notices) return;
  if (obstacle() || Notification.permission !== "granted") set("notices", false);
  else void trySubscribe();
}

/** What the service worker shows; its texts are there. */
interface ShownNotice {
  kind: "turn" | "over";
  table: string;
  edition: string;
  title: string;
  names: readonly string[];
}

/** Show a notice, if the player wants them and does not see this page. */
export function showNotice(notice: ShownNotice): void {
  if (!document.hidden || !settings.notices || obstacle()) return;
  void worker().then((found) =>
    found?.active?.postMessage({ type: "notice", notice: { ...notice, language: language() } }),
  );
}
