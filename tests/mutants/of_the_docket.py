"""The open questions and what is remembered, broken."""

from __future__ import annotations

from tests.mutants.fault import CONVERSATIONS, DOCKET, KEYS, Fault

FAULTS = (
    Fault(
        "an allow for the session settles another agent's question",
        "consent/docket.py",
        "same = answer.lasts and other.question.call.key == key and",
        "same = answer.lasts and other.question.call.key.tool == key.tool and",
        (DOCKET, CONVERSATIONS),
    ),
    Fault(
        "an allow for the session settles what must be asked once only",
        "consent/docket.py",
        "same = answer.lasts and other.question.call.key == key and answer in other.question.answers",
        "same = answer.lasts and other.question.call.key == key",
        (CONVERSATIONS,),
    ),
    Fault(
        "an answer once settles every question of the key",
        "consent/docket.py",
        "same = answer.lasts and other.question.call.key == key",
        "same = other.question.call.key == key",
        (CONVERSATIONS,),
    ),
    Fault(
        "an answer that is not on offer settles the question",
        "consent/docket.py",
        "if entry is None or answer not in entry.question.answers:",
        "if entry is None:",
        (DOCKET,),
    ),
    Fault(
        "a newer question is asked first",
        "consent/docket.py",
        "return replace(self, waiting=(*self.waiting, entry), issued=self.issued + 1), entry",
        "return replace(self, waiting=(entry, *self.waiting), issued=self.issued + 1), entry",
        (CONVERSATIONS,),
    ),
    Fault(
        "two questions have one ticket",
        "consent/docket.py",
        "waiting=(*self.waiting, entry), issued=self.issued + 1",
        "waiting=(*self.waiting, entry), issued=len(self.waiting) + 1",
        (CONVERSATIONS,),
    ),
    Fault(
        "Stop reaches only the agent itself",
        "consent/docket.py",
        "below = [entry.ticket for entry in self.waiting if entry.question.call.path[: len(path)] == path]",
        "below = [entry.ticket for entry in self.waiting if entry.question.call.path == path]",
        (DOCKET,),
    ),
    Fault(
        "an alarm forgets what was refused",
        "consent/docket.py",
        "allowed = (key for key, answer in self.policy.remembered if answer is Answer.ALLOW_SESSION)",
        "allowed = (key for key, _ in self.policy.remembered)",
        (CONVERSATIONS,),
    ),
    Fault(
        "after a change of mode nothing that waits is looked at again",
        "consent/docket.py",
        "return outcome if isinstance(outcome, Decision) else None",
        "return None",
        (DOCKET,),
    ),
    Fault(
        "a thousand and one questions of an agent wait",
        "consent/docket.py",
        "for entry in self.waiting) >= MOST_WAITING",
        "for entry in self.waiting) > MOST_WAITING",
        (DOCKET,),
    ),
    Fault(
        "the crowd of one agent shuts the others out",
        "consent/docket.py",
        "return sum(entry.question.call.path == path for entry in self.waiting) >= MOST_WAITING",
        "return len(self.waiting) >= MOST_WAITING",
        (DOCKET,),
    ),
    Fault(
        "an answer once is remembered",
        "consent/policy.py",
        "if not (isinstance(answer, Answer) and answer.lasts):",
        "if not isinstance(answer, Answer):",
        (CONVERSATIONS,),
    ),
    Fault(
        "an earlier answer stays beside the later one",
        "consent/policy.py",
        "return Policy((*self.forget([key]).remembered, (key, answer)))",
        "return Policy((*self.remembered, (key, answer)))",
        (CONVERSATIONS, KEYS),
    ),
    Fault(
        "a never is not kept",
        "consent/answer.py",
        "return self in (Answer.ALLOW_SESSION, Answer.NEVER)",
        "return self is Answer.ALLOW_SESSION",
        (CONVERSATIONS,),
    ),
)
