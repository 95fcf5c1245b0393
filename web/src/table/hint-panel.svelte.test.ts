// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { beforeAll, expect, it, vi } from "vitest";

import type { HintedMove } from "../game/hint.svelte.ts";
import type { Plan } from "../game/plan.svelte.ts";
import type { Suggestion } from "../net/wire.ts";
import { setLanguage } from "../words/words.ts";
import HintPanel from "./HintPanel.svelte";

beforeAll(async () => {
  await setLanguage("en");
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
});

const one = (action: number, loss: number, tries = 16): HintedMove => ({
  move: { type: "take", action, color: action },
  hint: {
    action,
    loss,
    doubt: 0.01,
    chance: 0.5 - loss,
    error: 0.01,
    tries,
    reasons: [],
  } as unknown as Suggestion,
});

class FakeHint {
  suggestions: HintedMove[] = $state.raw([]);
  done = $state(false);
  problem = null;
  advice: object | null = $derived(
    this.suggestions.length ? { chances: [0.5], tickets: [], moves: this.suggestions } : null,
  );
  cost = (): undefined => undefined;
  close = (): void => undefined;
}

it("figures belong to their places, and a screen reader hears the first and the last", () => {
  const hint = new FakeHint();
  const table = {
    texts: { brief: ({ action }: { action: number }) => `move ${action}`, name: () => "Ana" },
    info: { seats: [{ color: "blue" }] },
  };
  const plan = { table, hint, hinted: null, ticket: null, act: vi.fn() };
  const app = mount(HintPanel, { target: document.body, props: { plan: plan as unknown as Plan } });
  const told = (selector: string): string[] =>
    [...document.querySelectorAll(selector)].map(({ textContent }) =>
      textContent.replace(/\s+/g, " ").trim(),
    );
  flushSync();
  expect(told("[role=status]")).toEqual(["Looking ahead …"]);

  hint.suggestions = [one(1, 0), one(2, 0.005), one(3, 0.1)];
  flushSync();
  expect(told(".move")).toEqual(["move 1 50% ± 2", "move 2 as good", "move 3 −10% ± 2"]);
  expect(told("[aria-live]")).toEqual(["move 1: 50% ± 2"]);
  expect(plan.hinted).toMatchObject({ action: 1 });

  hint.suggestions = [one(4, 0), one(2, 0.005), one(1, 0.006), one(3, 0.1)];
  flushSync();
  expect(told(".move").map((text) => text.slice(0, 10))).toEqual([
    "move 4 50%",
    "move 2 as ",
    "move 1 as ",
    "move 3 −10",
  ]);
  expect(told("[aria-live]")).toEqual(["move 1: 50% ± 2"]);
  expect(told("[data-tries]")).toEqual(["still thinking: 16 tries"]);

  // What is looked at stays chosen where it stands.
  document.querySelectorAll<HTMLElement>(".move")[3]?.click();
  hint.suggestions = [one(3, 0, 1024), one(4, 0.05), one(2, 0.06)];
  hint.done = true;
  flushSync();
  expect(told(".move")[0]).toBe("move 3 50% ± 2");
  expect(told("[aria-pressed=true]")).toEqual(["move 3 50% ± 2"]);
  expect(told("[aria-live]")).toEqual(["move 3: 50% ± 2"]);
  expect(told("[data-tries]")).toEqual(["1,024 tries"]);
  void unmount(app);
});
