"""`GET /tables/{id}/picture.svg`: at the end only, for those who may see the table."""

from __future__ import annotations

import asyncio
from xml.etree import ElementTree

from tests.server.harness import Client, play_on, serving, settings

SVG = "{http://www.w3.org/2000/svg}"
NAME = "<script>&Ștefan"


def test_the_final_picture_of_a_table(tmp_path):
    async def story(address: str) -> None:
        ana, eva = [await Client.new(address, name) for name in (NAME, "Eva")]
        table = await ana.table("me", "random")
        path = f"/tables/{table}/picture.svg"
        early = await ana.ask("GET", path)
        assert (early.status_code, early.json()["code"]) == (409, "not-now")
        await play_on(ana, table, 0)
        assert (await eva.ask("GET", path)).status_code == 404  # not hers to see
        drawn = await ana.ask("GET", path)
        assert drawn.status_code == 200
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        assert "script>" not in drawn.text.replace("&gt;", ">").replace("&lt;script>", "")
        words = [text.text for text in ElementTree.fromstring(drawn.text).iter(f"{SVG}text")]
        last = await ana.get(f"/tables/{table}/moments/{await _version(ana, table)}?eyes=all")
        totals = {str(seat["total"]) for seat in last["view"]["outcome"]["seats"]}
        assert {NAME, "Random", "Tiny", *totals} <= set(words)
        known = {**ana.headers, "if-none-match": drawn.headers["etag"]}
        again = await ana.http.get(path, headers=known)
        assert again.status_code == 304
        for client in (ana, eva):
            await client.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server.address))


async def _version(client: Client, table: str) -> int:
    return int((await client.get(f"/tables/{table}"))["version"])
