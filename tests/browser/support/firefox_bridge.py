#!/usr/bin/env python
"""Debian's Firefox for Playwright, which speaks WebDriver BiDi with it: `firefox_bridge.py FIREFOX ARGUMENTS`.

Playwright sets media features in every context, with a command that this Firefox does not have yet. The bridge stands
between the two and answers that one in Firefox's place; everything else goes through as it is.
"""

import asyncio
import re
import sys
from asyncio.subprocess import PIPE

import msgspec
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, web

_LISTENING = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")
_NOT_THERE = "emulation.setMediaFeaturesOverride"


class _Command(msgspec.Struct):
    id: int = 0
    method: str = ""


async def _pass_on(page: web.WebSocketResponse, firefox: ClientWebSocketResponse) -> None:
    async for message in page:
        command = msgspec.json.decode(message.data, type=_Command)
        if command.method == _NOT_THERE:
            answer = {"type": "success", "id": command.id, "result": {}}
            await page.send_str(msgspec.json.encode(answer).decode())
        else:
            await firefox.send_str(message.data)
    await firefox.close()


async def _bridge(firefox_url: str) -> int:
    """The port on which Firefox is to be had from now on."""

    async def handle(request: web.Request) -> web.WebSocketResponse:
        page = web.WebSocketResponse(max_msg_size=0)
        await page.prepare(request)
        async with (
            ClientSession() as http,
            http.ws_connect(f"{firefox_url}{request.path}", max_msg_size=0, origin=None) as firefox,
        ):
            passing = asyncio.ensure_future(_pass_on(page, firefox))
            async for message in firefox:
                if message.type is WSMsgType.TEXT:
                    await page.send_str(message.data)
            passing.cancel()
        await page.close()
        return page

    application = web.Application()
    application.router.add_get("/{path:.*}", handle)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    return int(runner.addresses[0][1])


async def _run(program: str, arguments: list[str]) -> int:
    firefox = await asyncio.create_subprocess_exec(program, *arguments, stderr=PIPE)
    assert firefox.stderr is not None
    async for line in firefox.stderr:
        found = _LISTENING.search(line)
        if found is not None:
            port = await _bridge(found[1].decode())
            line = b"WebDriver BiDi listening on ws://127.0.0.1:%d\n" % port
        sys.stderr.buffer.write(line)
        sys.stderr.buffer.flush()
    return await firefox.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(_run(sys.argv[1], sys.argv[2:])))
