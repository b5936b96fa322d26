"""What is dangerous is said with the question, at a terminal and in an editor; critical asks each time."""

from __future__ import annotations

import json

from tests.walks.builder import Walk

ASKS = "yolo: false"
LOCK = "🔐"
JAN = "mmConfigs: {jan: ./jan.yaml}"


def test_the_line_says_what_a_command_destroys_and_remembers_no_critical_answer(walk: Walk) -> None:
    walk.agent("riker", ASKS, "tools: {approval: {bash: allow}}", JAN)
    walk.agent("jan")
    with walk.line() as mm:
        mm.types("run touch made")  # allowed by the file, without a question
        mm.types("/ask-jan run rm made").sees(LOCK, "│ rm made", "destructive: deletes files: rm").answers(
            "4"
        )
        mm.types("run echo 1 >> .git/config").sees(LOCK, "critical: changes what git runs").answers("1")
        mm.types("run echo 2 >> .git/config").sees(LOCK, "critical: changes what git runs").answers("4")
        mm.types("/quit").ends(0)
        assert mm.count(LOCK) == 3
        assert mm.count("allow for the session") == 1
    assert walk.made("made")


def test_a_critical_file_is_known_in_every_field_of_a_foreign_agent(walk: Walk) -> None:
    link = walk.folder / "link"
    (walk.folder / ".git" / "info").mkdir(parents=True)
    link.symlink_to(".git/info")
    calls = (
        "{edits: [{file: link/../config}]}",
        '{input: "*** Begin Patch\\n*** Update File: riker.yaml"}',
        "{url: 'https://example.com', output: 'file:.git/hooks/pre%2Dpush'}",
        "{content: 'echo >> .git/config', file: notes}",
    )
    asks = ", ".join(
        f"{{ask: {{toolCall: {{name: work, kind: other, rawInput: {call}}}}}}}" for call in calls
    )
    script = f"prompts: [[{asks}]]"
    walk.agent("riker", ASKS, f"mmConfigs: {{jan: {walk.child('jan', script)}}}")
    with walk.line() as mm:
        mm.types("/ask-jan work").sees("edits", "critical: changes what git runs").answers("1")
        mm.sees("Begin Patch", "critical: changes a file that decides").answers("1")
        mm.sees("output", "critical: changes what git runs").answers("1")
        mm.sees("notes", "allow for the session").answers("1")
        mm.types("/quit").ends(0)
        assert mm.count("critical:") == 3


def test_the_file_that_decides_is_critical_also_for_an_asked_agent(walk: Walk) -> None:
    walk.agent("riker", ASKS, JAN)
    walk.agent("jan")
    with walk.editor() as editor:
        editor.opens().says(f"/ask-jan run echo >> {walk.folder}/riker.yaml")
        question = editor.question()
        shown = json.dumps(question["params"]["toolCall"]["content"])
        assert "critical: changes a file that decides what agents may do" in shown
        assert "allow_always" not in [option["kind"] for option in question["params"]["options"]]
        editor.answers(question, "reject_once")
