"""An installed package, with nothing else beside it, is played in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect
from tests.installs import Installed
from tests.page.browser import USUAL, Troubles
from tests.page.clicks import PATIENCE, Mind, Mouse, Player

STEPS = 12  # the first tickets, and some turns
LONGEST = 2000  # more than the decisions of a game


@pytest.mark.slow
def test_an_installed_package_is_played(
    installed: Installed, browser: Browser, troubles: Troubles
) -> None:
    with installed.serving("play", "--no-browser") as address:
        context = browser.new_context(**{**USUAL, "base_url": address})
        context.on("page", troubles.watch)
        page = context.new_page()
        page.goto("/")
        expect(page).to_have_title(re.compile("Macaz"))
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_url("**/tables/*")
        mind = Mind("installed")
        player = Player(mind, Mouse(page))
        for _ in range(STEPS):
            assert player.step(PATIENCE), "nothing is to be decided"
        assert mind.did["keep"]
        assert len(mind.did) > 1
        if installed.kind == "wheel":  # one whole game is enough
            for _ in range(LONGEST):
                if player.over:
                    break
                assert player.step(PATIENCE), "nothing is to be decided"
            assert player.over
        context.close()
