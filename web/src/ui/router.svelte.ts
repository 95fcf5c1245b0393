// The screen of an address. Every screen and every moment of a game has one.

type ScreenRoute =
  | { screen: "home" }
  | { screen: "join" }
  | { screen: "table"; id: string; moment: number | null }
  | { screen: "rules"; edition: string | null }
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
    case "join":
    case "me":
    case "settings":
    case "about":
      return second ? { screen: "not-found" } : { screen: first };
    case "rules":
      return { screen: "rules", edition: second || null };
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

let route: ScreenRoute = $state.raw(parseRoute(new URL(location.href)));
addEventListener("popstate", () => (route = parseRoute(new URL(location.href))));

export const currentRoute = (): ScreenRoute => route;

/** Go to another screen. */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  route = parseRoute(new URL(location.href));
}

/** For links: a plain click navigates within the page; other clicks are left to the browser. */
export function followLink(event: MouseEvent): void {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.currentTarget as HTMLAnchorElement;
  event.preventDefault();
  navigate(link.getAttribute("href") ?? "/");
}
