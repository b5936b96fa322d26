"""What README and the documents show is what happens."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from orchestrator.arguments import parse
from orchestrator.commands import COMMANDS
from tests.docs.markdown import CHECKOUT, DOCUMENTS, anchors, blocks, links
from tests.docs.reader import Reader

EXAMPLES = (
    "README.md",
    "docs/tutorial/first-question.md",
    "docs/tutorial/pipeline.md",
    "docs/how-to/run-a-pipeline.md",
    "docs/how-to/ask-another-agent.md",
    "docs/how-to/confirm-tool-calls.md",
    "docs/how-to/allow-and-deny-tools.md",
    "docs/how-to/write-a-hook.md",
    "docs/how-to/use-a-local-model.md",
    "docs/how-to/read-the-audit.md",
    "docs/how-to/why-was-i-asked.md",
    "SECURITY.md",
    "docs/reference/cli.md",
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_document_shows_what_happens(name: str, reader: Reader) -> None:
    shutil.copy(CHECKOUT / "agents.example.yaml", reader.walk.folder)
    shown = list(blocks(CHECKOUT / name))
    assert "console" in {block.language for block in shown}
    for block in shown:
        reader.follow(block)


def test_the_reference_names_every_flag_and_no_other(reader: Reader) -> None:
    flag = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
    reference = (CHECKOUT / "docs/reference/cli.md").read_text(encoding="utf-8")
    assert set(flag.findall(reference)) == set(flag.findall(reader.walk.runs("--help").stdout))


def test_the_reference_names_every_slash_command_and_no_other() -> None:
    reference = (CHECKOUT / "docs/reference/cli.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `/([\w-]+)", reference, re.MULTILINE)
    assert named == ["ask-NAME", "run-NAME", *COMMANDS]


def test_the_settings_for_an_editor_start_mm_for_an_editor() -> None:
    (settings,) = [
        b.text for b in blocks(CHECKOUT / "docs/how-to/ask-another-agent.md") if b.language == "json"
    ]
    (server,) = json.loads(settings)["agent_servers"].values()
    assert server["command"] == "mm"
    assert parse(server["args"], {}).command == "editor"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(CHECKOUT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    for link in links(document):
        name, _, anchor = link.partition("#")
        if name.startswith("https:"):
            continue
        target = document.parent / name if name else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link
