"""What README and the documents show is what happens."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from orchestrator.arguments import NOT_BUILT
from orchestrator.commands import COMMANDS
from tests.docs.markdown import CHECKOUT, DOCUMENTS, anchors, blocks, links
from tests.docs.reader import Reader
from tests.walks.builder import Walk

EXAMPLES = (
    "README.md",
    "docs/tutorial/first-question.md",
    "docs/how-to/ask-another-agent.md",
    "docs/reference/cli.md",
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_document_shows_what_happens(name: str, reader: Reader) -> None:
    shutil.copy(CHECKOUT / "agents.example.yaml", reader.walk.folder)
    for block in blocks(CHECKOUT / name):
        reader.follow(block)
