"""Files, folders, servers and agents that are not as they should be: said plainly, and nothing hangs."""

from __future__ import annotations

import json
import socket

import pytest

from tests.walks.builder import Walk

JAN = "mmConfigs: {jan: ./jan.yaml}"


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port


def test_no_server_at_the_address(walk: Walk) -> None:
    address = f"http://127.0.0.1:{free_port()}/v1"
    walk.agent("riker", "model: qwen3:4b", f"baseUrl: {address}")
    ran = walk.runs("-p", "hello")
    assert ran.code == 1
    assert address in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_fault_in_jans_file_is_said_with_its_line_when_jan_is_asked(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", JAN)
    walk.agent("jan", "yollo: true")
    with walk.line() as mm:
        mm.types("/ask-jan hello").sees("jan.yaml:2:1: yollo:").types("/quit").ends(0)
        mm.never_saw("starting jan")
    ran = walk.runs("--ask", "jan", "hello")
    assert ran.code != 0
    assert "jan.yaml:2:1: yollo:" in ran.stderr
    assert ran.stdout == ""


def test_a_missing_file_of_jan_is_said(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", JAN)
    ran = walk.runs("--ask", "jan", "hello")
    assert ran.code != 0
    assert "jan.yaml" in ran.stderr


def test_a_program_that_does_not_exist(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", "mmConfigs: {jan: {command: [no-such-agent, --acp]}}")
    ran = walk.runs("--ask", "jan", "hello")
    assert ran.code != 0
    assert "no-such-agent" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    "start",
    [
        "start: [{stderr: {text: no key is set}}, {exit: 7}]",
        "initialize: [{stderr: {text: no key is set}}, {exit: 7}]",
        "session/new: [{stderr: {text: no key is set}}, {exit: 7}]",
    ],
)
def test_a_jan_that_dies_at_its_start_is_said_with_its_last_words(walk: Walk, start: str) -> None:
    """O-j5"""
    walk.foreign(f"{{{start}}}")
    ran = walk.runs("--ask", "jan", "hello")
    assert ran.code == 1
    assert "no key is set" in ran.stderr
    assert "7" in ran.stderr


def test_a_jan_that_answers_its_start_with_an_error(walk: Walk) -> None:
    walk.foreign("session/new: [{error: {code: -32000, message: log in first}}]")
    ran = walk.runs("--ask", "jan", "hello")
    assert ran.code == 1
    assert "log in first" in ran.stderr


def test_a_jan_that_never_starts_is_given_up_after_its_time(walk: Walk) -> None:
    """O-j6"""
    entry = walk.child("jan", "initialize: [{stderr: {text: waiting for the moon}}, hang]")
    walk.agent("riker", "yolo: false", f"mmConfigs: {{jan: {entry[:-1]}, timeout: 1}}}}")
    ran = walk.runs("--ask", "jan", "hello")
    assert ran.code == 1
    assert "waiting for the moon" in ran.stderr
    walk.leaves_nothing()


def test_a_start_that_takes_long_is_seen_and_can_be_stopped(walk: Walk) -> None:
    """O-j6"""
    walk.foreign("initialize: [{touch: started}, hang]")
    with walk.line() as mm:
        mm.types("/ask-jan hello").sees("starting jan")
        walk.waits_for("started")
        mm.presses("ctrl-c").types("/quit").ends(0)
        walk.leaves_nothing()


def test_rubbish_between_the_frames_is_skipped(walk: Walk) -> None:
    """O-j1"""
    rubbish = r'raw: "Welcome!\n\n123\n\"text\"\n{\"a\":\n\e[?25l\n"'
    walk.foreign(
        f"{{start: [{{{rubbish}}}], prompts: [[{{{rubbish}}}, {{say: All is well.}}, {{{rubbish}}}]]}}"
    )
    ran = walk.runs("--ask", "jan", "hello")
    assert ran.code == 0
    assert ran.stdout == "All is well.\n"


def test_a_flood_of_rubbish_ends_in_a_clear_error(walk: Walk) -> None:
    """O-j1"""
    lines = "\\n".join(["no frame"] * 200)
    walk.foreign(f'prompts: [[{{raw: "{lines}\\n"}}, hang]]')
    ran = walk.runs("--ask", "jan", "hello")
    assert ran.code == 1
    assert "jan" in ran.stderr
    assert ran.stdout == ""


def test_a_flood_on_stderr_stalls_nothing(walk: Walk) -> None:
    """O-j4"""
    flood = "{stderr: {text: 0123456789abcdef, times: 320000}}"
    walk.foreign(f"{{initialize: [{flood}], prompts: [[{flood}, {{say: All is well.}}]]}}")
    ran = walk.runs("--ask", "jan", "hello")
    assert ran.code == 0
    assert ran.stdout == "All is well.\n"


def test_letters_are_put_together_from_their_bytes(walk: Walk) -> None:
    """O-j3"""
    chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "é漢😀"}}
    frame = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s1", "update": chunk}}
    line = json.dumps(frame, ensure_ascii=False).encode() + b"\n"
    steps = ", ".join(f"{{raw_hex: '{byte:02x}'}}" for byte in line)
    walk.foreign(f"prompts: [[{steps}]]")
    assert walk.runs("--ask", "jan", "hello").stdout == "é漢😀\n"


def test_a_large_answer_arrives_whole(walk: Walk) -> None:
    """O-j2"""
    text = "0123456789abcdef" * 65536
    walk.foreign(f"prompts: [[{{say: {text!r}}}]]")
    assert walk.runs("--ask", "jan", "hello").stdout == f"{text}\n"


@pytest.mark.parametrize(
    "end",
    [
        r'{stderr: {text: "out of memory \e[2J"}}, {exit: 7}',
        '{raw: \'{"jsonrpc": "2.0", "met\'}, {stderr: {text: out of memory}}, {kill: 9}',
        "{stderr: {text: out of memory}}, close_stdout, hang",
    ],
    ids=["exits", "killed in half a frame", "closes stdout"],
)
def test_a_jan_that_dies_in_mid_turn_is_said_and_can_be_asked_again(walk: Walk, end: str) -> None:
    """O-j5"""
    walk.foreign(f"{{log: jan.log, prompts: [[{{say: Half a word}}, {end}]]}}")
    with walk.line() as mm:
        mm.types("/ask-jan work").sees("Half a word", "out of memory")
        mm.types("/ask-jan work").sees("Half a word", "out of memory").types("/quit").ends(0)
    assert [f["method"] for f in walk.frames("jan.log")].count("initialize") == 2


def test_what_a_dying_jan_had_said_is_handed_over(walk: Walk) -> None:
    walk.foreign("prompts: [[{say: Half a word}, {exit: 7}]]")
    ran = walk.runs("--ask", "jan", "work")
    assert ran.code == 1
    assert "Half a word" in ran.stdout
    assert "7" in ran.stderr


def test_a_question_of_a_jan_that_dies_at_once_does_no_harm(walk: Walk) -> None:
    ask = "ask_no_wait: {toolCall: {name: shell, kind: execute, rawInput: {command: ls}}}"
    walk.foreign(f"prompts: [[{{{ask}}}, {{exit: 7}}], [{{say: All is well.}}]]")
    with walk.line() as mm:
        mm.types("/ask-jan work").sees("7").types("/quit").ends(0)


@pytest.mark.parametrize(
    "options",
    [
        "[]",
        "[{optionId: a, name: Always, kind: allow_always}, {optionId: n, name: No, kind: reject_once}]",
        "[{optionId: a, name: Yes, kind: allow_once}, {optionId: a, name: No, kind: reject_once}]",
        "[{optionId: a, name: Yes, kind: allow_persistent}, {optionId: n, name: No, kind: reject_once}]",
    ],
    ids=["none", "no plain yes", "one id twice", "a kind that nobody knows"],
)
def test_a_request_without_a_usable_yes_is_refused_and_told(walk: Walk, options: str) -> None:
    """O-j8"""
    walk.foreign(
        f"""
        prompts:
          - - ask:
                toolCall: {{name: shell, kind: execute, rawInput: {{command: ls}}}}
                options: {options}
                allowed: [{{touch: allowed}}]
            - say: That is all.
        """,
    )
    with walk.line() as mm:
        mm.types("/ask-jan work").sees("jan/shell", "refused", "That is all.").types("/quit").ends(0)
        mm.never_saw("🔐")
    assert not walk.made("allowed")


def test_a_folder_that_is_gone_is_said(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan")
    folder = walk.file("here/README", "").parent
    with walk.line("-c", str(walk.folder / "riker.yaml"), folder=folder) as mm:
        mm.waits_for_prompt()
        walk.forgets("here")
        mm.types("/ask-jan run ls").sees("here").types("/quit").ends(0)
        mm.never_saw("Traceback")


def test_a_file_that_is_gone_is_said(walk: Walk) -> None:
    ran = walk.runs("-c", "nowhere.yaml", "-p", "hello")
    assert ran.code == 2
    assert "nowhere.yaml" in ran.stderr


def test_an_empty_answer_is_said(walk: Walk) -> None:
    walk.foreign("prompts: [[]]")
    ran = walk.runs("--ask", "jan", "hello")
    assert "answer is empty" in ran.stdout + ran.stderr
