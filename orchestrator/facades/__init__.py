"""The facades: each a Sink (it draws events), an Asker (it asks its questions), and a `run`.

A new one is one file here and its line in `FACADES`; `orchestrator.run` opens it.
"""

from __future__ import annotations

FACADES = {
    "line": "orchestrator.facades.line:LineFacade",
    "headless": "orchestrator.facades.headless:Headless",
    "editor": "orchestrator.facades.editor:Editor",
}
"""Where each facade is. A facade is imported only when it is used: its libraries are heavy."""
