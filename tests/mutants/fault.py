"""What a fault is, and the names of the tests that notice faults."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `says` is what would be true of mm with it; `old` stands exactly once in `file`.

    `tests` are the narrow tests that must notice it, as pytest takes them.
    """

    says: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


STATES = "tests/consent/test_every_state.py::test_every_state_is_decided_as_the_oracle_does"
FITS = "tests/consent/test_every_state.py::test_every_rule_and_every_never_fits_every_call_as_the_oracle_says"
DOCKET = "tests/consent/test_docket.py"
CONVERSATIONS = "tests/consent/test_docket_oracle.py"
KEYS = "tests/consent/test_keys.py"
SHOW = "tests/consent/test_show.py"
READING = "tests/orchestrator/acp/test_permission.py"
CLAIMS = "tests/orchestrator/acp/test_invariants.py"
UPDATES = "tests/orchestrator/acp/test_updates.py"
BESIDE = "tests/orchestrator/words/test_shown.py"
MARKDOWN = "tests/orchestrator/acp/test_markdown.py"
OPTIONS = "tests/orchestrator/acp/test_options.py"
DESK = "tests/orchestrator/test_desk.py"
EVENTS = "tests/orchestrator/test_desk_events.py"
GUARD = "tests/orchestrator/facades/test_guard.py"
PROTECTION = "tests/orchestrator/test_protection.py"
LISTENER = "tests/orchestrator/test_listener_sequences.py"
LOOP = "tests/orchestrator/test_loop.py"
SHOWN = "tests/orchestrator/test_shown_is_run.py"
