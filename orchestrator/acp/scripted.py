"""A foreign ACP agent that does what a script says: the shipped fake of every odd asked agent.

    python -m orchestrator.acp.scripted FILE

docs/reference/scripted-child.md describes the file. It knows nothing of mm and shares no code with it: it
speaks the protocol by hand, so that what mm sends and accepts is seen by somebody else.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

Frame = dict[str, Any]

KINDS = ("allow_once", "allow_always", "reject_once", "reject_always")
OPTIONS = [{"optionId": f"{kind}-id", "name": kind, "kind": kind} for kind in KINDS]
BEFORE = ("start", "initialize", "session/new")
IF_WRITTEN = ("session/set_mode",)
"""Requests that are answered only where the script has steps for them."""
OUTCOMES = ("allowed", "refused", "cancelled", "failed")
REST = 0.01


class ScriptError(Exception):
    """The script is not understood. The message says which part of it, and what is accepted."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a script; `branches` are the steps after each outcome of an `ask`."""

    name: str
    value: Any
    branches: Mapping[str, Steps] = field(default_factory=dict)


Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script. `folder` is where its relative files lie; the last of `prompts` repeats."""

    folder: Path
    log: Path | None
    ignore_eof: bool
    before: Mapping[str, Steps]
    prompts: tuple[Steps, ...]


class _Ended(Exception):
    """A step ended the request that runs; `ending` is the answer's result or error."""

    def __init__(self, ending: Frame) -> None:
        super().__init__()
        self.ending = ending


def read_script(path: Path) -> Script:
    """Read and check a script; raises ScriptError."""
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    raw = _mapping(raw, ("log", "ignore_eof", *BEFORE, *IF_WRITTEN, "prompts"), "the script")
    keys = (*BEFORE, *(key for key in IF_WRITTEN if key in raw))
    before = {key: _steps(raw.get(key, []), key) for key in keys}
    prompts = _list(raw.get("prompts", [[]]), "prompts")
    return Script(
        folder=path.parent,
        log=path.parent / raw["log"] if "log" in raw else None,
        ignore_eof=raw.get("ignore_eof", False) is True,
        before=before,
        prompts=tuple(_steps(steps, f"prompts[{i}]") for i, steps in enumerate(prompts)) or ((),),
    )


def _steps(raw: object, where: str) -> Steps:
    return tuple(_step(item, f"{where}[{i}]") for i, item in enumerate(_list(raw, where)))


def _step(raw: object, where: str) -> Step:
    """A step is `name: value`, or the bare name of a step that takes no value."""
    one = {raw: None} if isinstance(raw, str) else raw
    if not isinstance(one, dict) or len(one) != 1:
        raise ScriptError(f"{where}: a step is one `name: value`, found {raw!r}")
    ((name, value),) = one.items()
    if name not in STEPS:
        raise ScriptError(f"{where}: unknown step {name!r}; known: {', '.join(STEPS)}")
    accepted = STEPS[name].takes
    if type(value) is not accepted:
        raise ScriptError(f"{where}.{name}: takes {accepted.__name__}, found {value!r}")
    if name in ("ask", "ask_no_wait"):
        asked = _mapping(value, ("toolCall", "options", "sessionId", *OUTCOMES), f"{where}.{name}")
        branches = {out: _steps(asked.get(out, []), f"{where}.{name}.{out}") for out in OUTCOMES}
        return Step(name, asked, branches)
    return Step(name, value)


def _list(raw: object, where: str) -> list[Any]:
    if not isinstance(raw, list):
        raise ScriptError(f"{where}: a list is expected, found {raw!r}")
    return raw


def _mapping(raw: object, known: tuple[str, ...], where: str) -> Frame:
    if not isinstance(raw, dict):
        raise ScriptError(f"{where}: `key: value` lines are expected, found {raw!r}")
    for key in raw:
        if key not in known:
            raise ScriptError(f"{where}: unknown key {key!r}; known: {', '.join(known)}")
    return raw


class Child:
    """One run of a script. One thread reads and records frames; the main thread works and writes."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._requests: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self._answers: dict[object, Frame] = {}
        self._cancelled = threading.Event()
        self._prompts = 0
        self._sessions = 0
        self._asked = 0
        self._outcome = ""
        self._session = ""
        self._cwd: str | None = None

    def serve(self) -> None:
        """Answer requests until stdin ends or a step ends the process."""
        threading.Thread(target=self._read, daemon=True).start()
        self._run(self._script.before["start"])
        while True:
            request = self._requests.get()
            self._send({"id": request["id"], **self._ending(request)})

    def _read(self) -> None:
        for line in sys.stdin.buffer:
            self._record(line)
            self._take(json.loads(line))
        if not self._script.ignore_eof:
            os._exit(0)

    def _record(self, line: bytes) -> None:
        if self._script.log:
            with self._script.log.open("ab") as log:
                log.write(line)

    def _take(self, frame: Frame) -> None:
        if "method" not in frame:
            self._answers[frame["id"]] = frame
        elif frame["method"] == "session/cancel":
            self._cancelled.set()
        elif "id" in frame:
            if frame["method"] == "session/prompt":
                self._cancelled.clear()
            self._requests.put(frame)

    def _ending(self, request: Frame) -> Frame:
        """The result or the error that answers `request`, after its steps have run."""
        try:
            return {"result": self._result(request["method"], request.get("params", {}))}
        except _Ended as ended:
            return ended.ending

    def _result(self, method: str, params: Frame) -> Frame:
        match method:
            case "initialize":
                self._run(self._script.before[method])
                return {"protocolVersion": 1, "agentCapabilities": {}, "authMethods": []}
            case "session/new":
                self._cwd = params["cwd"]
                self._sessions += 1
                self._run(self._script.before[method])
                return {"sessionId": f"s{self._sessions}"}
            case _ if method in IF_WRITTEN and method in self._script.before:
                self._session = params["sessionId"]
                self._run(self._script.before[method])
                return {}
            case "session/prompt":
                return self._turn(params["sessionId"])
            case _:
                raise _Ended({"error": {"code": -32601, "message": f"Method not found: {method}"}})

    def _turn(self, session: str) -> Frame:
        self._session = session
        prompts = self._script.prompts
        steps = prompts[min(self._prompts, len(prompts) - 1)]
        self._prompts += 1
        self._run(steps)
        return {"stopReason": "cancelled" if self._cancelled.is_set() else "end_turn"}

    def _run(self, steps: Steps) -> None:
        for step in steps:
            STEPS[step.name].does(self, step.value)
            if step.name == "ask":
                self._run(step.branches[self._outcome])

    def _send(self, frame: Frame) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **frame}).encode() + b"\n")

    def write(self, data: bytes) -> None:
        """Write to stdout as it is, a frame or not."""
        while data:
            data = data[os.write(1, data) :]

    def wait(self, done: Callable[[], bool]) -> None:
        """Wait until `done`; a cancelled turn ends here, as an agent's own work would."""
        while not done():
            if self._cancelled.is_set():
                raise _Ended({"result": {"stopReason": "cancelled"}})
            time.sleep(REST)

    def update(self, update: Frame) -> None:
        """Send a `session/update` of the session that was prompted last."""
        self._send({"method": "session/update", "params": {"sessionId": self._session, "update": update}})

    def request_permission(self, value: Frame) -> str:
        """Send the request and return its id."""
        self._asked += 1
        request = f"ask-{self._asked}"
        params = {
            "sessionId": value.get("sessionId", self._session),
            "toolCall": {"toolCallId": request, **value.get("toolCall", {})},
            "options": value.get("options", OPTIONS),
        }
        self._send({"id": request, "method": "session/request_permission", "params": params})
        return request

    def ask(self, value: Frame) -> None:
        """Ask and wait: also after session/cancel, since the client has to answer then, too."""
        asked = self.request_permission(value)
        while asked not in self._answers:
            time.sleep(REST)
        self._outcome = _outcome(self._answers.pop(asked), value.get("options", OPTIONS))

    def shell(self, command: str) -> None:
        """Run a command for real, in the session's folder; its output must not break the protocol."""
        shell = subprocess.Popen(
            ["/bin/sh", "-c", command], cwd=self._cwd, stdin=subprocess.DEVNULL, stdout=2
        )
        try:
            self.wait(lambda: shell.poll() is not None)
        finally:
            shell.kill()
            shell.wait()

    def path(self, name: str) -> Path:
        """A file that the script names."""
        return self._script.folder / name


def _outcome(answer: Frame, options: list[Frame]) -> str:
    """Which of OUTCOMES a client's answer is; one that answers no offered option has failed."""
    outcome = answer.get("result", {}).get("outcome", {})
    if outcome.get("outcome") == "cancelled":
        return "cancelled"
    kinds = [option["kind"] for option in options if option["optionId"] == outcome.get("optionId")]
    if not kinds:
        return "failed"
    return "allowed" if kinds[0].startswith("allow") else "refused"


def _say(child: Child, text: str) -> None:
    child.update({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}})


def _stderr(_child: Child, value: Frame) -> None:
    sys.stderr.write(value["text"] * value.get("times", 1))
    sys.stderr.flush()


def _end(ending: Frame) -> None:
    raise _Ended(ending)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of step: the type of its value, and what it does."""

    takes: type
    does: Callable[[Child, Any], object]


STEPS: Mapping[str, _Kind] = {
    "say": _Kind(str, _say),
    "update": _Kind(dict, Child.update),
    "ask": _Kind(dict, Child.ask),
    "ask_no_wait": _Kind(dict, Child.request_permission),
    "run": _Kind(str, Child.shell),
    "touch": _Kind(str, lambda child, name: child.path(name).touch()),
    "wait_for": _Kind(str, lambda child, name: child.wait(child.path(name).exists)),
    "hang": _Kind(type(None), lambda child, _: child.wait(lambda: False)),
    "stop": _Kind(str, lambda _, reason: _end({"result": {"stopReason": reason}})),
    "answer": _Kind(dict, lambda _, result: _end({"result": result})),
    "error": _Kind(dict, lambda _, error: _end({"error": error})),
    "raw": _Kind(str, lambda child, text: child.write(text.encode("utf-8", "surrogatepass"))),
    "raw_hex": _Kind(str, lambda child, text: child.write(bytes.fromhex(text))),
    "stderr": _Kind(dict, _stderr),
    "close_stdout": _Kind(type(None), lambda _child, _: os.close(1)),
    "exit": _Kind(int, lambda _, code: os._exit(code)),
    "kill": _Kind(int, lambda _, number: os.kill(os.getpid(), number)),
}


def main() -> int:
    """Play the script that is named on the command line."""
    try:
        script = read_script(Path(sys.argv[1]).absolute())
    except (OSError, IndexError, yaml.YAMLError, ScriptError) as error:
        sys.stderr.write(f"scripted child: {error}\n")
        return 2
    Child(script).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
