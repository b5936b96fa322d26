"""The mode changes in the middle of a conversation: at a terminal, in an editor, and for agents that run."""

from __future__ import annotations

import pytest

from tests.walks.builder import Walk

JAN = "mmConfigs: {jan: ./jan.yaml}"
LOCK = "🔐"


def test_c4_yolo_off_in_mid_session_asks_again_for_own_calls_and_for_a_jan_that_runs(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan", "yolo: true")
    with walk.line() as mm:
        mm.sees("yolo: on").types("/ask-jan run touch free").waits_for_prompt().never_saw(LOCK)
        mm.types("/yolo off").sees("yolo: off (tools ask) (/yolo off)")
        mm.types("/ask-jan run touch jans").sees(LOCK, "jan", "touch jans").answers("4")
        mm.types("run touch own").sees(LOCK, "touch own").answers("4")
        mm.types("/yolo on").sees("yolo: on (/yolo on)")
        mm.types("/ask-jan run touch again").types("/quit").ends(0)
    assert mm.count(LOCK) == 2
    assert [walk.made(name) for name in ("free", "jans", "own", "again")] == [True, False, False, True]


def test_c3_an_entrys_own_yolo_stays_whatever_is_switched(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", "mmConfigs: {homer: {path: ./homer.yaml, yolo: true}}")
    walk.agent("homer", "yolo: false")
    with walk.line() as mm:
        mm.types("/yolo off").sees("yolo: off (tools ask)", "homer: yolo: on (its own)")
        mm.types("/ask-homer run touch made").types("/quit").ends(0)
        mm.never_saw(LOCK)
    assert walk.made("made")


@pytest.mark.parametrize("start", [("--approval-mode", "write"), ("-c", "write.yaml")])
def test_mode_write_edits_inside_silently_and_asks_outside(walk: Walk, start: tuple[str, str]) -> None:
    walk.agent("riker", "yolo: false")
    walk.agent("write", "tools: {approvalMode: write}")
    walk.file("notes.txt", "one\n")
    (walk.folder / "out").symlink_to(walk.folder.parent)
    with walk.line(*start) as mm:
        mm.sees("yolo: write (commands, MCP and asked agents ask)")
        mm.types("edit notes.txt: one => two").waits_for_prompt().never_saw(LOCK)
        mm.types("write out/escaped.txt: no").sees(LOCK, "escaped.txt").answers("4")
        mm.types("run touch made").sees(LOCK, "touch made").answers("4")
        mm.types("/quit").ends(0)
    assert walk.read("notes.txt") == "two\n"
    assert not (walk.folder.parent / "escaped.txt").exists()
    assert not walk.made("made")


def test_c7_a_free_run_runs_and_never_degrades_to_a_silent_refusal(walk: Walk) -> None:
    walk.agent("riker", "yolo: false")
    for flag in (["--yolo"], ["--auto-approve"], ["--approval-mode", "yolo"]):
        ran = walk.runs(*flag, "-p", "run touch made")
        assert (ran.code, ran.stderr) == (0, "")
        assert walk.made("made")
        walk.forgets("made")


def test_a_run_in_mode_write_changes_files_inside_and_says_what_it_could_not_ask(walk: Walk) -> None:
    walk.agent("riker", "yolo: true")
    ran = walk.runs("--approval-mode", "write", "-p", "write sub/made: x then run date")
    assert ran.code == 3
    assert ran.stderr.endswith("mm: 1 call refused because nobody could be asked: bash (1)\n")
    assert walk.read("sub/made") == "x"


@pytest.mark.parametrize("value", ["true", "false"])
def test_write_and_agent_yolo_disagree(walk: Walk, value: str) -> None:
    walk.agent("riker")
    ran = walk.runs("--approval-mode", "write", "-p", "run touch made", AGENT_YOLO=value)
    assert ran.code == 2
    assert "contradiction" in ran.stderr
    assert not walk.made("made")


def test_commands_learn_of_the_mode_of_their_moment(walk: Walk) -> None:
    """O-m6: a nested mm is never freer."""
    walk.agent("riker", "yolo: true")
    with walk.line() as mm:
        mm.types('run echo "[$AGENT_YOLO]" > free').types("/yolo off")
        mm.types('run echo "[$AGENT_YOLO]" > asked').answers("1")
        mm.types("/yolo on").types('run echo "[$AGENT_YOLO]" > again').types("/quit").ends(0)
    assert [walk.read(name).strip() for name in ("free", "asked", "again")] == ["[]", "[false]", "[]"]


def test_yolo_and_the_keys_of_revoke_are_completed_with_tab(walk: Walk) -> None:
    walk.agent("riker", "yolo: false")
    with walk.line() as mm:
        mm.types("run true").answers("2")
        for typed, line, said in (
            (b"/revoke b\t", "> /revoke bash", "taken back: bash"),
            (b"/yolo w\t", "> /yolo write", "yolo: write"),
        ):
            mm.waits_for_prompt().sends(typed).shows(line).sends(b"\r").sees(said)
        mm.types("/quit").ends(0)


def test_yolo_on_in_an_editor_lets_jan_go_on_while_its_question_waits(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", JAN)
    walk.agent("jan")
    with walk.editor() as editor:
        editor.opens().says("/ask-jan run touch made")
        question = editor.question()
        assert not walk.made("made")
        editor.result("session/set_mode", {"sessionId": editor.session, "modeId": "yolo"})
        assert editor.stop_reason == "end_turn"
        withdrawn = [frame["params"]["requestId"] for frame in editor.received("$/cancel_request")]
        assert withdrawn == [question["id"]]
        assert [update["currentModeId"] for update in editor.updates("current_mode_update")] == ["yolo"]
        editor.says("/yolo off")
        assert editor.stop_reason == "end_turn"
        editor.says("/ask-jan run touch later").answers(editor.question(), "reject_once")
        assert editor.stop_reason == "end_turn"
        modes = [update["currentModeId"] for update in editor.updates("current_mode_update")]
        assert modes == ["yolo", "always-ask"]
    assert walk.made("made")
    assert not walk.made("later")


def test_under_the_floor_no_editor_makes_anything_freer(walk: Walk) -> None:
    walk.agent("riker", "tools: {approvalMode: yolo}", JAN)
    walk.agent("jan")
    with walk.editor(AGENT_YOLO="false") as editor:
        editor.opens()
        request = editor.asks("session/set_mode", {"sessionId": editor.session, "modeId": "yolo"})
        assert "AGENT_YOLO=false" in editor.answer(request)["error"]["message"]
        editor.says("/yolo on")
        assert editor.stop_reason == "end_turn"
        assert "nothing changed" in editor.text()
        editor.says("/ask-jan run touch made").answers(editor.question(), "reject_once")
        assert editor.stop_reason == "end_turn"
    assert not walk.made("made")
