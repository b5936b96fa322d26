"""The audit, broken where it could hold what it may not."""

from __future__ import annotations

from tests.mutants.fault import Fault

HIDDEN = "tests/mmconfigs/test_hidden.py"
WALK = "tests/walks/test_audit.py"

FAULTS = (
    Fault(
        "secrets of the files that entries name stand in the audit",
        "mmconfigs/hidden.py",
        "            waiting += filter(None, found)\n",
        "            waiting += filter(None, [])\n",
        (HIDDEN,),
    ),
    Fault(
        "the secrets of a broken file stand in the audit",
        "mmconfigs/hidden.py",
        "            found = (examine(path, (), tools=tools, environ=None)[0] for path in _named(each))\n",
        "            tried = (examine(path, (), tools=tools, environ=None) for path in _named(each))\n"
        "            found = (below for below, faults in tried if not faults)\n",
        (HIDDEN,),
    ),
    Fault(
        "the secrets of a file that changed since the start stand in the audit",
        "orchestrator/wiring.py",
        "        look()\n",
        "        pass\n",
        (f"{WALK}::test_secrets_of_a_file_that_changed_since_the_start_stand_nowhere_in_it",),
    ),
)
