"""All faults. Each breaks one promise by a small change of the text of one file.

When the code changes so that a fault no longer fits, write it anew: a fault that is only deleted is a promise
that nobody checks.
"""

from __future__ import annotations

from tests.mutants import (
    of_the_alarm,
    of_the_answering,
    of_the_audit,
    of_the_docket,
    of_the_escaping,
    of_the_eyes,
    of_the_gate,
    of_the_hooks,
    of_the_matching,
    of_the_pipelines,
    of_the_protection,
    of_the_reading,
    of_the_runs,
)

FAULTS = (
    *of_the_gate.FAULTS,
    *of_the_matching.FAULTS,
    *of_the_docket.FAULTS,
    *of_the_escaping.FAULTS,
    *of_the_reading.FAULTS,
    *of_the_answering.FAULTS,
    *of_the_eyes.FAULTS,
    *of_the_hooks.FAULTS,
    *of_the_audit.FAULTS,
    *of_the_protection.FAULTS,
    *of_the_pipelines.FAULTS,
    *of_the_alarm.FAULTS,
    *of_the_runs.FAULTS,
)
