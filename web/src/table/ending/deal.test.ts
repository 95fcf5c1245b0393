// @vitest-environment happy-dom
import { mount, tick, unmount } from "svelte";
import { beforeAll, expect, test, vi } from "vitest";

import type { TableState } from "../../game/table.svelte.ts";
import { setLanguage, t } from "../../words/words.ts";
import Deal from "./Deal.svelte";

vi.mock("../../game/nonce.ts", () => ({ keptFor: () => ({ pledge: "", nonce: "" }) }));
vi.mock("../../game/proof.ts", () => ({ checkRecord: () => "proved" }));
vi.mock("../../net/api.ts", () => ({ recordOf: () => Promise.resolve("") }));

beforeAll(() => setLanguage("en"));

/** What the page says of a deal that was checked. */
async function said(id: string, origin: "server" | "browser"): Promise<string> {
  const table = {
    info: { id, origin, seeded: false, announcement: "", seats: [{ nonce: "added" }, { nonce: "none" }] },
    map: { cards: [], rules: { cards: [] } },
    texts: { name: () => "Ana" },
    mine: [0],
  } as unknown as TableState;
  const shown = mount(Deal, { target: document.body, props: { table } });
  await vi.waitFor(() => expect(document.querySelector(".proved")).not.toBeNull());
  await tick();
  const text = document.body.textContent ?? "";
  await unmount(shown);
  return text;
}

test("at a server, a player who added to the deal is told that the host could not choose the cards", async () => {
  const text = await said("t1", "server");
  expect(text).toContain(t("deal.proved"));
  expect(text).toContain(t("deal.added", { names: "Ana" }));
});

test.each([
  ["local-1", "deal.here"],
  ["t1", "deal.browser"],
] as const)("the deal of a browser is not called proved (%s)", async (id, dealt) => {
  const text = await said(id, "browser");
  expect(text).toContain(t(dealt));
  expect(text).toContain(t("deal.fits"));
  expect(text).not.toContain(t("deal.proved"));
  expect(text).not.toContain(t("deal.added", { names: "Ana" }));
});
