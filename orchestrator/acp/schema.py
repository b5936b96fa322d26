"""The numbers of ACP v1 that both sides of a connection agree on.

Source: the official JSON Schema (a copy lies in tests/orchestrator/acp/official). Its words stand where they
are used: kinds of calls in `consent.key`, stop reasons in `orchestrator.agent`.
"""

from enum import IntEnum

PROTOCOL_VERSION = 1


class ErrorCode(IntEnum):
    """What an error answer says went wrong."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    REQUEST_CANCELLED = -32800
    AUTH_REQUIRED = -32000
    TOO_MANY = -32000  # ours: nothing else says "too much at once", and mm never asks to sign in
    RESOURCE_NOT_FOUND = -32002
