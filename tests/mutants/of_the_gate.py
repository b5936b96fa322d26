"""The order of decisions, broken line by line."""

from __future__ import annotations

from tests.mutants.fault import DOCKET, FITS, STATES, Fault

FAULTS = (
    Fault(
        "yolo comes before a deny",
        "consent/rules.py",
        """    rule = facts.ruled(Effect.DENY, Match.YES)
    return (Outcome.REFUSE, rule) if rule else None""",
        """    rule = facts.ruled(Effect.DENY, Match.YES)
    free = facts.setting.yolo(facts.call.path)
    return (Outcome.REFUSE, rule) if rule and not free else None""",
        (STATES,),
    ),
    Fault(
        "a never ends with yolo",
        "consent/rules.py",
        "return (Outcome.REFUSE, None) if facts.never(Match.YES) else None",
        "return (Outcome.REFUSE, None) if facts.never(Match.YES) and not facts.setting.yolo(()) else None",
        (STATES,),
    ),
    Fault(
        "a call that cannot run as shown is asked about",
        "consent/rules.py",
        "return (Outcome.REFUSE, None) if facts.call.unrunnable else None",
        "return (Outcome.ASK_ONCE, None) if facts.call.unrunnable else None",
        (STATES,),
    ),
    Fault(
        "a switch of modes is no question of its own",
        "consent/rules.py",
        "if facts.call.yeses or facts.call.kind is Kind.SWITCH_MODE:",
        "if facts.call.yeses:",
        (f"{STATES}[jan switches]",),
    ),
    Fault(
        "yolo picks one of several yeses",
        "consent/rules.py",
        "if facts.call.yeses or facts.call.kind is Kind.SWITCH_MODE:",
        "if facts.call.kind is Kind.SWITCH_MODE:",
        (STATES,),
    ),
    Fault(
        "an unclear name escapes a prompt",
        "consent/rules.py",
        "rule = facts.ruled(Effect.DENY, Match.MIGHT) or _unsure_prompt(facts)",
        "rule = facts.ruled(Effect.DENY, Match.MIGHT)",
        (f"{STATES}[jan (unclear)]",),
    ),
    Fault(
        "an unclear name escapes a never",
        "consent/rules.py",
        "return (Outcome.ASK_ONCE, rule) if rule or facts.never(Match.MIGHT) else None",
        "return (Outcome.ASK_ONCE, rule) if rule else None",
        (FITS,),
    ),
    Fault(
        "the mark of an asked agent is ignored",
        "consent/rules.py",
        "if not (rule or facts.call.marked):",
        "if not rule:",
        (STATES,),
    ),
    Fault(
        "a doubtful call that a prompt asks about may be allowed for the session",
        "consent/rules.py",
        "return (Outcome.ASK_ONCE if facts.shaky else Outcome.ASK), rule",
        "return Outcome.ASK, rule",
        (STATES,),
    ),
    Fault(
        "an allow frees critical calls",
        "consent/rules.py",
        "return unclear or bool(self.call.doubts or self.call.critical)",
        "return unclear or bool(self.call.doubts)",
        (STATES,),
    ),
    Fault(
        "a call without a clear name is no doubt",
        "consent/rules.py",
        "return unclear or bool(self.call.doubts or self.call.critical)",
        "return bool(self.call.doubts or self.call.critical)",
        (f"{STATES}[jan (unclear)]",),
    ),
    Fault(
        "what an asked agent calls reading runs free",
        "consent/rules.py",
        "own = facts.call.origin is Origin.OWN",
        "own = True",
        (f"{STATES}[jan read]",),
    ),
    Fault(
        "an allow of the file widens under the floor",
        "consent/rules.py",
        """    if facts.setting.floor:
        return None
""",
        "",
        (f"{STATES}[jan bash]",),
    ),
    Fault(
        "mode write reaches beyond the folder",
        "consent/rules.py",
        "inside = call.fenced and call.tier is Tier.WRITE",
        "inside = call.tier is Tier.WRITE",
        (f"{STATES}[own write]",),
    ),
    Fault(
        "mode write frees commands",
        "consent/rules.py",
        "inside = call.fenced and call.tier is Tier.WRITE and call.full_name in BUILTIN_KINDS",
        "inside = call.fenced and call.full_name in BUILTIN_KINDS",
        (f"{STATES}[own bash]",),
    ),
    Fault(
        "mode write frees MCP tools",
        "consent/rules.py",
        "call.tier is Tier.WRITE and call.full_name in BUILTIN_KINDS",
        "call.tier is Tier.WRITE",
        (f"{STATES}[own MCP]",),
    ),
    Fault(
        "mode write counts under the floor",
        "consent/rules.py",
        "if setting.floor or setting.mode is not Mode.WRITE",
        "if setting.mode is not Mode.WRITE",
        (f"{STATES}[own write]",),
    ),
    Fault(
        "memory answers a question that counts once only",
        "consent/gate.py",
        "if not question.once_only and REMEMBERED.applies(facts):",
        "if REMEMBERED.applies(facts):",
        (STATES,),
    ),
    Fault(
        "where nobody can answer the call is left waiting",
        "consent/gate.py",
        "if NOBODY.applies(facts):",
        "if NOBODY.applies(facts) and question.once_only:",
        (STATES,),
    ),
    Fault(
        "an answer that was not offered allows",
        "consent/gate.py",
        "allowed = answer.allows and answer in self.answers",
        "allowed = answer.allows",
        (DOCKET,),
    ),
    Fault(
        "a question once only offers the session",
        "consent/gate.py",
        "return tuple(a for a in Answer if not (self.once_only and a is Answer.ALLOW_SESSION))",
        "return tuple(Answer)",
        (DOCKET,),
    ),
    Fault(
        "an entry's yolo counts under the floor",
        "consent/setting.py",
        """        if self.floor:
            return False
        return self.entries""",
        """        if self.floor and not path:
            return False
        return self.entries""",
        (f"{STATES}[jan bash]",),
    ),
    Fault(
        "the last agent of a path decides about yolo",
        "consent/setting.py",
        "self.entries.get(path[0], self.mode is Mode.YOLO) if path",
        "self.entries.get(path[-1], self.mode is Mode.YOLO) if path",
        (f"{STATES}[homer of jan]",),
    ),
    Fault(
        "yolo comes before a prompt",
        "consent/rules.py",
        "if not (rule or facts.call.marked):",
        "if facts.setting.yolo(facts.call.path) or not (rule or facts.call.marked):",
        (STATES,),
    ),
    Fault(
        "an own call that only reads is free whatever is doubtful about it",
        "consent/rules.py",
        """    Line(7, "the call is doubtful or critical", _ONCE, Why.ANSWER, _shaky),
    Line(8, "an own call that only reads", _ALLOW, Why.READ, _read),
""",
        """    Line(8, "an own call that only reads", _ALLOW, Why.READ, _read),
    Line(7, "the call is doubtful or critical", _ONCE, Why.ANSWER, _shaky),
""",
        (f"{STATES}[own read]",),
    ),
)
