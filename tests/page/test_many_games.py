"""Many games in one page: what is shown and hosted is released when the next game begins."""

from __future__ import annotations

import json
import re
from collections import deque
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect
from tests.page.browser import NewPage
from tests.page.local_game import fill, form
from tests.page.test_local import worker_of

# In the first games code is compiled and caches fill: four tables stay in the memory of a host.
WARM, GAMES = 20, 40
# A table that is not released has 70 kB in each of two hosts, and more in the page.
MOST_BYTES, MOST_NODES = 50_000, 100  # that one more game may leave behind

# Hosts tables beside the page, as another tab does, and plays whole games of two people there. The
# page, which shows the table, hears of every decision.
OTHER_TAB = """
(address) => {
  const worker = new Worker(address, { type: "module" });
  const tell = (message) => worker.postMessage(message);
  const answers = new Map();
  const heard = new Map();
  let last = 0;
  worker.onmessage = ({ data }) => {
    if (data.kind === "answer") answers.get(data.id).resolve(data.answer);
    else if (data.kind === "refused") answers.get(data.id).reject(new Error(data.message));
    else if (data.kind === "message") heard.get(data.socket)?.(data.message);
  };
  const request = (method, path, body) => new Promise((resolve, reject) => {
    const id = ++last;
    answers.set(id, { resolve, reject });
    tell({ kind: "request", id, method, path, body });
  });
  const sit = (table, seat, seed) => new Promise((resolve) => {
    const socket = ++last;
    let random = seed + seat;
    heard.set(socket, (message) => {
      if (message.type !== "welcome" && message.type !== "update") return;
      const events = message.type === "update" ? message.events : [];
      if (events.some(({ type }) => type === "game-ended")) {
        heard.delete(socket);
        tell({ kind: "close", socket });
        return resolve();
      }
      random = (random * 16807) % 2147483647;
      const move = message.legal[random % message.legal.length];
      if (!move) return;
      const { action } = move;
      const { version } = message;
      tell({
        kind: "say",
        socket,
        message: { type: "act", action, version, nonce: `n${seat}-${random}` },
      });
    });
    tell({ kind: "open", socket });
    tell({ kind: "say", socket, message: { type: "hello", table, seat } });
  });
  tell({ kind: "start", data: new URL("/data/", location.href).href });
  const person = { kind: "person" };
  const table = { edition: "tiny", seats: [person, person], mine: ["Ana", "Ben"] };
  const me = request("POST", "/people", { name: "Ana", color: "blue" });
  window.otherTab = {
    open: async () => { await me; return (await request("POST", "/tables", table)).id; },
    play: (id, seed) => Promise.all([sit(id, 0, seed), sit(id, 1, seed)]),
  };
}
"""
GO = """
(path) => {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}
"""


class Heaps:
    """The memory of a page and its workers, asked of Chromium."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._workers: list[str] = []
        self._answers: deque[dict[str, Any]] = deque()
        self._session.on("Target.attachedToTarget", self._attached)
        self._session.on("Target.receivedMessageFromTarget", self._received)
        self._session.send("HeapProfiler.enable")
        self._session.send(
            "Target.setAutoAttach",
            {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": False},
        )

    def _attached(self, event: dict[str, Any]) -> None:
        if event["targetInfo"]["type"] == "worker":
            self._workers.append(event["sessionId"])

    def _received(self, event: dict[str, Any]) -> None:
        message = json.loads(event["message"])
        if "id" in message:  # others are events
            self._answers.append(message)

    def _ask_worker(self, worker: str, method: str) -> dict[str, Any]:
        text = json.dumps({"id": 1, "method": method})
        self._session.send("Target.sendMessageToTarget", {"sessionId": worker, "message": text})
        while not self._answers:
            self._page.wait_for_timeout(10)
        answer = self._answers.popleft()
        assert "result" in answer, (method, answer)
        result: dict[str, Any] = answer["result"]
        return result

    def used(self) -> tuple[int, int]:
        """The bytes that are in use after a collection, and the nodes of the document."""
        heaps = []
        for _ in range(2):  # what the first one finalizes, the second one collects
            self._session.send("HeapProfiler.collectGarbage")
            heaps = [self._session.send("Runtime.getHeapUsage")]
            for worker in self._workers:
                self._ask_worker(worker, "HeapProfiler.collectGarbage")
                heaps.append(self._ask_worker(worker, "Runtime.getHeapUsage"))
        used = sum(heap["usedSize"] + heap.get("backingStorageSize", 0) for heap in heaps)
        nodes = self._session.send("Memory.getDOMCounters")["nodes"]
        return round(used), nodes


@pytest.mark.slow
def test_twenty_more_games_leave_no_memory_behind(new_page: NewPage) -> None:
    page = new_page(at_server=False)
    fill(page, form("conductor"))
    page.goto("/")
    expect(page.locator("[data-place]")).to_have_attribute("data-place", "browser")
    page.wait_for_function("() => performance.getEntriesByType('resource').length > 0")
    heaps = Heaps(page)
    page.evaluate(OTHER_TAB, worker_of(page, "worker").url)
    used = []
    for number in range(1, GAMES + 1):
        table = page.evaluate("otherTab.open()")
        page.evaluate(GO, f"/tables/{table}")
        expect(page.get_by_role("heading", name=re.compile("Ana|Ben")).first).to_be_visible()
        page.evaluate("([id, seed]) => otherTab.play(id, seed)", [table, number])
        expect(page.locator("[data-total]").first).to_be_visible()
        page.evaluate(GO, "/")
        expect(page.locator("[data-play]")).to_be_visible()
        if number in (WARM, GAMES):
            used.append(heaps.used())
    (early, early_nodes), (late, late_nodes) = used
    assert (late - early) / (GAMES - WARM) < MOST_BYTES, used
    assert (late_nodes - early_nodes) / (GAMES - WARM) < MOST_NODES, used
