"""What is shown of another process's text, broken."""

from __future__ import annotations

from tests.mutants.fault import SHOW, Fault

FAULTS = (
    Fault(
        "a backslash before an escape reads like one",
        "consent/show.py",
        'return _AMBIGUOUS.sub(r"\\\\\\\\", shown).replace(_RAW, "\\\\")',
        'return shown.replace(_RAW, "\\\\")',
        (SHOW,),
    ),
    Fault(
        "what is printable but drawn as nothing stays",
        "consent/show.py",
        "return not char.isprintable() or bool(_UNSEEN.match(char)) or",
        "return not char.isprintable() or",
        (SHOW,),
    ),
    Fault(
        "blanks push what follows off the screen",
        "consent/show.py",
        'if _PLAIN.fullmatch(text) and " " * (MOST_BLANKS + 1) not in text:',
        "if _PLAIN.fullmatch(text):",
        (SHOW,),
    ),
    Fault(
        "any number of marks sit on one letter",
        "consent/show.py",
        "            room -= plain\n",
        "",
        (SHOW,),
    ),
    Fault(
        "a mark may sit on something of ours",
        "consent/show.py",
        "room = 0  # for marks",
        "room = MOST_MARKS  # for marks",
        (SHOW,),
    ),
    Fault(
        "letters that look alike look alike in names",
        "consent/show.py",
        "if _hides(char, count) or (ascii_only and not char.isascii()):",
        "if _hides(char, count):",
        (SHOW,),
    ),
    Fault(
        "the end of a long text is hidden",
        "consent/show.py",
        "    return Excerpt(head, tail, len(hidden)",
        '    return Excerpt(head, "", len(hidden)',
        (SHOW,),
    ),
    Fault(
        "escapes make more of a text than was counted",
        "consent/show.py",
        "    shown = show(text)\n    return",
        "    shown = text\n    return",
        (SHOW,),
    ),
    Fault(
        "an editor draws what a command shows as Markdown of others",
        "orchestrator/facades/editor_port.py",
        'as_markdown(filter(str.strip, text.split("\\n")))',
        "text",
        ("tests/orchestrator/facades/test_editor_commands.py",),
    ),
)
