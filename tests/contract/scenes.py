"""The scenes of the contract. Each is short: a turn that nobody can stop ends after five refusals."""

from __future__ import annotations

from consent.answer import Answer, Yes
from consent.rules import Why
from tests.contract.script import (
    Scene,
    bash,
    edits,
    hand_over,
    homer,
    jan,
    read,
    shell,
    switch_mode,
    unclear,
    write,
)

ONCE, SESSION, NEVER, NO = Answer
STOP = Why.CANCELLED
NO_PLAIN_YES = [
    {"optionId": "a", "name": "Always", "kind": "allow_always"},
    {"optionId": "reject_once-id", "name": "No", "kind": "reject_once"},
]
SEVERAL_YESES = [
    {"optionId": "allow-plain", "name": "Yes", "kind": "allow_once"},
    {"optionId": "allow-free", "name": "Yes, and edit freely from now on", "kind": "allow_once"},
    {"optionId": "reject", "name": "No", "kind": "reject_once"},
]

SCENES = (
    Scene(
        "own calls: reading does not ask, changing does",
        (read("notes"), bash("own-1", ONCE), bash("own-2"), write("own-3"), write("own-4", ONCE, "../")),
    ),
    Scene("jan's calls ask, each for itself", (jan(shell("jan", "jan-1", ONCE), shell("jan", "jan-2")),)),
    Scene(
        "an answer for the session holds for its key alone",
        (
            jan(
                shell("jan", "jan-1", SESSION),
                shell("jan", "jan-2").allowed_by(Why.MEMORY),
                edits("jan", "jan-3", NO),
            ),
            bash("own-1"),
        ),
    ),
    Scene(
        "an own answer for the session is none for jan",
        (
            bash("own-1", SESSION),
            bash("own-2").allowed_by(Why.MEMORY),
            write("own-3"),
            jan(shell("jan", "jan-1")),
        ),
    ),
    Scene(
        "never is remembered, also when nobody asks any more",
        (
            jan(shell("jan", "jan-1", NEVER), shell("jan", "jan-2").refused_by(Why.MEMORY)),
            bash("own-1", ONCE),
        ),
    ),
    Scene(
        "a call without a clear name is asked each time",
        (jan(unclear("jan", "jan-1", ONCE), unclear("jan", "jan-2")),),
    ),
    Scene(
        "an answer for the session answers no doubtful call",
        (jan(edits("jan", "jan-1", SESSION), edits("jan", "jan-2", ONCE, "execute")),),
    ),
    Scene(
        "handing over to a free agent asks, its calls do not",
        (
            homer(shell("homer", "homer-1").allowed_by(Why.YOLO), handed=hand_over("task-1", "homer", ONCE)),
            homer(shell("homer", "homer-2").allowed_by(Why.YOLO), handed=hand_over("task-2", "homer", NO)),
        ),
    ),
    Scene(
        "a deny binds every agent, the free one too",
        (
            bash("own-1").refused_by(Why.POLICY),
            jan(shell("jan", "jan-1").refused_by(Why.POLICY)),
            homer(
                shell("homer", "homer-1").refused_by(Why.POLICY),
                edits("homer", "homer-2").allowed_by(Why.YOLO),
            ),
        ),
        rules={"bash": "deny", "ask_homer": "allow"},
    ),
    Scene(
        "a prompt asks although yolo is on",
        (
            homer(shell("homer", "homer-1", ONCE), edits("homer", "homer-2").allowed_by(Why.YOLO)),
            bash("own-1").allowed_by(Why.YOLO),
        ),
        yolo="yolo: true",
        rules={"homer/bash": "prompt"},
    ),
    Scene(
        "an allow frees exactly its key",
        (
            bash("own-1").allowed_by(Why.POLICY),
            jan(shell("jan", "jan-1"), edits("jan", "jan-2").allowed_by(Why.POLICY)),
        ),
        rules={"bash": "allow", "jan/write_file": "allow"},
    ),
    Scene(
        "an entry may ask below an agent that runs free",
        (bash("own-1").allowed_by(Why.YOLO), jan(shell("jan", "jan-1", ONCE), shell("jan", "jan-2"))),
        yolo="yolo: true",
        jan={"yolo": False},
    ),
    Scene(
        "a flag outranks the file",
        (bash("own-1"), write("own-2", ONCE), jan(shell("jan", "jan-1", ONCE))),
        yolo="yolo: true",
        flags=("--approval-mode", "always-ask"),
    ),
    Scene(
        "mode write frees own changes in the folder, and nothing else",
        (
            write("own-1").allowed_by(Why.MODE),
            write("own-2", NO, "../"),
            bash("own-3", ONCE),
            jan(edits("jan", "jan-1")),
        ),
        flags=("--approval-mode", "write"),
    ),
    Scene(
        "a request without a plain yes is refused",
        (jan(shell("jan", "jan-1", options=NO_PLAIN_YES).refused_by(Why.INVALID)),),
    ),
    Scene(
        "several yeses are a person's choice, also where yolo is on",
        (
            homer(
                shell("homer", "homer-1", Yes(0), options=SEVERAL_YESES),
                shell("homer", "homer-2", Yes(1), options=SEVERAL_YESES),
                shell("homer", "homer-3", NO, options=SEVERAL_YESES),
            ),
        ),
        yolo="yolo: true",
    ),
    Scene(
        "a switch of mode is a person's choice, also where yolo is on",
        (homer(switch_mode("homer", "homer-1", ONCE), switch_mode("homer", "homer-2")),),
        yolo="yolo: true",
    ),
    Scene("stop cancels what jan asked", (jan(shell("jan", "jan-1", ONCE), shell("jan", "jan-2", STOP)),)),
)
