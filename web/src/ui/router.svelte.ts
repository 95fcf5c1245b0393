// The screen of an address. Every screen and every moment of a game has one.

import { hasServer } from "../net/place.ts";
import { LESSON_COUNT } from "./lessons.ts";

type ScreenRoute =
  | { screen: "home" }
  | { screen: "join" }
  | { screen: "table"; id: string; moment: number | null }
  | { screen: "rules"; edition: string | null }
  | { screen: "learn"; lesson: number | null }
  | { screen: "puzzles"; puzzle: string | null }
  | { screen: "analysis" }
  | { screen: "shared" }
  | { screen: "me" }
  | { screen: "settings" }
  | { screen: "about" }
  | { screen: "not-found" };

export function parseRoute(url: URL): ScreenRoute {
  const [first = "", second, third] = url.pathname.split("/").slice(1);
  if (third !== undefined) return { screen: "not-found" };
  switch (first) {
    case "":
      return { screen: "home" };
    case "analysis":
    case "shared":
    case "join":
    case "me":
    case "settings":
    case "about":
      return second ? { screen: "not-found" } : { screen: first };
    case "rules":
      return { screen: "rules", edition: second || null };
    case "learn": {
      if (!second) return { screen: "learn", lesson: null };
      const lesson = Number(second);
      return /^\d$/.test(second) && lesson >= 1 && lesson <= LESSON_COUNT
        ? { screen: "learn", lesson }
        : { screen: "not-found" };
    }
    case "puzzles":
      return { screen: "puzzles", puzzle: second || null };
    case "tables": {
      if (!second) return { screen: "not-found" };
      const moment = url.searchParams.get("v");
      return {
        screen: "table",
        id: second,
        moment: moment !== null && /^\d+$/.test(moment) ? Number(moment) : null,
      };
    }
    default:
      return { screen: "not-found" };
  }
}

/**
 * The address of a screen, such as "/rules/europe#stations", for links and for sharing. A static site can
 * answer only the address of the page itself, so there the rest follows a #: "#/rules/europe#stations".
 */
export const href = (path: string): string => (hasServer() ? path : `#${path}`);

/** The path, the search and the hash that `href` was given for the address of the browser. */
export function currentUrl(): URL {
  if (hasServer()) return new URL(location.href);
  return new URL(location.hash.startsWith("#/") ? location.hash.slice(1) : "/", location.origin);
}

let route: ScreenRoute = $state.raw(parseRoute(currentUrl()));
addEventListener("popstate", () => (route = parseRoute(currentUrl())));

export const currentRoute = (): ScreenRoute => route;

/** Go to the screen of a path. */
export function navigate(path: string, { replace = false } = {}): void {
  open(href(path), replace);
}

function open(address: string, replace: boolean): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  route = parseRoute(currentUrl());
}

const isPlain = (event: MouseEvent): boolean =>
  !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

/** For links: a plain click navigates within the page; other clicks are left to the browser. */
export function followLink(event: MouseEvent): void {
  if (!isPlain(event)) return;
  const link = event.currentTarget as HTMLAnchorElement;
  event.preventDefault();
  open(link.getAttribute("href") ?? href("/"), false);
}

/** The address of an element of the screen that is shown. */
export function anchor(id: string): string {
  if (hasServer()) return `#${id}`;
  void route; // the address changes with it
  const { pathname, search } = currentUrl();
  return href(`${pathname}${search}#${id}`);
}

/** For links to an element of the screen: browsers follow them, but not where the screen follows the #, too. */
export function followAnchor(event: MouseEvent): void {
  if (hasServer() || !isPlain(event)) return;
  const address = (event.currentTarget as HTMLAnchorElement).getAttribute("href") ?? "";
  event.preventDefault();
  if (address.startsWith("#/")) open(address, false);
  const element = document.getElementById(address.slice(address.lastIndexOf("#") + 1));
  element?.scrollIntoView();
  element?.focus({ preventScroll: true });
}
