"""The documents as the tests see them: fenced blocks, links and headings. Knows nothing of mm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
DOCUMENTS = (*sorted(CHECKOUT.glob("*.md")), *sorted((CHECKOUT / "docs").rglob("*.md")))

_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a document."""

    language: str
    text: str


def blocks(document: Path) -> Iterator[Block]:
    """The fenced blocks of a document, in order."""
    for language, text in _FENCED.findall(document.read_text(encoding="utf-8")):
        yield Block(language, text)


def links(document: Path) -> list[str]:
    """Where the links of a document lead, as written."""
    return _LINK.findall(_prose(document))


def anchors(document: Path) -> set[str]:
    """What a link behind # may name, spelled as GitHub does."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in _HEADING.findall(_prose(document))
    }


def _prose(document: Path) -> str:
    return _FENCED.sub("", document.read_text(encoding="utf-8"))
