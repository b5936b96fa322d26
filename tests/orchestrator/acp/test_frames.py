"""Bytes to messages and back: what is read, what is refused and whom the refusal is for."""

import json
import sys
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.acp.frames import (
    DEPTH_LIMIT,
    DIGITS_LIMIT,
    FRAME_LIMIT,
    Decoder,
    Failure,
    Junk,
    Message,
    Notification,
    Outgoing,
    Refused,
    Request,
    Response,
    decode,
    encode,
)
from orchestrator.acp.schema import ErrorCode
from tests.corpus.permission_frames import permission_frames

HEAD = b'{"jsonrpc":"2.0","id":7,"method":"m","params":'


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def read(data: bytes, size: int = 65536) -> list[Message]:
    decoder = Decoder()
    return [message for piece in pieces(data, size) for message in decoder.feed(piece)] + decoder.end()


def refusal(message: Message) -> tuple[object, int]:
    assert isinstance(message, Refused), message
    return message.id, message.code


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
ids = st.integers() | st.text()
params = st.dictionaries(st.text(), json_values, max_size=3)
messages = st.one_of(
    st.builds(Request, ids, st.text(), params),
    st.builds(Notification, st.text(), params),
    st.builds(Response, ids, json_values),
    st.builds(Failure, ids | st.none(), st.integers(), st.text(), json_values),
)


@given(st.lists(messages, max_size=4), st.integers(1, 50))
@settings(max_examples=100)
def test_what_is_written_is_read_back_however_it_arrives(sent: list[Outgoing], size: int) -> None:
    frames = [encode(message) for message in sent]
    assert all(frame.count(b"\n") == 1 for frame in frames)
    assert read(b"".join(frames), size) == sent


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_no_bytes_at_all_raise(line: bytes) -> None:
    decode(line)
    decode(HEAD + line)


@pytest.mark.parametrize("text", ["é", "漢", "🔐", "/tmp/é/漢.txt", "a\u2028b\u0085c"])
def test_O_j3_characters_split_across_pieces_arrive_whole(text: str) -> None:
    sent = Notification("session/update", {"text": text})
    assert read(encode(sent), 1) == [sent]


def test_O_j3_a_lone_surrogate_is_kept_as_it_is_and_written_as_an_escape() -> None:
    (message,) = read(b'{"jsonrpc":"2.0","method":"m","params":{"title":"a\\ud800"}}\n')
    assert message == Notification("m", {"title": "a\ud800"})
    assert b"\\ud800" in encode(message)
    assert read(encode(message)) == [message]


def test_O_j3_a_raw_invalid_byte_is_never_repaired() -> None:
    assert refusal(decode(HEAD + b'{"command":"ls \xff"}}')) == (7, ErrorCode.PARSE_ERROR)
    assert decode(b"\xffbanner") == Junk("\\xffbanner")


@pytest.mark.parametrize("line", [b"starting...", b'{"a":', b"\x1b[?25l", b"{'a': 1}", b"\xef\xbb\xbf{}"])
def test_O_j1_a_line_that_is_not_JSON_is_junk_and_its_neighbours_are_read(line: bytes) -> None:
    good = encode(Response(1, None))
    first, junk, last = read(good + line + b"\n" + good)
    assert first == last == Response(1, None)
    assert isinstance(junk, Junk)
    assert junk.text.isprintable()


def test_O_j1_the_sample_of_junk_is_escaped_and_bounded() -> None:
    assert decode("\x1b[2J\u202eé".encode()) == Junk("\\x1b[2J\\u202eé")
    junk = decode(b"x" * 1_000_000)
    assert isinstance(junk, Junk)
    assert len(junk.text) < 250


def test_O_j1_empty_lines_CRLF_and_a_last_line_without_newline() -> None:
    good = encode(Response(1, None)).rstrip()
    assert read(b"\n \r\n" + good + b"\r\n\n" + good) == [Response(1, None)] * 2


@pytest.mark.parametrize("frame", [b"123", b'"text"', b"null", b"true", b"[]", b"[" + HEAD + b"{}}]", b"{}"])
def test_what_is_no_single_object_is_refused_without_an_id(frame: bytes) -> None:
    assert refusal(decode(frame)) == (None, ErrorCode.INVALID_REQUEST)


@pytest.mark.parametrize("size", [65_535, 65_536, 65_537, 1 << 20, FRAME_LIMIT])
def test_O_j2_a_frame_up_to_the_limit_is_read(size: int) -> None:
    empty = len(encode(Request(7, "m", {"text": ""}))) - 1
    sent = Request(7, "m", {"text": "A" * (size - empty)})
    assert len(encode(sent)) == size + 1
    assert read(encode(sent)) == [sent]


def test_O_j2_a_frame_over_the_limit_is_refused_alone_and_names_its_request() -> None:
    big, good = HEAD + b'{"text":"' + b"A" * FRAME_LIMIT + b'"}}\n', encode(Response(1, None))
    first, refused, last = read(good + big + good)
    assert first == last == Response(1, None)
    assert refusal(refused) == (7, ErrorCode.INVALID_REQUEST)


def test_O_j2_an_answer_over_the_limit_ends_its_request_as_an_error() -> None:
    (answer,) = read(b'{"jsonrpc":"2.0","id":"x","result":"' + b"A" * FRAME_LIMIT + b'"}\n')
    assert isinstance(answer, Failure)
    assert answer.id == "x"


def test_the_memory_for_a_line_without_end_is_bounded() -> None:
    decoder = Decoder()
    for _ in range(40):
        assert decoder.feed(b"A" * (1 << 20)) == []
    assert len(decoder._line) == FRAME_LIMIT
    assert refusal(decoder.end()[0]) == (None, ErrorCode.INVALID_REQUEST)


@pytest.mark.parametrize("depth", [DEPTH_LIMIT - 1, DEPTH_LIMIT, 900, 1_000_000])
def test_nesting_is_limited_before_the_parser_recurses(depth: int) -> None:
    line = HEAD + b'{"n":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}}"
    message = decode(line)
    if depth < DEPTH_LIMIT:  # the frame itself is one more
        assert isinstance(message, Request)
    else:
        assert refusal(message) == (7, ErrorCode.INVALID_REQUEST)


def test_brackets_side_by_side_are_no_nesting() -> None:
    sent = Request(7, "m", {"list": [[]] * 1000})
    assert decode(encode(sent)) == sent


def test_brackets_inside_strings_are_no_nesting() -> None:
    sent = Request(7, "m", {"text": '["\\' * 1000 + "{" * 1000})
    assert decode(encode(sent)) == sent


@pytest.mark.parametrize(
    "number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * (DIGITS_LIMIT + 1)]
)
def test_a_number_that_nobody_can_hold_is_refused(number: str) -> None:
    assert refusal(decode(HEAD + b'{"n":' + number.encode() + b"}}")) == (7, ErrorCode.INVALID_PARAMS)


def test_a_long_integer_is_read_exactly() -> None:
    message = decode(HEAD + b'{"n":' + b"9" * DIGITS_LIMIT + b"}}")
    assert isinstance(message, Request)
    assert message.params["n"] == 10**DIGITS_LIMIT - 1


@pytest.mark.parametrize("frame", [b'{"a":1,"a":2}}', b'{"a":{"b":1,"b":1}}}', b'{},"params":{}}'])
def test_a_key_that_stands_twice_is_refused(frame: bytes) -> None:
    assert refusal(decode(HEAD + frame)) == (7, ErrorCode.INVALID_REQUEST)


@pytest.mark.parametrize("id_", ["true", "1.0", "0.0", "1e0", "null", "[]", '{"a":1}'])
def test_an_id_is_a_text_or_an_integer(id_: str) -> None:
    frame = f'{{"jsonrpc":"2.0","id":{id_},"method":"m"}}'.encode()
    assert refusal(decode(frame)) == (None, ErrorCode.INVALID_REQUEST)
    assert refusal(decode(f'{{"jsonrpc":"2.0","id":{id_},"result":1}}'.encode()))[0] is None


def test_ids_keep_their_type_and_0_is_a_good_one() -> None:
    assert [decode(encode(Request(id_, "m", {}))) for id_ in (0, 1, "1", "", -5)] == [
        Request(0, "m", {}),
        Request(1, "m", {}),
        Request("1", "m", {}),
        Request("", "m", {}),
        Request(-5, "m", {}),
    ]


@pytest.mark.parametrize("extra", [b'"result":{}', b'"error":{"code":1,"message":"x"}', b'"result":null'])
def test_a_request_with_an_answer_in_it_is_neither(extra: bytes) -> None:
    assert refusal(decode(HEAD + b"{}," + extra + b"}")) == (7, ErrorCode.INVALID_REQUEST)


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b'{"id":7,"method":"m"}', ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":2.0,"id":7,"method":"m"}', ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":7,"method":5}', ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":7,"method":"m","params":[]}', ErrorCode.INVALID_PARAMS),
        (b'{"jsonrpc":"2.0","id":7,"method":"m","params":"x"}', ErrorCode.INVALID_PARAMS),
    ],
)
def test_a_malformed_request_is_refused_under_its_id(frame: bytes, code: ErrorCode) -> None:
    assert refusal(decode(frame)) == (7, code)


def test_absent_and_null_params_are_empty() -> None:
    assert decode(HEAD + b"null}") == Request(7, "m", {})
    assert decode(b'{"jsonrpc":"2.0","method":"m"}') == Notification("m", {})


@pytest.mark.parametrize("error", ["{}", "5", '{"code":"x","message":"y"}', "null"])
def test_an_unusable_answer_ends_its_request_as_an_error(error: str) -> None:
    message = decode(f'{{"jsonrpc":"2.0","id":3,"error":{error}}}'.encode())
    assert isinstance(message, Failure)
    assert message.id == 3


def test_an_error_beside_a_result_is_an_error() -> None:
    both = b'{"jsonrpc":"2.0","id":3,"result":{},"error":{"code":-1,"message":"no"}}'
    assert decode(both) == Failure(3, -1, "no")
    assert isinstance(decode(both.replace(b'"no"', b"5")), Failure)
    assert decode(both.replace(b'{"code":-1,"message":"no"}', b"null")) == Response(3, {})


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","result":{"id":5},"x":NaN}',
        b'{"jsonrpc":"2.0","method":"m","id":1.5,"params":NaN}',
        b'{"jsonrpc":"2.0","params":{"id":5,"method":"m"},"x":NaN}',
        b'{"jsonrpc":"2.0","id":"a\\"b","method":"m","params":NaN}',
        b'{"jsonrpc":"2.0","id":"\xc3\xa9","method":"m","params":NaN}',
    ],
)
def test_a_refusal_never_takes_an_id_that_may_not_be_the_frames_own(line: bytes) -> None:
    assert refusal(decode(line))[0] is None


def test_what_is_not_JSON_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        encode(Response(1, float("inf")))
    with pytest.raises(TypeError):
        encode(Response(1, object()))


@pytest.mark.parametrize(
    "unit", [b'"\\"', b'\\"', b'["', b"[],", b"{", b"9", b'{"a":', b"\\", b'"a', b'"x"', b"\xff", b"1."]
)
def test_no_line_takes_long(unit: bytes) -> None:
    line = HEAD + unit * ((1 << 20) // len(unit))
    start = time.process_time()
    decode(line)
    assert time.process_time() - start < 5


def test_reading_needs_little_of_the_stack() -> None:
    def under(frames: int) -> Message:
        return under(frames - 1) if frames else decode(HEAD + b"[" * 250 + b"]" * 250 + b"}")

    assert isinstance(under(sys.getrecursionlimit() // 2), Refused)  # for its params, not its depth


CORPUS = {case["id"]: (case, frame) for case, frame in permission_frames()}
AT_THE_FRAME = {
    "raw-09": (7, ErrorCode.INVALID_PARAMS),
    "raw-10": (7, ErrorCode.INVALID_PARAMS),
    "raw-12": (7, ErrorCode.INVALID_REQUEST),
    "raw-13": (7, ErrorCode.INVALID_REQUEST),
    "rpc-12": (None, ErrorCode.INVALID_REQUEST),
    "rpc-15": (None, ErrorCode.INVALID_REQUEST),
    "rpc-16": (None, ErrorCode.INVALID_REQUEST),
    "rpc-18": (7, ErrorCode.PARSE_ERROR),
    "rpc-22": (7, ErrorCode.INVALID_REQUEST),
}


@pytest.mark.parametrize("name", CORPUS)
def test_the_corpus_at_the_frame(name: str) -> None:
    _, frame = CORPUS[name]
    *_, message = read(frame, 4096)
    if name in AT_THE_FRAME:
        assert refusal(message) == AT_THE_FRAME[name]
    elif name == "rpc-19":  # UTF-16: nothing of it can be told
        assert isinstance(message, Junk)
    elif name == "rpc-10":
        assert isinstance(message, Notification)
    else:
        last = json.loads(frame.rstrip().split(b"\n")[-1])
        assert message == Request(7, "session/request_permission", last.get("params") or {})
