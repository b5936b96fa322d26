"""`python -m orchestrator` is `mm`."""

from orchestrator.cli import entry

entry()
