"""The values that keys take, each by what it must look like. Knows no key."""

from __future__ import annotations

import json
import re
from typing import Annotated, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from mmconfigs import sentences as say
from mmconfigs.errors import cut, hinted
from mmconfigs.language import SaidError, saying

Mode: TypeAlias = Literal["always-ask", "write", "yolo"]
Verdict: TypeAlias = Literal["deny", "prompt", "allow"]
Profile: TypeAlias = Literal[
    "generic",
    "opencode",
    "vibe",
    "qwen",
    "gemini",
    "fast-agent",
    "codex",
    "claude",
    "openhands",
    "agentao",
    "omp",
    "deepagents",
    "isaac",
    "gptme",
]

NAME: Final = "[a-z][a-z0-9_-]{0,63}"
RESERVED: Final = ("you", "mm")  # the words with which questions and paths speak of the launched agent
SET_BY_MM: Final = ("AGENT_YOLO", "MM_CHAIN")


class Misfit(SaidError, ValueError):
    """A value that its key does not take."""


def _plain_name(text: str) -> str:
    if not re.fullmatch(NAME, text):
        near = text.lower() if re.fullmatch(NAME, text.lower()) else None
        raise Misfit(hinted(saying(say.NO_NAME), near))
    return text


def _free_name(text: str) -> str:
    if text.lower() in RESERVED:
        raise Misfit(saying(say.RESERVED_NAME))
    return _plain_name(text)


def _server_name(text: str) -> str:
    if "__" in text:
        raise Misfit(saying(say.SERVER_NAME))
    return _free_name(text)


def _one_line(text: str) -> str:
    if not text.strip() or re.search("[\0-\x1f\x7f-\x9f\u2028\u2029]", text):
        raise Misfit(saying(say.ONE_LINE))
    return text


def _url(text: str) -> str:
    line = _one_line(text)
    try:
        parts = urlsplit(line)
    except ValueError:  # a bracket that nothing closes
        raise Misfit(saying(say.ADDRESS)) from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise Misfit(saying(say.ADDRESS))
    return text


def _header_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", text):
        raise Misfit(saying(say.HEADER_NAME))
    return text


def _variable(text: str) -> str:
    if text.upper() in SET_BY_MM:
        raise Misfit(saying(say.SET_ALONE, name=text))
    if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", text):
        raise Misfit(saying(say.VARIABLE_NAME))
    return text


def _exists(value: object) -> object:
    if value == "ask":
        raise Misfit(saying(say.TOOL_EXISTS))
    return value


def _program(value: object) -> object:
    if not isinstance(value, str):
        return value
    words = value.split()
    if words and words != [value]:
        split, whole = (cut(json.dumps(each, ensure_ascii=False), 80) for each in (words, [value]))
        raise Misfit(saying(say.ONE_PROGRAM, split=split, whole=whole))
    return (value,)


def _command(words: tuple[str, ...]) -> tuple[str, ...]:
    _one_line(words[0])
    return words


Name: TypeAlias = Annotated[
    str, AfterValidator(_plain_name), WithJsonSchema({"type": "string", "pattern": f"^{NAME}$"})
]
EntryName: TypeAlias = Annotated[
    str, AfterValidator(_free_name), WithJsonSchema({"type": "string", "pattern": f"^(?!(you|mm)$){NAME}$"})
]
ServerName: TypeAlias = Annotated[
    str,
    AfterValidator(_server_name),
    WithJsonSchema({"type": "string", "pattern": f"^(?!(you|mm)$)(?!.*__){NAME}$"}),
]
Line: TypeAlias = Annotated[str, AfterValidator(_one_line)]
Url: TypeAlias = Annotated[str, AfterValidator(_url)]
Headers: TypeAlias = dict[Annotated[str, AfterValidator(_header_name)], Line]
Env: TypeAlias = dict[Annotated[str, AfterValidator(_variable)], str]
Exists: TypeAlias = Annotated[bool, BeforeValidator(_exists, json_schema_input_type=bool)]
Program: TypeAlias = Annotated[
    tuple[str, ...],
    Field(min_length=1),
    AfterValidator(_command),
    BeforeValidator(
        _program,
        json_schema_input_type=Annotated[str, Field(pattern=r"^\S+$")]
        | Annotated[list[str], Field(min_length=1)],
    ),
]
