"""How a request is read and answered, broken."""

from __future__ import annotations

from tests.mutants.fault import BESIDE, CLAIMS, MARKDOWN, OPTIONS, READING, UPDATES, Fault

FAULTS = (
    Fault(
        "a name that comes later than another is no doubt",
        "orchestrator/acp/permission.py",
        "if len(set(seen.names)) > 1 or seen.server is None:",
        "if seen.server is None:",
        (READING,),
    ),
    Fault(
        "a call whose arguments nobody sees is no doubt",
        "orchestrator/acp/permission.py",
        "if not isinstance(detail, Arguments) or detail.text.strip():",
        "if not isinstance(detail, Arguments) or detail.text:",
        (READING,),
    ),
    Fault(
        "fields that the tool does not know pass",
        "orchestrator/acp/permission.py",
        "not set(needed) <= set(raw) <= {*needed, *possible}",
        "not set(needed) <= set(raw)",
        (READING,),
    ),
    Fault(
        "one of two paths is shown and the other is written",
        "orchestrator/acp/permission.py",
        "if not one_file(asking.folder, paths_of(merged)):",
        "if False:",
        (READING,),
    ),
    Fault(
        "a command may hide a NUL",
        "orchestrator/acp/permission.py",
        "for text in (*_run(seen), *paths)):",
        "for text in paths):",
        (READING,),
    ),
    Fault(
        "a foreign agent speaks for others",
        "orchestrator/acp/permission.py",
        "if isinstance(meta, dict) and origin is Origin.OURS else None",
        "if isinstance(meta, dict) else None",
        (CLAIMS,),
    ),
    Fault(
        "a doubt that came along and is not known here is dropped",
        "orchestrator/acp/permission.py",
        "yield Doubt(doubt) if isinstance(doubt, str) and doubt in list(Doubt) else Doubt.UNKNOWN_SHAPE",
        "yield from [Doubt(doubt)] if isinstance(doubt, str) and doubt in list(Doubt) else []",
        (READING,),
    ),
    Fault(
        "our agent says of itself that it is foreign, or works elsewhere",
        "orchestrator/acp/permission.py",
        """    if not below:
        return asking
""",
        "",
        (READING,),
    ),
    Fault(
        "yolo answers a request without a yes by another option",
        "orchestrator/acp/permission.py",
        "    if not options.allow:\n",
        "    if not options.allow and options.refuse is None:\n",
        (READING,),
    ),
    Fault(
        "one of several yeses goes out for a plain one",
        "orchestrator/acp/options.py",
        "case None | Answer(), (plain,):",
        "case None | Answer(), (plain, *_):",
        (OPTIONS,),
    ),
    Fault(
        "an option whose id stands twice goes out",
        "orchestrator/acp/options.py",
        'if option["optionId"] and times[option["optionId"]] == 1]',
        'if option["optionId"]]',
        (OPTIONS,),
    ),
    Fault(
        "an always goes out for a yes",
        "orchestrator/acp/options.py",
        'if option["kind"] == "allow_once"]',
        'if option["kind"].startswith("allow")]',
        (OPTIONS,),
    ),
    Fault(
        "a refusal that can be said once is said for ever",
        "orchestrator/acp/options.py",
        'REFUSALS = ("reject_once", "reject_always")',
        'REFUSALS = ("reject_always", "reject_once")',
        (OPTIONS,),
    ),
    Fault(
        "whatever else an editor answers is a yes",
        "orchestrator/acp/updates.py",
        """        case _:
            return Why.INVALID
""",
        """        case _:
            return Answer.ALLOW_ONCE
""",
        (UPDATES,),
    ),
    Fault(
        "two yeses may look alike",
        "orchestrator/acp/options.py",
        "len(yeses) <= MOST_YESES and len(set(map(yes_name, names))) == len(names)",
        "len(yeses) <= MOST_YESES",
        (OPTIONS,),
    ),
    Fault(
        "an argument counts as shown by its name",
        "orchestrator/words/shown.py",
        "(field in _BEFORE and value == before) or (field in _AFTER and value == after)",
        "field in _BEFORE or field in _AFTER",
        (BESIDE,),
    ),
    Fault(
        "a diff may hide what a program would run",
        "orchestrator/acp/details.py",
        "if len(diffs) == 1 and kind in CHANGES:",
        "if len(diffs) == 1:",
        (BESIDE,),
    ),
    Fault(
        "a diff may differ from the arguments",
        "orchestrator/acp/details.py",
        "return bool(readings) and not any(readings)",
        "return False",
        (BESIDE,),
    ),
    Fault(
        "a text ends its own block of Markdown",
        "orchestrator/acp/markdown.py",
        "max(SHORTEST_FENCE, _longest(text) + 1)",
        "SHORTEST_FENCE",
        (MARKDOWN,),
    ),
    Fault(
        "a line of ours is Markdown",
        "orchestrator/acp/markdown.py",
        "if _PLAIN.fullmatch(line):",
        "if line:",
        (MARKDOWN,),
    ),
    Fault(
        "an editor gets a cut command",
        "orchestrator/acp/updates.py",
        "card(waiting, words, behind, whole=LONGEST)",
        "card(waiting, words, behind)",
        (UPDATES,),
    ),
)
