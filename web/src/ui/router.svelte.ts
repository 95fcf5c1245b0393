// Which screen an address leads to. Every screen, and every moment of a game, has its own.

export type Place =
  | { screen: "home" }
  | { screen: "join" }
  | { screen: "table"; id: string; moment: number | null }
  | { screen: "rules"; edition: string | null }
  | { screen: "me" }
  | { screen: "settings" }
  | { screen: "about" }
  | { screen: "lost" };

export function read(url: URL): Place {
  const [first = "", second, third] = url.pathname.split("/").slice(1);
  if (third !== undefined) return { screen: "lost" };
  switch (first) {
    case "":
      return { screen: "home" };
    case "join":
    case "me":
    case "settings":
    case "about":
      return second ? { screen: "lost" } : { screen: first };
    case "rules":
      return { screen: "rules", edition: second || null };
    case "tables": {
      if (!second) return { screen: "lost" };
      const moment = url.searchParams.get("v");
      return {
        screen: "table",
        id: second,
        moment: moment !== null && /^\d+$/.test(moment) ? Number(moment) : null,
      };
    }
    default:
      return { screen: "lost" };
  }
}

let place: Place = $state.raw(read(new URL(location.href)));
addEventListener("popstate", () => (place = read(new URL(location.href))));

export const here = (): Place => place;

/** Go to another screen. */
export function go(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  place = read(new URL(location.href));
}

/** For links: a plain click stays in the page; all others are the browser's. */
export function follow(event: MouseEvent): void {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.currentTarget as HTMLAnchorElement;
  event.preventDefault();
  go(link.getAttribute("href") ?? "/");
}
