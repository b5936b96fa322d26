"""A file that decides and that changed since mm was started: used after a person's yes, and never else."""

from __future__ import annotations

import os
import sys

import pytest

from tests.orchestrator.acp.official_schema import check
from tests.walks.builder import Walk

LOCK = "🔐"
SAID = "the file that decides what jan does changed since mm was started"
WRITES = "tools: {approval: {write_file: allow, edit_file: allow}}"
JAN = "mmConfigs: {jan: ./jan.yaml}"
HOMER = "mmConfigs: {homer: ./homer.yaml}"
NEW = "description: new"
EVIL = "model: demo\nmmConfigs: {evil: {command: [sh, -c, touch pwned; sleep 1]}}\n"
TURNS = """
    - call: {tool: write_file, args: {path: %s, content: "%s"}}
    - call: {tool: ask_jan, args: {question: "ask %s: go"}}
    - {expect: "%s", say: done}
"""
ERROR = "start mm anew"


def free(walk: Walk, *lines: str) -> Walk:
    """riker under yolo, who asks jan."""
    walk.agent("riker", "yolo: true", JAN, *lines)
    walk.agent("jan", "description: as at the start")
    return walk


# --- a person


def test_after_a_yes_it_runs_with_the_new_file_and_is_not_asked_about_again_also_under_yolo(
    walk: Walk,
) -> None:
    with free(walk).line() as mm:
        mm.waits_for_prompt()
        walk.agent("jan", HOMER)
        walk.agent("homer")
        mm.types("/ask-jan run touch made").sees(LOCK, SAID, "jan.yaml", "open this file").answers("1")
        mm.waits_for_prompt()
        assert walk.made("made")
        mm.types("/ask-jan run touch more").waits_for_prompt().types("/new").waits_for_prompt()
        mm.types("/ask-jan run touch anew").waits_for_prompt().types("/quit").ends(0)
        assert mm.count(LOCK) == 1
    assert walk.made("more")
    assert walk.made("anew")


def test_an_agent_that_runs_goes_on_with_what_it_has_read(walk: Walk) -> None:
    with free(walk).line() as mm:
        mm.types("/ask-jan run touch made").waits_for_prompt()
        walk.agent("jan", "bashTool: false")
        mm.types("/ask-jan run touch more").waits_for_prompt().types("/quit").ends(0)
        assert mm.count(LOCK) == 0
    assert walk.made("more")


@pytest.mark.parametrize("answer", ["2", "4"])
def test_without_a_yes_nothing_starts_and_two_answers_nothing(walk: Walk, answer: str) -> None:
    with free(walk).line() as mm:
        mm.waits_for_prompt()
        walk.agent("jan", NEW)
        mm.types("/ask-jan run touch made").answers(answer)
        if answer == "2":
            mm.sees("only 1, 3, 4").answers("4")
        mm.sees("jan is not started", "the person refused this call").waits_for_prompt()
        mm.types("/ask-jan run touch made").sees(LOCK).answers("3").sees("jan is not started")
        mm.types("/ask-jan run touch made").sees("said before that ask_jan never runs").waits_for_prompt()
        mm.types("/grants").sees("ask_jan").types("/revoke ask_jan").waits_for_prompt()
        mm.types("/ask-jan run touch made").answers("1").waits_for_prompt().types("/quit").ends(0)
        assert mm.count(LOCK) >= 3
    assert walk.made("made")


def test_a_file_that_changes_again_while_it_is_asked_about_is_asked_about_again(walk: Walk) -> None:
    with free(walk).line() as mm:
        mm.waits_for_prompt()
        walk.agent("jan", NEW)
        mm.types("/ask-jan run touch made").sees(LOCK)
        walk.agent("jan", "description: newer")
        mm.answers("1").sees(LOCK).answers("4").sees("jan is not started").types("/quit").ends(0)
    assert not walk.made("made")


def test_a_fault_in_the_new_file_is_told_with_its_line_and_not_asked_about(walk: Walk) -> None:
    with free(walk).line() as mm:
        mm.waits_for_prompt()
        walk.agent("jan", "yollo: true")
        mm.types("/ask-jan run touch made").sees("jan.yaml:2:1: yollo").waits_for_prompt()
        mm.types("/quit").ends(0)
        assert mm.count(LOCK) == 0


def test_the_chain_is_named_where_an_agent_below_asks(walk: Walk) -> None:
    free(walk)
    walk.agent("jan", HOMER)
    walk.agent("homer")
    with walk.line() as mm:
        mm.waits_for_prompt()
        walk.agent("homer", NEW)
        mm.types("/ask-jan ask homer: run touch made")
        mm.sees(f"{LOCK} jan", "jan wants to start homer", "homer.yaml").answers("4")
        mm.sees("the person refused this call").waits_for_prompt()
        mm.types("/ask-jan ask homer: run touch made").sees(LOCK).answers("1").waits_for_prompt()
        mm.types("/ask-jan ask homer: run touch more").waits_for_prompt()
        mm.types("/quit").ends(0)
        assert mm.count(LOCK) == 2
    assert walk.made("made")
    assert walk.made("more")


def test_a_yes_for_jan_is_none_for_what_her_new_file_names(walk: Walk) -> None:
    with free(walk).line() as mm:
        mm.waits_for_prompt()
        walk.agent("jan", HOMER)
        walk.agent("homer")
        mm.types("/ask-jan ask homer: run touch made").sees("your agent wants to start jan").answers("1")
        mm.sees("jan wants to start homer").answers("4").waits_for_prompt().types("/quit").ends(0)
    assert not walk.made("made")


def test_an_editor_gets_a_valid_question_and_its_yes_counts(walk: Walk) -> None:
    with free(walk).editor() as editor:
        editor.opens()
        walk.agent("jan", NEW)
        editor.says("/ask-jan run touch made")
        question = editor.question()
        check("RequestPermissionRequest", question["params"])
        check("ToolCallUpdate", question["params"]["toolCall"])
        call = question["params"]["toolCall"]
        assert (call["name"], call["kind"]) == ("ask_jan", "switch_mode")
        assert call["rawInput"]["path"] == str(walk.folder / "jan.yaml")
        assert call["locations"] == [{"path": str(walk.folder / "jan.yaml")}]
        assert SAID in call["content"][0]["content"]["text"]
        assert "allow_always" not in [option["kind"] for option in question["params"]["options"]]
        assert call["toolCallId"] in [update["toolCallId"] for update in editor.updates("tool_call")]
        editor.answers(question, "allow_once")
        assert editor.stop_reason == "end_turn"
        ended = [u for u in editor.updates("tool_call_update") if u["toolCallId"] == call["toolCallId"]]
        assert [update["status"] for update in ended] == ["completed"]
    assert walk.made("made")


def test_an_editor_that_cannot_ask_is_an_error(walk: Walk) -> None:
    with free(walk).editor() as editor:
        editor.opens()
        walk.agent("jan", NEW)
        editor.says("/ask-jan run touch made")
        editor.sends({"id": editor.question()["id"], "error": {"code": -32601, "message": "no"}})
        assert ERROR in editor.failure
    assert not walk.made("made")


# --- nobody, and an agent that may write files


@pytest.mark.parametrize(
    ("written", "content", "asked"),
    [("jan.yaml", EVIL, "evil"), ("homer.yaml", EVIL.replace("evil", "homer"), "homer")],
)
def test_a_program_that_an_agent_wrote_into_a_file_of_the_tree_does_not_start(
    walk: Walk, written: str, content: str, asked: str
) -> None:
    walk.agent("riker", "model: script:turns.yaml", "yolo: true", JAN)
    walk.agent("jan", HOMER)
    walk.agent("homer")
    walk.file("turns.yaml", TURNS % (written, content.replace("\n", "\\n"), asked, ERROR))
    ran = walk.runs("-p", "go")
    key = "ask_jan" if written == "jan.yaml" else "jan/ask_homer"
    assert (ran.code, ran.stdout.strip()) == (3, "done"), ran.stderr
    assert f"1 call refused because nobody could be asked: {key} (1)" in ran.stderr
    assert walk.read(written).startswith("model: demo")
    assert not walk.made("pwned")


def test_a_person_is_asked_when_an_agent_wrote_the_file_and_the_model_is_told_of_the_no(walk: Walk) -> None:
    walk.agent("riker", "model: script:turns.yaml", "yolo: true", JAN)
    walk.agent("jan")
    walk.file("turns.yaml", TURNS % ("jan.yaml", EVIL.replace("\n", "\\n"), "evil", "person refused"))
    with walk.line() as mm:
        mm.types("go").sees(f"{LOCK} you", SAID).answers("4").sees("done").types("/quit").ends(0)
    assert not walk.made("pwned")


def test_an_agent_written_in_place_is_asked_about_when_its_file_changed(walk: Walk) -> None:
    text = "yolo: true", "mmConfigs: {jan: {config: {model: demo, description: %s}}}"
    walk.agent("riker", text[0], text[1] % "old")
    with walk.line() as mm:
        mm.waits_for_prompt()
        walk.agent("riker", text[0], text[1] % "new")
        mm.types("/ask-jan run touch made").sees(LOCK, SAID, "riker.yaml").answers("4").waits_for_prompt()
        mm.types("/ask-jan run touch made").answers("1").waits_for_prompt().types("/quit").ends(0)
    assert walk.made("made")


def test_what_an_agent_written_in_place_names_is_sealed_too(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", "mmConfigs: {jan: {config: {model: demo, " + HOMER + "}}}")
    walk.agent("homer")
    with walk.line() as mm:
        mm.waits_for_prompt()
        walk.agent("homer", NEW)
        mm.types("/ask-jan ask homer: run touch made").sees(f"{LOCK} jan", "homer.yaml").answers("4")
        mm.waits_for_prompt().types("/quit").ends(0)
    assert not walk.made("made")


@pytest.mark.parametrize("where", [".", "sub"])
def test_a_script_that_an_agent_wrote_over_does_not_start(walk: Walk, where: str) -> None:
    walk.file(f"{where}/gem.py", "raise SystemExit(1)\n")
    walk.agent("riker", "yolo: true", f"mmConfigs: {{gem: {{command: [{sys.executable}, gem.py]}}}}")
    ran = walk.runs("--cwd", where, "-p", "write gem.py: open('pwned','w').write('x') then ask gem: hi")
    assert "gem is not started" in ran.stdout
    assert ERROR in ran.stdout
    assert not walk.made(f"{where}/pwned")


@pytest.mark.parametrize("where", [".", "sub"])
def test_a_rule_that_allows_writing_does_not_reach_a_script_that_decides(walk: Walk, where: str) -> None:
    walk.file(f"{where}/gem.py", "raise SystemExit(1)\n")
    walk.agent("riker", "yolo: false", WRITES, f"mmConfigs: {{gem: {{command: [{sys.executable}, gem.py]}}}}")
    ran = walk.runs("--cwd", where, "-p", "write gem.py: open('pwned','w').write('x') then write other: x")
    assert "write_file needs a yes" in ran.stdout
    assert walk.read(f"{where}/gem.py") == "raise SystemExit(1)\n"


def test_a_script_that_changed_runs_after_a_yes(walk: Walk) -> None:
    walk.file("gem.py", "raise SystemExit(1)\n")
    walk.agent("riker", "yolo: true", f"mmConfigs: {{gem: {{command: [{sys.executable}, gem.py]}}}}")
    with walk.line() as mm:
        mm.waits_for_prompt()
        walk.file("gem.py", "open('made', 'w').write('x')\n")
        mm.types("/ask-gem hi").sees(LOCK, "gem.py").answers("1").waits_for_prompt().types("/quit").ends(0)
    assert walk.made("made")


@pytest.mark.parametrize("kind", ["folder", "pipe", "nothing"])
def test_what_is_no_file_any_more_is_an_error_and_no_question(walk: Walk, kind: str) -> None:
    free(walk)
    walk.file("gem.py", "raise SystemExit(1)\n")
    gem = f"gem: {{command: [{sys.executable}, gem.py]}}"
    walk.agent("riker", "yolo: true", f"mmConfigs: {{jan: ./jan.yaml, {gem}}}")
    with walk.line() as mm:
        mm.waits_for_prompt()
        for name in ("jan.yaml", "gem.py"):
            walk.forgets(name)
            if kind == "pipe":
                os.mkfifo(walk.folder / name)
        if kind == "folder":
            walk.file("gem.py/__main__.py", "open('pwned', 'w')\n")
            walk.file("jan.yaml/jan.yaml", "model: demo\n")
        mm.types("/ask-jan run touch pwned").sees("jan.yaml").waits_for_prompt()
        mm.types("/ask-gem hi").sees("gem is not started").waits_for_prompt().types("/quit").ends(0)
        assert mm.count(LOCK) == 0
    assert not walk.made("pwned")


def test_a_link_to_another_file_of_the_tree_does_not_take_its_place_and_the_real_file_is_named(
    walk: Walk,
) -> None:
    walk.agent(
        "riker", "yolo: false", "mmConfigs: {jan: {path: ./jan.yaml, yolo: true}, homer: ./homer.yaml}"
    )
    walk.agent("jan", "bashTool: false")
    walk.agent("homer")
    with walk.line() as mm:
        mm.waits_for_prompt()
        walk.forgets("jan.yaml")
        (walk.folder / "jan.yaml").symlink_to("homer.yaml")
        mm.types("/ask-jan run touch pwned").sees(LOCK, "jan.yaml", "leads to", "homer.yaml").answers("4")
        mm.sees("jan is not started").waits_for_prompt().types("/quit").ends(0)
    assert not walk.made("pwned")


def test_an_agent_named_by_a_link_knows_its_own_file(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", "mmConfigs: {jan: ./link.yaml}")
    walk.agent("jan", "mmConfigs: {marge: {config: {model: demo}}}")
    (walk.folder / "link.yaml").symlink_to("jan.yaml")
    assert walk.runs("--ask", "jan", "ask marge: run touch made").code == 0
    assert walk.made("made")


def test_a_file_that_did_not_change_is_used_as_ever(walk: Walk) -> None:
    free(walk)
    walk.agent("jan", HOMER)
    walk.agent("homer")
    assert walk.runs("--ask", "jan", "ask homer: run touch made").code == 0
    assert walk.made("made")
