"""What a hostile asked agent tried, and what became of it."""

from __future__ import annotations

import json
import sys

import pytest

from tests.walks.builder import Walk

LOCK = "🔐"
HEAD = """
import json, sys, time
def send(frame): sys.stdout.write(json.dumps({"jsonrpc": "2.0", **frame}) + "\\n"); sys.stdout.flush()
def read(): return json.loads(sys.stdin.readline())
def ask(id, call): send({"id": id, "method": "session/request_permission", "params": {
    "sessionId": "s1", "toolCall": {"toolCallId": str(id), **call},
    "options": [{"optionId": "yes", "name": "yes", "kind": "allow_once"},
                {"optionId": "no", "name": "no", "kind": "reject_once"}]}})
send({"id": read()["id"], "result": {"protocolVersion": 1}})
send({"id": read()["id"], "result": {"sessionId": "s1"}})
prompt = read()
"""


def hostile(walk: Walk, body: str, *more: str) -> None:
    """riker asks gem, a program of its own that answers its start and then does `body`."""
    walk.file("gem.py", HEAD + body)
    command = json.dumps([sys.executable, str(walk.folder / "gem.py")])
    walk.agent("riker", "yolo: false", f"mmConfigs: {{gem: {{command: {command}}}}}", *more)


def test_after_stop_nothing_of_the_agent_is_asked_or_allowed_any_more(walk: Walk) -> None:
    hostile(
        walk,
        """
ask("q1", {"name": "bash", "rawInput": {"command": "first"}})
seen = [read()]
while not {"q1", "session/cancel"} <= {m.get("method", m.get("id")) for m in seen}: seen.append(read())
ask("q2", {"name": "bash", "rawInput": {"command": "second"}})
open("second.json", "w").write(json.dumps(read()))
send({"id": prompt["id"], "result": {"stopReason": "cancelled"}})
sys.stdin.read()
""",
    )
    with walk.line() as mm:
        mm.types("/ask-gem go").sees(f"{LOCK} gem").answers("2")
        mm.presses("ctrl-c").waits_for_prompt()
        walk.waits_for("second.json")
        assert mm.count(LOCK) == 1
        mm.types("/quit").ends(0)
    assert json.loads(walk.read("second.json"))["result"] == {"outcome": {"outcome": "cancelled"}}


def test_a_question_does_not_outlive_its_turn(walk: Walk) -> None:
    hostile(
        walk,
        """
ask("q1", {"name": "bash", "rawInput": {"command": "later"}})
send({"id": prompt["id"], "result": {"stopReason": "end_turn"}})
open("answer.json", "w").write(json.dumps(read()))
sys.stdin.read()
""",
    )
    with walk.line() as mm:
        mm.types("/ask-gem go")
        walk.waits_for("answer.json")
        mm.waits_for_prompt().types("/quit").ends(0)
    assert json.loads(walk.read("answer.json"))["result"] == {"outcome": {"outcome": "cancelled"}}


def test_an_agent_that_reads_nothing_any_more_is_ended_by_stop(walk: Walk) -> None:
    hostile(
        walk,
        """
for i in range(2000): send({"id": "r" * 100 + str(i), "method": "fs/read_text_file", "params": {}})
time.sleep(600)
""",
    )
    with walk.line() as mm:
        mm.types("/ask-gem go").sees("gem")
        mm.presses("ctrl-c").waits_for_prompt()
        mm.types("/quit").ends(0)


def test_a_path_that_no_system_can_open_is_refused_at_once(walk: Walk) -> None:
    hostile(
        walk,
        """
ask("q1", {"name": "write_file", "kind": "edit", "rawInput": {"path": "a/" * 1000000, "content": "x"}})
open("answer.json", "w").write(json.dumps(read()))
send({"id": prompt["id"], "result": {"stopReason": "end_turn"}})
sys.stdin.read()
""",
    )
    ran = walk.runs("--ask", "gem", "go")
    assert "path-too-long" in ran.stderr
    assert json.loads(walk.read("answer.json"))["result"]["outcome"] == {
        "outcome": "selected",
        "optionId": "no",
    }


def test_a_flood_of_errors_for_nobody_ends_in_a_clear_error(walk: Walk) -> None:
    hostile(
        walk,
        """
for _ in range(200000): send({"id": None, "error": {"code": 1, "message": "x"}})
time.sleep(600)
""",
    )
    ran = walk.runs("--ask", "gem", "go")
    assert ran.code == 1
    assert "over 100 lines a minute" in ran.stderr


@pytest.mark.parametrize("said", ["\x1b]0;PWNED\x07\x1b[2J", "\u202e", "\ud800"])
def test_what_an_agent_says_when_it_fails_draws_nothing(walk: Walk, said: str) -> None:
    frame = json.dumps({"code": 1, "message": said})
    hostile(walk, f"send({{'id': prompt['id'], 'error': json.loads({frame!r})}})\nsys.stdin.read()\n")
    ran = walk.runs("--ask", "gem", "go")
    assert ran.code == 1
    assert said not in ran.stderr
    assert "Traceback" not in ran.stderr
