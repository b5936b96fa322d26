"""`python -m orchestrator` is `mm`."""

from orchestrator.start import entry

entry()
