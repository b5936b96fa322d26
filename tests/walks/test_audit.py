"""The audit over real processes: one line for each call of the tree, as `mm explain` had said before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from orchestrator.acp.permission import SHAPES
from tests.walks.builder import Walk

TREE = "mmConfigs: {jan: ./jan.yaml, homer: {path: ./homer.yaml, yolo: true}}"
Line = Mapping[str, Any]


def audit(walk: Walk, *args: str) -> list[Line]:
    """The lines that `mm log --json` shows."""
    ran = walk.runs("log", "--json", *args)
    assert ran.code == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def told(lines: list[Line]) -> list[tuple[str, bool, str]]:
    return [(line["key"], line["allowed"], line["why"]) for line in lines]


def test_each_call_of_the_tree_has_one_line_whoever_decided_it(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", "tools: {approval: {edit_file: deny}}", TREE)
    walk.agent("jan", "mmConfigs: {homer: ./homer.yaml}")
    walk.agent("homer")
    with walk.line() as mm:
        mm.types("read jan.yaml then run touch one").answers("1")
        mm.types("/ask-jan run touch two then read jan.yaml").answers("2")
        mm.types("/ask-jan run touch three then edit x: a => b")
        mm.types("/ask-jan ask homer: run touch four").answers("4")
        mm.types("/ask-homer run touch five").types("/quit").ends(0)
    assert told(audit(walk)) == [
        ("read_file", True, "read"),
        ("bash", True, "answer"),
        ("jan/bash", True, "answer"),
        ("jan/read_file", True, "read"),
        ("jan/bash", True, "memory"),
        ("jan/ask_homer", True, "read"),
        ("jan/homer/bash", False, "answer"),
        ("homer/bash", True, "yolo"),
    ]
    assert len({line["conversation"] for line in audit(walk)}) == 1
    assert told(audit(walk, "--agent", "homer")) == [("homer/bash", True, "yolo")]
    assert told(audit(walk, "--key", "jan/*", "--since", "1h"))[-1] == ("jan/ask_homer", True, "read")
    assert "refused  jan/homer/bash  by you: refuse once  touch four" in walk.runs("log").stdout


def test_a_stopped_question_and_one_whose_agent_died_are_written_down_too(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", TREE)
    walk.agent("jan")
    walk.agent("homer")
    with walk.line() as mm:
        mm.types("/ask-jan run touch one").answers("s").waits_for_prompt()
        mm.types("run touch two").answers("s").waits_for_prompt().types("/quit").ends(0)
    assert told(audit(walk)) == [("jan/bash", False, "cancelled"), ("bash", False, "cancelled")]
    assert all(line["who"] == "nobody" for line in audit(walk))


def test_a_terminal_that_goes_away_at_a_question_has_cancelled_it(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", TREE)
    walk.agent("jan")
    walk.agent("homer")
    with walk.line() as mm:
        mm.types("/ask-jan run touch one").sees("then Enter").hangs_up().ends()
    assert told(audit(walk)) == [("jan/bash", False, "cancelled")]


def test_a_mode_that_is_chosen_in_mid_session_is_written_down(walk: Walk) -> None:
    walk.agent("riker", "yolo: false")
    with walk.line() as mm:
        mm.types("/yolo on").types("run touch one").types("/yolo sideways").types("/quit").ends(0)
    assert told(audit(walk)) == [("(mode)", True, "switched"), ("bash", True, "yolo")]
    assert audit(walk)[0]["args"] == {"mode": "yolo", "by": "/yolo on"}


def test_secrets_of_the_file_stand_nowhere_in_it(walk: Walk) -> None:
    walk.agent("riker", "apiKey: ${KEY}", "yolo: true")
    assert walk.runs("-p", "run echo hunter2", KEY="hunter2").code == 0
    written = (walk.home / "STATE" / "mm" / "audit.jsonl").read_text()
    assert "echo ***" in written
    assert "hunter2" not in written


SECRETS = ("jans-key", "jans-header", "jans-password", "entrys", "homers-key")
RIKER_AND_JAN = "mmConfigs: {jan: {path: ./jan.yaml, env: {TOKEN: entrys}}}"
JANS = (
    "apiKey: jans-key",
    "baseUrl: 'http://me:jans-password@localhost/'",
    "headers: {Authorization: Bearer jans-header, X-Token: '${TOKEN}'}",
    "mmConfigs: {homer: {config: {apiKey: homers-key}}}",
)


@pytest.mark.parametrize("args", [("-p",), ("--ask", "jan")])
def test_secrets_of_asked_agents_files_stand_nowhere_in_it(walk: Walk, args: tuple[str, ...]) -> None:
    walk.agent("riker", "yolo: false", RIKER_AND_JAN)
    walk.agent("jan", *JANS)
    assert walk.runs(*args, f"run echo {' '.join(SECRETS)}").code == 3
    assert told(audit(walk)) == [("bash" if args == ("-p",) else "jan/bash", False, "nobody")]
    assert audit(walk)[0]["args"] == {"command": "echo" + " ***" * len(SECRETS)}


def test_secrets_of_an_agents_broken_file_stand_nowhere_in_it(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", RIKER_AND_JAN)
    walk.agent("jan", *JANS, "modell: unknown")
    assert walk.runs("-p", f"run echo {' '.join(SECRETS)}").code == 3
    assert audit(walk)[0]["args"] == {"command": "echo" + " ***" * len(SECRETS)}


def test_secrets_of_a_file_that_changed_since_the_start_stand_nowhere_in_it(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", RIKER_AND_JAN)
    walk.agent("jan")
    with walk.line() as mm:
        mm.types("run true").answers("1").waits_for_prompt()
        walk.agent("jan", "apiKey: jans-key")
        mm.types("/ask-jan run echo jans-key").answers("1").answers("1").waits_for_prompt()
        mm.types("/quit").ends(0)
    assert audit(walk)[-1]["args"] == {"command": "echo ***"}


def test_an_audit_that_cannot_be_written_is_told_and_decides_nothing(walk: Walk) -> None:
    walk.agent("riker", "yolo: true")
    (walk.home / "STATE" / "mm").mkdir(parents=True)
    (walk.home / "STATE" / "mm" / "audit.jsonl").symlink_to(walk.folder / "elsewhere")
    ran = walk.runs("-p", "run touch made then run touch more")
    assert ran.code == 0
    assert ran.stderr.count("decisions are not written down") == 1
    assert walk.made("more")
    assert not walk.made("elsewhere")


def test_a_log_that_nobody_reads_on_or_that_cannot_be_written_ends_plainly(walk: Walk) -> None:
    walk.agent("riker", "yolo: true")
    assert walk.runs("-p", "run true").code == 0
    for command, code, told in (
        ('"$@" | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}', 0, ""),
        ('"$@" > /dev/full', 1, "could not be written"),
        ('"$@" 2> /dev/full', 0, ""),
    ):
        ran = walk.runs("log", "--json", through=("/bin/bash", "-c", command, "bash"))
        assert (ran.code, told in ran.stderr, "Errno" in ran.stderr) == (code, True, False), command


# --- mm explain says before what the audit says afterwards

RULES = {
    "none": "",
    "deny": "bash: deny",
    "deny jan": "jan/bash: deny",
    "prompt": "write_file: prompt",
    "allow": "bash: allow",
    "allow jan": '"jan/*": allow',
    "all of jan": '"jan/**": prompt',
}
CALLS: list[dict[str, Any]] = [
    {"tool": tool, "args": args, "agent": agent}
    for agent in ("", "jan", "homer")
    for tool, args in (
        ("bash", {"command": "true"}),
        ("read_file", {"path": "riker.yaml"}),
        ("write_file", {"path": "made", "content": "x"}),
        ("write_file", {"path": "../outside", "content": "x"}),
    )
]
OUTCOMES = {"allow": True, "refuse": False, "ask": False, "ask_once": False}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("mode", ["always-ask", "write", "yolo"])
def test_what_is_explained_is_what_happens(walk: Walk, mode: str, rules: str) -> None:
    assert {call["tool"] for call in CALLS} < set(SHAPES)
    approval = f"tools: {{approvalMode: {mode}, approval: {{{RULES[rules]}}}}}"
    walk.agent("riker", "model: script:turns.yaml", approval, TREE)
    for name in ("jan", "homer"):
        walk.agent(name, f"model: script:{name}.turns.yaml")
    own = [{"tool": call["tool"], "args": call["args"]} for call in CALLS if not call["agent"]]
    asks = [{"tool": f"ask_{name}", "args": {"question": "go"}} for name in ("jan", "homer")]
    walk.file("turns.yaml", json.dumps([{"calls": own + asks}, {"say": "done", "repeat": True}]))
    for name in ("jan", "homer"):
        walk.file(f"{name}.turns.yaml", json.dumps([{"calls": own}, {"say": "done", "repeat": True}]))
    batch = [*CALLS, *({**ask, "agent": ""} for ask in asks)]
    walk.file("batch.jsonl", "".join(json.dumps(call) + "\n" for call in batch))

    explained = walk.runs("explain", "--batch", "batch.jsonl")
    assert explained.code == 0, explained.stderr
    before = [json.loads(line) for line in explained.stdout.splitlines()]
    walk.runs("-p", "go")
    after = {(line["key"], json.dumps(line["args"])): line for line in audit(walk)}

    for call, said in zip(batch, before, strict=True):
        happened = after.get((said["key"], json.dumps(call["args"])))
        if happened is None:  # homer is not asked where the hand-over itself was refused
            assert call["agent"] == "homer"
            continue
        assert happened["allowed"] is OUTCOMES[said["decision"]], (call, said, happened)
        if said["decision"] in ("allow", "refuse"):
            assert (happened["why"], happened["line"]) == (said["why"], said["line"])
            assert (happened["rule"] or "").find(said["rule"] or "") >= 0
        else:
            assert happened["why"] == "nobody"
