"""What commands and summaries say in an editor, which draws Markdown: every sign stands there as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.orchestrator.acp.markdown import READERS, lines_of
from tests.orchestrator.facades.editor_client import Client, an_editor

pytestmark = pytest.mark.anyio

RAW = r"*x* _y_ `z` <b>&lt;</b> [a](https://b) \*"


async def drawn(client: Client, session: str, text: str) -> list[str]:
    """The lines that a person sees of the answer to a command."""
    before = len(client.text())
    await client.stop_reason(await client.prompts(session, text))
    return lines_of(READERS[0].parse(client.text()[before:]))


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("/agents", [f"gem: {RAW}", f"jan: # {RAW}"]),
        (f"/revoke {RAW}", [f"nothing is remembered for {RAW}; /grants lists the keys"]),
        (f"/yolo {RAW}", [f"{RAW} is no mode, and nothing changed; accepted: on, off, write"]),
        ("/grants", ["nothing is remembered"]),
    ],
)
async def test_what_a_command_shows_is_drawn_as_it_is(tmp_path: Path, command: str, shown: list[str]) -> None:
    """Descriptions are those of other files, and keys those of other processes."""
    entries = {"gem": {"command": "gem", "description": RAW}, "jan": {"path": "jan.yaml"}}
    (tmp_path / "jan.yaml").write_text(json.dumps({"description": f"# {RAW}"}))
    async with an_editor(tmp_path, "yolo: true", f"mmConfigs: {json.dumps(entries)}") as client:
        assert await drawn(client, await client.opens(), command) == shown


async def test_each_line_of_a_command_is_a_line_in_an_editor(tmp_path: Path) -> None:
    async with an_editor(tmp_path, "yolo: false") as client:
        session = await client.opens()
        turn = await client.prompts(session, "run true then write made: x")
        for answer in ("allow_session", "never"):
            await client.chooses(await client.question(), answer)
        await client.stop_reason(turn)
        assert await drawn(client, session, "/grants") == [
            "bash: allow for the session",
            "write_file: never in this session",
        ]
        assert "/grants  what this conversation remembers" in await drawn(client, session, "/help")
