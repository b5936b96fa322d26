"""mm without a model: what runs on this computer is offered, and used only after a yes."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.walks.builder import Walk
from tests.walks.model_server import ModelServer, at_work
from tests.walks.terminal import Terminal

ENTRY = """
import functools
from orchestrator import start
from orchestrator.llm import probe
probe.at_hand = functools.partial(probe.at_hand, {{{port}: "/v1"}}, 10)
start.entry()
"""
"""mm, which looks at the port of the test's own server alone."""


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with at_work(ModelServer("Bonjour.")) as server:
        yield server


def line(walk: Walk, server: ModelServer, *args: str, **environ: str) -> Terminal:
    argv = (sys.executable, "-c", ENTRY.format(port=server.server_port), *args)
    return Terminal(argv, walk.environ({"MM_PROBE": "", **environ}), walk.folder, (200, 40))


def test_a_model_at_hand_is_used_after_a_yes(walk: Walk, server: ModelServer) -> None:
    at = f"127.0.0.1:{server.server_port}"
    with line(walk, server) as mm:
        mm.sees(f"use qwen3:4b at {at}?")
        assert mm.echoes
        mm.sends(b"y\r")
        mm.sees("to keep this model, write `model: qwen3:4b`", f"`baseUrl: http://{at}/v1`, `yolo: false`")
        mm.sees("model: qwen3:4b", "yolo: off (tools ask)")
        mm.types("hello").sees("Bonjour.").types("/quit").ends(0)
    assert server.prompts == ["hello"]


@pytest.mark.parametrize("answer", [b"\r", b"n\r", b"hello\r"])
def test_without_a_yes_it_is_the_demo_model(walk: Walk, server: ModelServer, answer: bytes) -> None:
    with line(walk, server) as mm:
        mm.sees("use qwen3:4b").sends(answer).sees("no file: this is the demo model, no AI")
        mm.types("hello").sees("I am the demo model: no AI").types("/quit").ends(0)
    assert server.prompts == []


def test_a_file_without_a_model_gives_its_key_to_no_other_server(walk: Walk, server: ModelServer) -> None:
    walk.file("riker.yaml", "{yolo: false, apiKey: s3cret, headers: {X-Org: mine}}")
    with line(walk, server, "-c", "riker.yaml") as mm:
        mm.sees("use qwen3:4b").sends(b"y\r").sees("riker.yaml")
        mm.types("hello").sees("Bonjour.").types("/quit").ends(0)
    (headers,) = server.headers_seen
    assert "s3cret" not in str(headers)
    assert "X-Org" not in headers


def test_a_file_without_a_model_is_told_that_the_demo_model_answers(walk: Walk, server: ModelServer) -> None:
    walk.file("riker.yaml", "yolo: false")
    with line(walk, server, "-c", "riker.yaml") as mm:
        mm.sees("use qwen3:4b").sends(b"\r").sees("no model: this is the demo model, no AI", "riker.yaml")
        mm.types("/quit").ends(0)


@pytest.mark.parametrize(
    ("args", "environ"),
    [(["-m", "demo"], {}), ([], {"MM_PROBE": "off"}), (["-c", "riker.yaml"], {})],
)
def test_nothing_is_offered_where_a_model_is_named_or_probing_is_off(
    walk: Walk, server: ModelServer, args: list[str], environ: dict[str, str]
) -> None:
    walk.agent("riker", "yolo: false")
    with line(walk, server, *args, **environ) as mm:
        mm.types("/quit").ends(0)
        mm.never_saw("qwen3")
        assert mm.count("no file") == (1 if environ else 0)


def test_ctrl_c_at_the_offer_ends_mm(walk: Walk, server: ModelServer) -> None:
    with line(walk, server) as mm:
        mm.sees("use qwen3:4b").presses("ctrl-c").ends(130)
