"""What the editor facade sends: valid ACP, all that must be seen, and what our own agents read back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consent.answer import Answer
from consent.call import Altered, Arguments, Change, Command, Detail, Doubt, Origin, Place, Task, ToolCall
from consent.docket import Waiting
from consent.gate import Question
from consent.gate import check as check_call
from consent.hook import Broken, Objection
from consent.key import Key, Kind
from consent.matching import Effect, Rule, parse_pattern
from consent.policy import Policy
from consent.rules import Why
from consent.setting import Mode, Setting
from mmconfigs.language import Words
from orchestrator.acp.details import paths_of
from orchestrator.acp.frames import Decoder, Notification, encode
from orchestrator.acp.known import KnownCalls
from orchestrator.acp.permission import Asking, read_request
from orchestrator.acp.updates import answer_of, meta_of, request_of, update_of, wire_id
from orchestrator.changed import Changed, Mark
from orchestrator.events import (
    AgentState,
    CallEnded,
    CallStarted,
    Event,
    Level,
    Noted,
    Phase,
    Row,
    RunState,
    Said,
    State,
    Thought,
)
from tests.orchestrator.acp.official_schema import check
from tests.orchestrator.words.calls import ENGLISH, GEM, JAN, OWN, question

HOME = JAN.folder
OFFERED = {answer.value: answer for answer in Answer}


def sent(waiting: Waiting, *, to_ours: bool = False) -> dict[str, Any]:
    """The params of the request, checked against the schema."""
    params = request_of(waiting, ENGLISH, 2, HOME, to_ours=to_ours)
    check("RequestPermissionRequest", {"sessionId": "s", **params})
    check("ToolCallUpdate", params["toolCall"])
    for option in params["options"]:
        check("PermissionOption", option)
    return params


def ruled(call: ToolCall, effect: Effect, *, inherited: bool = False) -> Waiting:
    rule = Rule(parse_pattern("bash"), effect, "here", inherited)
    return Waiting(0, Question(call, 5, False, rule))


# --- events

DETAILS: list[Detail] = [
    Command("ls"),
    Change("a", "/w/a", "x", "y"),
    Change("a", "/w/a", None, "y"),
    Task("homer", "why?"),
    Place("/w/a"),
    Place("http://x"),
    Altered("homer", "/w/link.yaml", "/w/homer.yaml"),
    Arguments('{"x": 1}'),
    Arguments(""),
]


def started(detail: Detail, arguments: str = '{"x": 1}', kind: Kind | None = Kind.OTHER) -> CallStarted:
    return CallStarted(("jan",), "1:7", "tool", kind, "its words", detail, arguments)


EVENTS: list[Event] = [
    Said((), "hello"),
    Said(("jan",), "\x1b[2J\ud800"),
    Thought(("jan",), "hm"),
    Noted((), "beware", Level.WARNING),
    AgentState(("jan", "homer"), State.STARTING),
    CallEnded(("jan",), "1:7", True, "two\nlines"),
    CallEnded((), "7", False, ""),
    replace(started(Arguments("")), name=None, kind=None, arguments=""),
    *map(started, DETAILS),
    RunState(
        (), "review-1", (Row("jan", 1, Phase.WAITING), Row("homer", 1, Phase.FAILED, "stopped", 2.0, 7))
    ),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_each_update_is_valid_and_survives_the_wire(event: Event) -> None:
    update = update_of(event, Words(), to_ours=False)
    params: dict[str, Any] = {"sessionId": "s", "update": update, "_meta": meta_of(event)}
    check("SessionNotification", params)
    assert Decoder().feed(encode(Notification("session/update", params))) == [
        Notification("session/update", params)
    ]


def test_a_run_is_a_plan_in_the_language_of_the_reader_and_each_of_its_signs_is_drawn() -> None:
    rows = (
        Row("homer", 1, Phase.DONE, "", 61.0),
        Row("jan", 2, Phase.WORKING),
        Row("jan", 3, Phase.DONE, "*A*"),
    )
    update = update_of(RunState((), "review-1", rows), Words("fr"), to_ours=False) or {}
    assert [(entry["content"], entry["status"]) for entry in update["entries"]] == [
        ("homer: fini, tour 1, 1 min 1 s", "completed"),
        ("jan: au travail, tour 2", "in_progress"),
        ("` jan: fini, *A*, tour 3 `", "completed"),
    ]


@pytest.mark.parametrize("state", [State.WORKING, State.DONE, State.ENDED])
def test_an_editor_is_told_nothing_of_the_rest_of_an_agents_life(state: State) -> None:
    assert update_of(AgentState(("jan",), state), Words(), to_ours=False) is None


def test_the_agent_and_the_level_of_a_note_go_beside_an_update() -> None:
    assert meta_of(Said(("jan", "homer"), "x")) == {"mm": {"path": ["jan", "homer"]}}
    assert meta_of(Noted((), "x", Level.ERROR)) == {"mm": {"path": [], "note": "error"}}


def test_a_call_without_a_kind_is_announced_without_one() -> None:
    """Else the kind would come back as a key of its own with the request."""
    assert "kind" not in (update_of(started(Command("ls"), kind=None), Words(), to_ours=False) or {})


def test_an_address_is_no_location() -> None:
    update = update_of(started(Place("http://x")), Words(), to_ours=False) or {}
    assert update["locations"] == []
    assert (update_of(started(Place("/w/a")), Words(), to_ours=False) or {})["locations"] == [
        {"path": "/w/a"}
    ]


def test_an_agent_of_ours_gets_a_result_as_it_is_and_escapes_it_itself() -> None:
    update = update_of(CallEnded((), "7", True, "a\x1b[2J\nb"), Words(), to_ours=True) or {}
    assert update["content"][0]["content"]["text"] == "a\x1b[2J\nb"


def test_a_result_is_escaped() -> None:
    update = update_of(CallEnded((), "7", True, "a\x1b[2J\nb"), Words(), to_ours=False) or {}
    assert update["content"][0]["content"]["text"] == "```\na\\u{1b}[2J\nb\n```"


@given(st.lists(st.sampled_from(["jan", "homer", "a-1"]), max_size=3), st.integers(1, 3), st.text(max_size=3))
def test_ids_of_calls_tell_every_call_of_a_session_apart(path: list[str], run: int, call: str) -> None:
    text = wire_id(tuple(path), f"{run}:{call}")
    names = text.split(":")[: len(path)]
    assert names == path
    assert text.split(":")[len(path)] == str(run)


# --- questions


def test_a_question_to_an_editor_says_everything() -> None:
    params = sent(question(replace(JAN, doubts=(Doubt.TOO_LONG,))))
    call = params["toolCall"]
    assert (call["name"], call["title"], call["kind"]) == ("bash", "jan › bash: ls", "execute")
    assert call["rawInput"] == {"command": "ls"}
    text = call["content"][0]["content"]["text"]
    assert text.startswith("🔐 jan\n")
    for part in ("ls", "longer than a person can read", HOME, "2 more waiting"):
        assert part in text
    assert [option["kind"] for option in params["options"]] == [
        "allow_once",
        "allow_always",
        "reject_always",
        "reject_once",
    ]
    assert "every bash call of jan until mm stops" in params["options"][1]["name"]


def test_an_editor_which_has_no_details_gets_everything_uncut() -> None:
    middle = "a" * 3000 + "; EVIL; " + "b" * 3000
    long = replace(
        GEM,
        detail=Command(middle),
        arguments=json.dumps({"command": middle}),
        title=f"title {middle.lower()}",
        yeses=(f"{middle.title()} one", "two"),
    )
    text = sent(question(long))["toolCall"]["content"][0]["content"]["text"]
    for whole in (middle, f"title {middle.lower()}", f"{middle.title()} one"):
        assert f"│ {whole}\n" in text
    assert "hidden" not in text


def test_what_nobody_can_read_is_cut_with_its_count_and_is_a_doubt() -> None:
    command = {"toolCallId": "1", "name": "bash", "rawInput": {"command": "a" * 70_000}}
    call = read_request(
        {"toolCall": command, "options": OPTIONS}, {}, Asking(("gem",), Origin.FOREIGN, HOME)
    ).call
    assert Doubt.TOO_LONG in call.doubts
    text = sent(question(call, once_only=True))["toolCall"]["content"][0]["content"]["text"]
    assert "characters hidden" in text
    assert len(text) < 5000


def test_a_once_only_question_offers_no_always() -> None:
    kinds = [option["kind"] for option in sent(question(JAN, once_only=True))["options"]]
    assert kinds == ["allow_once", "reject_always", "reject_once"]


def test_several_yeses_are_options_of_their_own_and_an_asking_agent_gets_their_plain_names() -> None:
    waiting = question(replace(GEM, yeses=("Alpha", "Beta")), once_only=True)
    told = [(option["optionId"], option["kind"], option["name"]) for option in sent(waiting)["options"][:2]]
    covers = "only this call, and whatever gem means by it"
    assert told == [
        ("allow_once_0", "allow_once", f"allow once: Alpha ({covers})"),
        ("allow_once_1", "allow_once", f"allow once: Beta ({covers})"),
    ]
    read = read_request(sent(waiting, to_ours=True), {}, Asking(("jan",), Origin.OURS, HOME))
    assert read.call.yeses == ("Alpha", "Beta")
    assert read.options.allow == ("allow_once_0", "allow_once_1")


def test_the_path_goes_along_and_nothing_else_without_need() -> None:
    assert sent(question(JAN))["_meta"] == {"mm": {"path": ["jan"]}}
    assert sent(question(OWN))["_meta"] == {"mm": {"path": []}}


@pytest.mark.parametrize("path", [(), ("homer",)])
def test_a_tool_of_a_server_is_passed_on_with_its_whole_name_and_its_server(path: tuple[str, ...]) -> None:
    call = replace(JAN, path=path, name="delete", server="files", kind=Kind.OTHER)
    params = sent(question(call), to_ours=True)
    assert params["toolCall"]["name"] == "mcp__files__delete"
    assert params["_meta"]["mm"]["server"] == "files"
    read = read_request(params, {}, Asking(("jan",), Origin.OURS, HOME)).call
    assert read.key == Key(("jan", *path), "delete", server="files")
    assert read.doubts == ()
    asked = json.dumps(sent(question(read))["toolCall"]["content"])
    assert "the tool delete of the third-party server files" in asked


def test_an_agent_that_works_elsewhere_says_where() -> None:
    assert sent(question(replace(JAN, folder="/elsewhere")))["_meta"]["mm"]["folder"] == "/elsewhere"


def test_a_call_with_a_kind_for_a_key_goes_without_a_name() -> None:
    call = sent(question(replace(GEM, name=None)))["toolCall"]
    assert "name" not in call
    assert call["title"] == "gem › (execute): ls"


def test_a_change_carries_its_diff_and_one_location() -> None:
    change = Change("link", "/real/file", "a", "b")
    call = sent(question(replace(OWN, name="edit_file", kind=Kind.EDIT, detail=change)))["toolCall"]
    assert call["locations"] == [{"path": "/real/file"}]
    assert call["content"][1] == {"type": "diff", "path": "/real/file", "oldText": "a", "newText": "b"}


@pytest.mark.parametrize(
    ("waiting", "marked"),
    [
        (question(JAN), False),
        (question(replace(JAN, marked=True)), True),
        (ruled(JAN, Effect.PROMPT), True),
        (ruled(JAN, Effect.PROMPT, inherited=True), False),
        (ruled(JAN, Effect.DENY), False),
    ],
)
def test_a_prompt_of_our_own_file_travels_up_as_a_mark(waiting: Waiting, marked: bool) -> None:
    assert sent(waiting)["_meta"]["mm"].get("ask", False) is marked


# --- forwarding: an asking agent of ours reads back what was sent

TEXTS = st.text(st.characters(exclude_characters="\0\x7f", exclude_categories=["Cs"]), max_size=5)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False))
VALUES = st.recursive(
    SCALARS | TEXTS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2)
)
PATHS = st.sampled_from(["a.txt", "../a.txt", f"{HOME}/a.txt", "/etc/x"])
BUILTIN = st.one_of(
    st.fixed_dictionaries({"command": TEXTS | st.lists(TEXTS, max_size=2)}, optional={"cwd": PATHS}),
    st.fixed_dictionaries({"path": PATHS}, optional={"content": TEXTS, "old": TEXTS, "new": TEXTS}),
    st.fixed_dictionaries({"url": TEXTS}),
    st.fixed_dictionaries({"question": TEXTS}, optional={"context": TEXTS}),
)
BLOCKS = st.one_of(
    TEXTS.map(lambda text: {"type": "content", "content": {"type": "text", "text": text}}),
    st.builds(lambda path, text: {"type": "diff", "path": path, "newText": text}, PATHS, TEXTS),
)
NAMES = ["bash", "Bash", "write_file", "edit_file", "read_file", "fetch_content", "ask_homer", "x", "no name"]
FIELDS = st.fixed_dictionaries(
    {"toolCallId": st.sampled_from(["1", "call:2", ""])},
    optional={
        "name": st.sampled_from([*NAMES, ""]),
        "kind": st.sampled_from([kind.value for kind in Kind]),
        "title": TEXTS,
        "status": st.sampled_from(["pending", "completed"]),
        "rawInput": BUILTIN | VALUES | st.sampled_from([None, {}, [], ""]),
        "content": st.lists(BLOCKS, max_size=3),
        "locations": st.lists(st.builds(lambda path: {"path": path}, PATHS), max_size=2),
    },
)
OPTIONS = [{"optionId": "y", "name": "y", "kind": "allow_once"}]
HOMERS = st.builds(
    Asking,
    st.just(("homer",)),
    st.sampled_from([Origin.OURS, Origin.FOREIGN]),
    st.sampled_from([HOME, "/elsewhere"]),
)


def read_back(call: ToolCall, waiting: Waiting, *, announced: bool) -> ToolCall:
    """What riker reads of a question of jan about this call, over the wire."""
    known = KnownCalls()
    if announced:
        event = CallStarted(call.path, call.id, call.name, call.kind, call.title, call.detail, call.arguments)
        known.update(update_of(event, Words(), to_ours=False) or {})
    frame = encode(Notification("x", sent(waiting, to_ours=True)))
    (message,) = Decoder().feed(frame)
    assert isinstance(message, Notification)
    asking = Asking(("jan",), Origin.OURS, HOME)
    return read_request(message.params, known.get(wire_id(call.path, call.id)), asking).call


def told(call: ToolCall) -> tuple[object, ...]:
    """What a forwarded question must keep. A diff is told by the real file."""
    detail = call.detail
    shown = (detail.target, detail.after) if isinstance(detail, Change) else detail
    return (
        call.name,
        call.kind,
        call.arguments,
        set(call.doubts),
        call.marked,
        call.folder,
        call.key.tool,
        shown,
    )


@given(FIELDS, HOMERS, st.booleans(), st.booleans())
@settings(max_examples=200)
def test_a_forwarded_question_is_read_back_as_the_same_call(
    fields: dict[str, Any], homer: Asking, marked: bool, announced: bool
) -> None:
    params = {"toolCall": fields, "options": OPTIONS}
    call = replace(read_request(params, {}, homer).call, id="1:1", marked=marked)
    back = read_back(call, Waiting(0, Question(call, 11, bool(call.doubts))), announced=announced)
    assert told(back) == told(call)
    assert back.path == ("jan", "homer")
    assert back.origin is homer.origin
    assert back.unrunnable is None


@given(st.sampled_from(NAMES), BUILTIN, st.booleans())
def test_an_own_call_of_jan_is_read_back_as_the_same_call(
    name: str, arguments: dict[str, Any], announced: bool
) -> None:
    own = read_request(
        {"toolCall": {"toolCallId": "1", "name": name, "rawInput": arguments}, "options": OPTIONS},
        {},
        Asking((), Origin.OURS, HOME),
    ).call
    call = replace(own, origin=Origin.OWN, id="7")
    back = read_back(call, question(call), announced=announced)
    assert told(back) == told(call)
    assert (back.path, back.origin) == (("jan",), Origin.OURS)


def test_a_question_about_a_changed_file_is_valid_and_read_back_as_the_same_call(tmp_path: Path) -> None:
    link, file = tmp_path / "link.yaml", tmp_path / "homer.yaml"
    link.symlink_to(file)
    call = Changed("homer", str(link), Mark("sha256:1", str(file)), HOME).call(1)
    sent_call = sent(question(call, once_only=True))["toolCall"]
    assert (sent_call["name"], sent_call["kind"]) == ("ask_homer", "switch_mode")
    assert sent_call["locations"] == [{"path": str(file)}]
    for announced in (True, False):
        back = read_back(call, question(call, once_only=True), announced=announced)
        assert (told(back), str(back.key)) == (told(call), "jan/ask_homer")
        asked = check_call(back, Setting(mode=Mode.YOLO, somebody=True), Policy())
        assert isinstance(asked, Question)
        assert (asked.line, asked.once_only) == (4, True)


def test_the_files_beside_the_arguments_of_a_call_are_forwarded() -> None:
    call = replace(JAN, beside=("a", "/b"))
    back = read_back(call, question(call), announced=True)
    assert back.beside == call.beside
    assert sent(question(call))["toolCall"]["locations"] == []  # an editor takes only whole paths


def test_a_forwarded_question_names_no_file_that_the_call_does_not() -> None:
    params = sent(question(replace(JAN, detail=Place("http://x"))), to_ours=True)
    assert paths_of(params["toolCall"]) == []


# --- answers


@pytest.mark.parametrize("answer", list(Answer))
def test_an_offered_option_is_the_answer(answer: Answer) -> None:
    result = {"outcome": {"outcome": "selected", "optionId": answer.value}}
    assert answer_of(result, OFFERED, from_ours=False) is answer


@pytest.mark.parametrize("from_ours", [True, False])
@pytest.mark.parametrize(
    "result",
    [
        None,
        "allow_once",
        {},
        {"outcome": None},
        {"outcome": "selected", "optionId": "allow_once"},
        {"outcome": {"outcome": "selected"}},
        {"outcome": {"outcome": "selected", "optionId": "yes to everything"}},
        {"outcome": {"outcome": "selected", "optionId": ["allow_once"]}},
        {"outcome": {"outcome": ["selected"], "optionId": "allow_once"}},
        {"outcome": {"outcome": "x_future", "optionId": "allow_once"}},
        {"outcome": {"optionId": "allow_once"}},
    ],
)
def test_what_is_no_answer_is_not_understood(result: Any, from_ours: bool) -> None:
    assert answer_of(result, OFFERED, from_ours=from_ours) is Why.INVALID


def test_an_option_that_was_not_on_offer_is_no_answer() -> None:
    result = {"outcome": {"outcome": "selected", "optionId": "allow_session"}}
    once = {"allow_once": Answer.ALLOW_ONCE}
    assert answer_of(result, once, from_ours=False) is Why.INVALID


def test_cancelled_is_stop() -> None:
    result = {"outcome": {"outcome": "cancelled", "optionId": "allow_once"}}
    assert answer_of(result, OFFERED, from_ours=False) is Why.CANCELLED


def refusal(why: object) -> dict[str, Any]:
    return {"outcome": {"outcome": "selected", "optionId": "refuse_once"}, "_meta": {"mm": {"why": why}}}


@pytest.mark.parametrize(
    ("said", "objection"),
    [
        ({"reason": "no pushes"}, Objection(None, "no pushes")),
        ({"reason": "1 s", "broken": "too-late"}, Objection(None, "1 s", Broken.TOO_LATE)),
        ({"reason": 7, "broken": "quite"}, Objection(None)),
        ({"broken": ["failed"]}, Objection(None)),
    ],
)
def test_c8_what_a_hook_further_up_had_against_the_call_comes_along(
    said: dict[str, Any], objection: Objection
) -> None:
    result = refusal("hook")
    result["_meta"]["mm"] |= said
    assert answer_of(result, OFFERED, from_ours=True) == objection


@pytest.mark.parametrize("why", [Why.INVALID, Why.HOOK, Why.POLICY, Why.MEMORY, Why.NOBODY])
def test_O_a2_the_reason_of_an_asking_agent_of_ours_is_taken_over(why: Why) -> None:
    taken_over = Objection(None) if why is Why.HOOK else why
    assert answer_of(refusal(why.value), OFFERED, from_ours=True) == taken_over
    assert answer_of(refusal(why.value), OFFERED, from_ours=False) is Answer.REFUSE_ONCE


@pytest.mark.parametrize("why", ["yolo", "read", "mode", "answer", "cancelled", "x", 5, None, ["policy"]])
def test_no_other_reason_is(why: object) -> None:
    assert answer_of(refusal(why), OFFERED, from_ours=True) is Answer.REFUSE_ONCE


def test_a_reason_beside_a_yes_changes_nothing() -> None:
    result = refusal("nobody") | {"outcome": {"outcome": "selected", "optionId": "allow_once"}}
    assert answer_of(json.loads(json.dumps(result)), OFFERED, from_ours=True) is Answer.ALLOW_ONCE
