"""Which calls a rule and a "never" mean, broken."""

from __future__ import annotations

from tests.mutants.fault import FITS, KEYS, STATES, Fault

FAULTS = (
    Fault(
        "a deny looks at letter case",
        "consent/matching.py",
        "same = self.tool.lower() == tool_text(call.key).lower()",
        "same = self.tool == tool_text(call.key)",
        (FITS,),
    ),
    Fault(
        "an allow does not look at letter case",
        "consent/matching.py",
        "key.sort is Sort.NAME and tool_text(key) == pattern.tool",
        "key.sort is Sort.NAME and tool_text(key).lower() == pattern.tool.lower()",
        (f"{STATES}[own bash]",),
    ),
    Fault(
        "an allow of a tool frees the kind of the same name",
        "consent/matching.py",
        "key.path == pattern.path and key.sort is Sort.NAME and",
        "key.path == pattern.path and",
        (KEYS,),
    ),
    Fault(
        "jan/* allows the agents below jan",
        "consent/matching.py",
        """            return key.path[: len(pattern.path)] == pattern.path
        case Reach.AGENT:
            return key.path == pattern.path""",
        """            return key.path[: len(pattern.path)] == pattern.path
        case Reach.AGENT:
            return key.path[: len(pattern.path)] == pattern.path""",
        (FITS,),
    ),
    Fault(
        "bash: deny is about own calls only",
        "consent/matching.py",
        "in_scope = not pattern.path or call.path == pattern.path",
        "in_scope = call.path == pattern.path",
        (FITS,),
    ),
    Fault(
        "a foreign agent's own name hides what the call does",
        "consent/matching.py",
        "if call.origin is Origin.FOREIGN:",
        "if call.origin is Origin.FOREIGN and not builtin_kinds(call.name):",
        (FITS,),
    ),
    Fault(
        "kind other of a nameless call escapes",
        "consent/matching.py",
        "if self.kinds and (call.kind is Kind.OTHER or call.kind in self.kinds):",
        "if self.kinds and call.kind in self.kinds:",
        (FITS,),
    ),
    Fault(
        "a nameless call escapes a rule for a tool that is not built in",
        "consent/matching.py",
        "return Match.MIGHT if self.kinds <= {Kind.OTHER} else Match.NO",
        "return Match.NO",
        (FITS,),
    ),
    Fault(
        "an unclear call escapes a rule for a tool",
        "consent/matching.py",
        """            case Sort.UNCLEAR:
                return Match.MIGHT""",
        """            case Sort.UNCLEAR:
                return Match.NO""",
        (FITS,),
    ),
    Fault(
        "one agent's never binds another",
        "consent/matching.py",
        """    if never.path != call.path:
        return Match.NO
""",
        "",
        (FITS,),
    ),
    Fault(
        "a never means exactly its key",
        "consent/matching.py",
        "return Match.YES if call.key == never else _remembered(never).means(call)",
        "return Match.YES if call.key == never else Match.NO",
        (FITS,),
    ),
    Fault(
        "a name that is not valid makes a key",
        "consent/key.py",
        "if name is not None and VALID_NAME.fullmatch(name):",
        "if name:",
        (FITS,),
    ),
    Fault(
        "a name with a line end is valid",
        "consent/key.py",
        "if name is not None and VALID_NAME.fullmatch(name):",
        "if name is not None and VALID_NAME.match(name):",
        (FITS, KEYS),
    ),
    Fault(
        "an invalid name falls back to the kind",
        "consent/key.py",
        "if name is None and kind not in (None, Kind.SWITCH_MODE):",
        "if kind not in (None, Kind.SWITCH_MODE):",
        (FITS,),
    ),
)
