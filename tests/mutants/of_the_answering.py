"""How a person's answer arrives and what then runs, broken."""

from __future__ import annotations

from tests.mutants.fault import DESK, EVENTS, GUARD, LISTENER, LOOP, SHOWN, Fault

STOPPING = "tests/walks/test_stopping.py"

FAULTS = (
    Fault(
        "a line that others surround answers",
        "orchestrator/facades/guard.py",
        """        case Confirming():
            return _wrong(now)""",
        """        case Confirming():
            return state""",
        (GUARD,),
    ),
    Fault(
        "keys on their way to the question before answer this one",
        "orchestrator/facades/guard.py",
        """        case Settling():
            return replace(state, last=now)""",
        """        case Settling():
            return state""",
        (GUARD,),
    ),
    Fault(
        "pasted text answers",
        "orchestrator/facades/guard.py",
        """        case Pasted(text):
            return Inviting(now, (state.line + text)[:LONGEST], alone=False)""",
        """        case Pasted(text):
            return Inviting(now, (state.line + text)[:LONGEST], state.alone)""",
        (GUARD,),
    ),
    Fault(
        "a mended line answers",
        "orchestrator/facades/guard.py",
        "return Inviting(now, line, alone=not line)",
        "return Inviting(now, line)",
        (GUARD,),
    ),
    Fault(
        "a person who cannot be reached counts as one who allows",
        "orchestrator/desk.py",
        "self._docket, settled = self._docket.refuse(waiting.ticket, answer)",
        "self._docket, settled = self._docket.answer(waiting.ticket, Answer.ALLOW_ONCE)",
        (EVENTS,),
    ),
    Fault(
        "a question whose asker breaks goes on waiting",
        "orchestrator/desk.py",
        """            self._docket, left = self._docket.withdraw([waiting.ticket])
            self._settle(left)
""",
        "",
        (DESK,),
    ),
    Fault(
        "Stop at a question stops nobody",
        "orchestrator/desk.py",
        "            self._on_stop(waiting.question.call.path)\n",
        "",
        (DESK,),
    ),
    Fault(
        "a turn that is stopped leaves its questions open",
        "orchestrator/turn.py",
        "        self.shared.desk.stop(self.path)\n",
        "",
        (f"{STOPPING}::test_an_editors_stop_cancels_every_question_of_the_tree_once",),
    ),
    Fault(
        "what Stop takes back is not written down",
        "orchestrator/desk.py",
        "        finally:\n            self._take_down(call, decision,",
        "        finally:\n            decision.why is Why.CANCELLED or self._take_down(call, decision,",
        (f"{STOPPING}::test_an_editors_stop_cancels_every_question_of_the_tree_once",),
    ),
    Fault(
        "a question settled elsewhere stays on the screen",
        "orchestrator/desk.py",
        "            slot.scope.cancel()\n",
        "",
        (DESK,),
    ),
    Fault(
        "a call may change under its question",
        "orchestrator/listener/calls.py",
        "if asked.call_id == call_id and not asked.still_shows(merged):",
        "if False:",
        (SHOWN,),
    ),
    Fault(
        "another tool may be named under a question",
        "orchestrator/listener/calls.py",
        "said = said_of(fields, self.profile)",
        "said = self.said",
        (SHOWN,),
    ),
    Fault(
        "a flood is told at every question",
        "orchestrator/listener/requests.py",
        "self._flooded = self._flooded or flood",
        "pass",
        (LISTENER,),
    ),
    Fault(
        "what was looked at runs, not what was shown",
        "orchestrator/loop.py",
        "return await tool.run(json.loads(submitted.arguments), seen, self._place)",
        "return await tool.run({}, seen, self._place)",
        (LOOP,),
    ),
    Fault(
        "a refused call runs",
        "orchestrator/loop.py",
        "            if decision.allowed:\n",
        "            if decision:\n",
        (LOOP,),
    ),
)
