"""JSON-RPC frames: bytes to messages and back, one message a line, sans-IO.

Reading is strict, because what is read here may be shown to a person who decides about it: text that two
readers could understand differently is refused, never repaired. Knows nothing of sessions, methods,
streams or tasks.
"""

import json
import math
import re
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, TypeGuard, assert_never

from orchestrator.acp.schema import ErrorCode

FRAME_LIMIT = 16 * 1024 * 1024
"""The longest frame that is read, in bytes, without its newline."""
DEPTH_LIMIT = 256
"""How deep arrays and objects of a frame may nest, the frame's own object included."""
DIGITS_LIMIT = 4300
"""The longest integer, in digits: where Python itself stops by default."""
SAMPLE = 200
"""How many bytes of an unreadable line are kept."""

Id = str | int
Json = Any  # whatever JSON can say; its shape is the business of the layers above
Params = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Request:
    """A call that waits for exactly one answer. Absent params are `{}`."""

    id: Id
    method: str
    params: Params


@dataclass(frozen=True, slots=True)
class Notification:
    """A call that nobody answers. Absent params are `{}`."""

    method: str
    params: Params


@dataclass(frozen=True, slots=True)
class Response:
    """The result of a request of ours (or, outgoing, of theirs)."""

    id: Id
    result: Json


@dataclass(frozen=True, slots=True)
class Failure:
    """The error answer to a request; `id` is None where the other side could not tell which."""

    id: Id | None
    code: int
    message: str
    data: Json = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A frame that is no valid message: to be answered with this error."""

    id: Id | None
    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Junk:
    """A line that is not JSON at all, such as a banner; `text` is its escaped beginning."""

    text: str


Message = Request | Notification | Response | Failure | Refused | Junk
Outgoing = Request | Notification | Response | Failure


class Decoder:
    """Bytes as they arrive, in pieces of any size, to messages."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._size = 0

    def feed(self, data: bytes) -> list[Message]:
        """The messages that `data` completes, in order."""
        *ends, rest = data.split(b"\n")
        messages = []
        for end in ends:
            self._add(end)
            messages += self.end()
        self._add(rest)
        return messages

    def end(self) -> list[Message]:
        """The message that the end of the stream completes: the last line may lack its newline."""
        line, size = bytes(self._line), self._size
        self._line, self._size = bytearray(), 0
        if size > FRAME_LIMIT:
            return [_refuse(line, _Fault(ErrorCode.INVALID_REQUEST, "the message is over 16 MiB"))]
        return [decode(line)] if line.strip() else []

    def _add(self, part: bytes) -> None:
        self._line += part[: FRAME_LIMIT - len(self._line)]
        self._size += len(part)


def decode(line: bytes) -> Message:
    """One line as a message; never raises."""
    try:
        frame = _parse(line)
    except json.JSONDecodeError:
        return Junk(sample(line))
    except _Fault as fault:
        return _refuse(line, fault)
    if not isinstance(frame, dict):
        return Refused(None, ErrorCode.INVALID_REQUEST, f"a message is one JSON object, not {sample(line)}")
    return _call(frame) if "method" in frame else _answer(frame)


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encode(message: Outgoing) -> bytes:
    """One line with its newline. ValueError for a number that is not finite, TypeError for no JSON value."""
    match message:
        case Request(id_, method, params):
            frame: Params = {"id": id_, "method": method, "params": params}
        case Notification(method, params):
            frame = {"method": method, "params": params}
        case Response(id_, result):
            frame = {"id": id_, "result": result}
        case Failure(id_, code, text, data):
            error = {"code": code, "message": text} | ({} if data is None else {"data": data})
            frame = {"id": id_, "error": error}
        case _:
            assert_never(message)
    # A lone surrogate has no UTF-8; Python's escape for it is also JSON's.
    return _ENCODER.encode({"jsonrpc": "2.0", **frame}).encode("utf-8", "backslashreplace") + b"\n"


def is_id(value: object) -> TypeGuard[Id]:
    """Whether a request may carry it: a text or an integer; `true` and 1.0 are neither."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def sample(line: bytes) -> str:
    """The beginning of a line, with all that does not print escaped, for a diagnosis."""
    text = line[:SAMPLE].decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return shown + ("…" if len(line) > SAMPLE else "")


class _Fault(Exception):
    """JSON, or nearly, that must not be understood one way or the other."""

    def __init__(self, code: ErrorCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def _parse(line: bytes) -> Json:
    try:
        text = line.decode("utf-8")  # json.loads(bytes) would take UTF-16 and UTF-32 as well
    except UnicodeDecodeError:
        raise _Fault(ErrorCode.PARSE_ERROR, "the message is not UTF-8") from None
    if _depth(line) > DEPTH_LIMIT:
        raise _Fault(ErrorCode.INVALID_REQUEST, f"nested deeper than {DEPTH_LIMIT}")
    return _DECODER.decode(text)


# An unterminated string reaches to the end, so that no line costs more than one pass.
_STRING = re.compile(rb'(?s)"(?:[^"\\]+|\\.)*+"?')
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))


def _depth(line: bytes) -> int:
    """How deep the brackets outside strings nest at most, counted before parsing: the parser recurses."""
    if (brackets := line.count(b"[") + line.count(b"{")) <= DEPTH_LIMIT:
        return brackets  # nearly every line: so few cannot nest deeper, and counting them costs little
    steps = _STRING.sub(b"", line).translate(_STEPS, _NO_BRACKETS)
    return max(accumulate(memoryview(steps).cast("b")), default=0)


def _object(pairs: list[tuple[str, Json]]) -> Params:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise _Fault(ErrorCode.INVALID_REQUEST, "an object has a key twice")
    return result


def _int(digits: str) -> int:
    if len(digits) > DIGITS_LIMIT:
        raise _Fault(ErrorCode.INVALID_PARAMS, f"an integer has more than {DIGITS_LIMIT} digits")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _constant(digits)


def _constant(name: str) -> float:
    raise _Fault(ErrorCode.INVALID_PARAMS, f"a number is not finite: {name[:SAMPLE]}")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_float, parse_int=_int, parse_constant=_constant
)


def _call(frame: Params) -> Message:
    id_, method, params = frame.get("id"), frame["method"], frame.get("params")
    reply_to = id_ if is_id(id_) else None

    def refused(reason: str, code: ErrorCode = ErrorCode.INVALID_REQUEST) -> Refused:
        return Refused(reply_to, code, reason)

    if frame.get("jsonrpc") != "2.0":
        return refused('"jsonrpc" is not "2.0"')
    if "result" in frame or "error" in frame:
        return refused("a message is a request or an answer, not both")
    if not isinstance(method, str):
        return refused('"method" is not a text')
    if "id" in frame and reply_to is None:
        return refused('"id" is neither a text nor an integer')
    if not isinstance(params, dict | None):
        return refused('"params" is not an object', ErrorCode.INVALID_PARAMS)
    return Notification(method, params or {}) if reply_to is None else Request(reply_to, method, params or {})


def _answer(frame: Params) -> Message:
    """An answer that cannot be used still ends the request that it names, as an error."""
    id_ = frame.get("id")
    match frame:
        case {"error": {"code": int(code), "message": str(text), **rest}} if id_ is None or is_id(id_):
            return Failure(id_, code, text, rest.get("data"))
        case {"result": result} if is_id(id_) and frame.get("error") is None:
            return Response(id_, result)
        case {"result": _} | {"error": _} if is_id(id_):
            return Failure(id_, ErrorCode.INVALID_REQUEST, "the answer is neither a result nor an error")
        case _:
            return Refused(None, ErrorCode.INVALID_REQUEST, "neither a request nor the answer to one")


_MEMBER = re.compile(
    rb'[\s{,]*"(jsonrpc|id|method|result|error)"\s*:\s*("[ !#-\[\]-~]*"|-?(?:0|[1-9]\d{0,17})(?=\s*[,}]))?'
)


def _refuse(line: bytes, fault: _Fault) -> Message:
    """What to do with a line that is not parsed.

    Its beginning mostly says whose it is; without that, one side would wait for ever for its answer.
    """
    head = _head(line)
    id_ = json.loads(head.get("id", "null"))
    if "method" in head:
        return Refused(id_, fault.code, str(fault))
    if id_ is not None and ("result" in head or "error" in head):
        return Failure(id_, fault.code, f"the answer is unreadable: {fault}")
    if fault.code == ErrorCode.PARSE_ERROR:
        return Junk(sample(line))
    return Refused(None, fault.code, str(fault))


def _head(line: bytes) -> dict[str, str]:
    """The leading members of a frame up to the first that is no plain text or integer, as JSON texts."""
    head: dict[str, str] = {}
    at = 0
    while (member := _MEMBER.match(line, at)) and member[1].decode() not in head:
        head[member[1].decode()] = (member[2] or b"null").decode()
        if member[2] is None:
            break
        at = member.end()
    return head
