"""Invariant 2 where another process's words are read: whatever a request holds, nothing odd becomes a yes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from consent.answer import MOST_YESES, Answer, Yes
from consent.call import Doubt, Origin, Unrunnable
from consent.gate import Decision, check
from consent.policy import Policy
from consent.rules import Why
from consent.setting import Mode, Setting
from orchestrator.acp.frames import DEPTH_LIMIT
from orchestrator.acp.options import CANCELLED, MOST_OPTIONS
from orchestrator.acp.permission import Asking, BadRequest, Request, read_request

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters(), max_size=6)
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
CALL_FIELDS = ("name", "title", "kind", "status", "rawInput", "content", "locations")
NAMES = st.sampled_from(
    ["bash", "write_file", "edit_file", "read_file", "fetch_content", "ask_homer", "shell"]
)
ARGUMENTS = st.dictionaries(
    st.sampled_from(["command", "path", "file_path", "content", "old", "new", "url", "question", "context"]),
    JSON,
    max_size=4,
)
BLOCKS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["diff", "content", "terminal"])},
        optional={"path": JSON, "oldText": JSON, "newText": JSON, "content": JSON},
    ),
    max_size=3,
)
CALLS = st.fixed_dictionaries(
    {"toolCallId": st.just("1") | JSON},
    optional={
        "name": NAMES | JSON,
        "title": JSON,
        "kind": st.sampled_from(["execute", "edit", "switch_mode", "other"]) | JSON,
        "status": st.sampled_from(["pending", "completed"]) | JSON,
        "rawInput": ARGUMENTS | JSON,
        "content": BLOCKS | JSON,
        "locations": st.lists(st.fixed_dictionaries({"path": JSON}), max_size=2) | JSON,
    },
)
KINDS = st.sampled_from(["allow_once", "allow_once", "allow_always", "reject_once", "reject_always", "maybe"])
OPTIONS = st.lists(
    st.fixed_dictionaries(
        {"optionId": st.sampled_from("abcdefg") | st.just("") | SCALARS, "kind": KINDS | SCALARS},
        optional={"name": SCALARS},
    ),
    max_size=MOST_OPTIONS + 2,
)
SOUND = st.lists(
    st.fixed_dictionaries({"optionId": st.sampled_from("abcdefghijk"), "kind": KINDS}), max_size=9
)
METAS = st.fixed_dictionaries(
    {},
    optional={
        "path": st.lists(st.sampled_from(["homer", "gem"]), max_size=2) | JSON,
        "ask": JSON,
        "doubts": JSON,
        "foreign": JSON,
        "folder": JSON,
    },
)
PARAMS = st.fixed_dictionaries(
    {"toolCall": CALLS | JSON, "options": OPTIONS | SOUND | JSON},
    optional={"_meta": st.fixed_dictionaries({"mm": METAS | JSON}) | JSON},
)
ORIGINS = st.sampled_from([Origin.OURS, Origin.FOREIGN])
ALLOWS = [Decision(True, Why.YOLO, 6), Decision(True, Why.ANSWER, 11, answer=Answer.ALLOW_ONCE)]
ALLOWS += [Decision(True, Why.ANSWER, 4, answer=Yes(number)) for number in range(MOST_YESES + 1)]
REFUSALS = [Decision(False, why, 3) for why in Why]


def read(params: dict[str, Any], origin: Origin) -> Request | None:
    try:
        return read_request(params, {}, Asking(("jan",), origin, "/nowhere"))
    except BadRequest:
        return None


@given(PARAMS, ORIGINS)
@settings(max_examples=300)
def test_every_request_is_read_or_is_a_bad_request_and_nothing_else_breaks(
    params: dict[str, Any], origin: Origin
) -> None:
    request = read(params, origin)
    if request is not None:
        assert request.call.path[:1] == ("jan",)
        assert request.call.origin is not Origin.OWN


@given(CALLS, SOUND, ORIGINS)
@settings(max_examples=300)
def test_what_goes_out_is_an_option_of_its_own_kind_and_of_no_other(
    call: dict[str, Any], options: list[dict[str, Any]], origin: Origin
) -> None:
    request = read({"toolCall": call | {"toolCallId": "1"}, "options": options}, origin)
    assert request is not None
    times = Counter(option["optionId"] for option in options)
    kinds = {option["optionId"]: option["kind"] for option in options}
    for decision in (*ALLOWS, *REFUSALS):
        outcome = request.options.outcome(decision)
        if outcome != CANCELLED:
            chosen = outcome["outcome"]["optionId"]
            assert times[chosen] == 1
            assert kinds[chosen] in (
                ("allow_once",) if decision.allowed else ("reject_once", "reject_always")
            )


@given(CALLS, SOUND, ORIGINS)
@settings(max_examples=300)
def test_a_request_that_no_yes_can_answer_is_refused_and_one_with_several_is_asked_even_under_yolo(
    call: dict[str, Any], options: list[dict[str, Any]], origin: Origin
) -> None:
    request = read({"toolCall": call | {"toolCallId": "1"}, "options": options}, origin)
    assert request is not None
    yeses = [option for option in options if option["kind"] == "allow_once"]
    unsound = len({option["optionId"] for option in options}) < len(options) or len(yeses) > MOST_YESES
    outcome = check(request.call, Setting(mode=Mode.YOLO, somebody=True), Policy())
    if unsound or not yeses:
        assert request.call.unrunnable is Unrunnable.NO_USABLE_OPTIONS
        assert isinstance(outcome, Decision)
        assert not outcome.allowed
    elif len(yeses) > 1:
        assert not isinstance(outcome, Decision) or not outcome.allowed


def test_arguments_as_deep_as_a_frame_may_be_are_read() -> None:
    deep: Any = "x"
    for _ in range(DEPTH_LIMIT):
        deep = [deep]
    request = read({"toolCall": {"toolCallId": "1", "rawInput": deep}, "options": []}, Origin.OURS)
    assert request is not None
    assert Doubt.TOO_LARGE in request.call.doubts
