"""Hooks, broken where they could be passed by."""

from __future__ import annotations

from tests.mutants.fault import STATES, Fault

RUN = "tests/orchestrator/test_hooks.py"
PRINTED = f"{RUN}::test_c8_whatever_is_printed_and_is_no_documented_answer_refuses"
PURE = "tests/consent/test_hooks.py"
AT_DESK = "tests/orchestrator/test_desk_hooks.py"

FAULTS = (
    Fault(
        "a hook sees nothing of a command that stands beside the arguments",
        "orchestrator/hooks.py",
        '{call.told or "null"}',
        '{call.arguments or "null"}',
        (RUN,),
    ),
    Fault(
        "a hook's refusal ends with yolo",
        "consent/rules.py",
        "(Outcome.REFUSE, facts.objection.rule) if facts.objection else None",
        "(Outcome.REFUSE, facts.objection.rule) if facts.objection and not facts.setting.yolo(()) else None",
        (STATES,),
    ),
    Fault(
        "a hook does not see what its pattern only might mean",
        "consent/hook.py",
        "narrows(rule.pattern, call) is not Match.NO",
        "narrows(rule.pattern, call) is Match.YES",
        (PURE,),
    ),
    Fault(
        "an asked agent submits nothing because of a hook",
        "consent/matching.py",
        "for rule in rules if rule.effect is not Effect.ALLOW)\n    return tuple(dict",
        "for rule in rules if rule.effect in (Effect.DENY, Effect.PROMPT))\n    return tuple(dict",
        (PURE,),
    ),
    Fault(
        "a hook that crashes lets the call go on",
        "orchestrator/hooks.py",
        "        if code != 0:\n",
        "        if code < 0:\n",
        (f"{RUN}::test_c8_a_hook_that_fails_or_is_unclear_refuses",),
    ),
    Fault(
        "a hook that takes too long lets the call go on",
        "orchestrator/hooks.py",
        'return Objection(rule, f"{limit:g} s", Broken.TOO_LATE)',
        "return None",
        (f"{RUN}::test_c8_a_hook_that_hangs_refuses_and_is_ended_with_all_that_it_started",),
    ),
    Fault(
        "an unknown decision lets the call go on",
        "orchestrator/hooks.py",
        '| {"decision": "allow", **rest} if not rest',
        '| {"decision": str(), **rest} if not rest',
        (PRINTED,),
    ),
    Fault(
        "an answer without a decision lets the call go on",
        "orchestrator/hooks.py",
        '| {"decision": "allow", **rest} if not rest',
        "| {**rest} if not rest",
        (PRINTED,),
    ),
    Fault(
        "what stands beside a decision to go on is passed over",
        "orchestrator/hooks.py",
        '| {"decision": "allow", **rest} if not rest',
        '| {"decision": "allow", **rest} if rest is not None',
        (PRINTED,),
    ),
    Fault(
        "of a key that stands twice the last counts",
        "orchestrator/hooks.py",
        "    if len(found) != len(pairs):\n",
        "    if len(found) > len(pairs):\n",
        (PRINTED,),
    ),
    Fault(
        "a hook that changed is run",
        "orchestrator/hooks.py",
        "        if file := hook.changed():\n",
        "        if (file := hook.changed()) and not hook.argv:\n",
        (f"{RUN}::test_a_hook_whose_file_changed_refuses_and_is_not_run",),
    ),
    Fault(
        "a program in the working folder is a hook",
        "orchestrator/hooks.py",
        "    folders = filter(os.path.isabs, path.split(os.pathsep))\n",
        "    folders = path.split(os.pathsep)\n",
        (f"{RUN}::test_a_program_is_never_found_in_the_working_folder",),
    ),
    Fault(
        "output that does not end counts as its end",
        "orchestrator/hooks.py",
        "        if not self._whole:\n",
        "        if not self._whole and not rule:\n",
        (f"{RUN}::test_a_program_that_left_the_group_and_holds_the_output_open_refuses",),
    ),
    Fault(
        "what a hook says is not handed to the Gate",
        "orchestrator/desk.py",
        "self._docket.submit(marked, objection)",
        "self._docket.submit(marked)",
        (AT_DESK,),
    ),
    Fault(
        "Stop does not reach a call at its hooks",
        "orchestrator/desk.py",
        "                looked_at.scope.cancel()\n",
        "                pass\n",
        (f"{AT_DESK}::test_a_call_whose_hook_ended_while_it_was_stopped_is_not_asked_about",),
    ),
)
