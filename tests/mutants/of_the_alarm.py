"""What is found of acting past the answers, broken."""

from __future__ import annotations

from tests.mutants.fault import Fault

WRITINGS = "tests/consent/test_claim.py"
ONCE = "tests/consent/test_unasked.py"
AGAIN = "tests/consent/test_unasked_again.py"
TOLD = "tests/orchestrator/test_unasked.py"

FAULTS = (
    Fault(
        "two writings that may each be a third are one act",
        "consent/claim.py",
        "return self.exact == other.exact or self.exact in other.also or other.exact in self.also",
        "return bool({self.exact, *self.also} & {other.exact, *other.also})",
        (WRITINGS,),
    ),
    Fault(
        "a second path of another name is not held against the one that was shown",
        "consent/claim.py",
        "there = next((places[place] for place in enumerate(field.names) if place in places), None)",
        "there = places.get((0, field.names[0]))",
        (WRITINGS,),
    ),
    Fault(
        "a program that is called like a shell is one wherever it lies",
        "consent/claim.py",
        "if flag in _RUNS_TEXT and shell in SHELLS:",
        'if flag in _RUNS_TEXT and shell.rpartition("/")[2] in SHELLS:',
        (WRITINGS,),
    ),
    Fault(
        "a line that a shell expands is taken for its words",
        "consent/claim.py",
        "not in SHELLS or not _PLAIN.fullmatch(line):",
        "not in SHELLS:",
        (WRITINGS,),
    ),
    Fault(
        "what is behind a link is taken for its neighbour",
        "consent/claim.py",
        "names = _below(_parts(base), names) if base == ground.real else _parts(base) + names",
        "names = _below(_parts(base), names)",
        (WRITINGS,),
    ),
    Fault(
        "the path of a call is taken from the agent's folder, whichever it names",
        "consent/claim.py",
        'return base if base.startswith("/") else ""',
        "return ground.real",
        (WRITINGS,),
    ),
    Fault(
        "of what was told of once, nothing more is told",
        "consent/unasked.py",
        "if finding and now.found is not None and covers(now.found, told.deed):",
        "if finding and now.found is not None:",
        (AGAIN, TOLD),
    ),
    Fault(
        "what ended and runs again is the same act",
        "consent/unasked.py",
        "return told.report is Report.RUNS or self.past or free",
        "return self.past or free",
        (AGAIN, TOLD),
    ),
    Fault(
        "a yes covers its id in all later turns",
        "consent/unasked.py",
        "return told.report is Report.RUNS or self.past or free",
        "return told.report is Report.RUNS or free",
        (AGAIN, TOLD),
    ),
    Fault(
        "one yes covers the call that was meant, and the request's own id",
        "consent/unasked.py",
        "return self._know(call, replace(known, spent=True))._know(meant, decide(self.calls[meant]))",
        "return self._know(call, known)._know(meant, decide(self.calls[meant]))",
        (AGAIN,),
    ),
    Fault(
        "a change that is called a reading later is one",
        "consent/unasked.py",
        "changes = told.effect is Effect.CHANGES or (acts and told.effect is Effect.MAY_CHANGE)",
        "changes = acts and told.effect is not Effect.LOOKS",
        (AGAIN, TOLD),
    ),
    Fault(
        "what was refused as a change may run as a reading",
        "consent/unasked.py",
        "changing=self.changing or effect is not Effect.LOOKS,",
        "changing=self.changing,",
        (AGAIN, TOLD),
    ),
    Fault(
        "after a stop, what was about to ask counts as run",
        "consent/unasked.py",
        "runs=self.runs and not stopped)",
        "runs=self.runs)",
        (AGAIN,),
    ),
    Fault(
        "a call that was forgotten is free",
        "consent/unasked.py",
        "known = self.calls.get(call, _Call(must_ask=must_ask))",
        "known = self.calls.get(call, _Call())",
        (ONCE,),
    ),
    Fault(
        "what an agent calls the command is not compared",
        "orchestrator/listener/calls.py",
        'arguments = json.dumps({"command": title})',
        'arguments = ""',
        (TOLD,),
    ),
)
