// Who can open an address of this page.

/** Only this computer, the network around it, or everybody who knows the address. */
type Reach = "computer" | "network" | "public";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const ADDRESS = /^(?:\d+(?:\.\d+){3}|\[.*\])$/;

/** Addresses and short names are those of a network; a host that others reach has a name, or https. */
export function reachOf(address: string): Reach {
  const { hostname, protocol } = new URL(address);
  if (LOOPBACK.test(hostname)) return "computer";
  const near = ADDRESS.test(hostname) || !hostname.includes(".") || hostname.endsWith(".local");
  return near && protocol === "http:" ? "network" : "public";
}
