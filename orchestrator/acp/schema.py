"""The closed vocabularies of ACP v1 that we act on.

Source: the official JSON Schema (a copy lies in tests/orchestrator/acp/official). Objects stay the plain
dictionaries that came over the wire: this module knows words, not shapes, and nothing of what they lead to.
"""

from enum import IntEnum, StrEnum

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


class OptionKind(StrEnum):
    """What an option of a permission request would mean."""

    ALLOW_ONCE = "allow_once"
    ALLOW_ALWAYS = "allow_always"
    REJECT_ONCE = "reject_once"
    REJECT_ALWAYS = "reject_always"


class ToolKind(StrEnum):
    """The rough sort of a tool call; `other` is the default of the specification."""

    READ = "read"
    EDIT = "edit"
    DELETE = "delete"
    MOVE = "move"
    SEARCH = "search"
    EXECUTE = "execute"
    THINK = "think"
    FETCH = "fetch"
    SWITCH_MODE = "switch_mode"
    OTHER = "other"


class ToolStatus(StrEnum):
    """How far a tool call is; `pending` is the default of the specification."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"


class StopReason(StrEnum):
    """Why a turn ended. Only `end_turn` means that it is done."""

    END_TURN = "end_turn"
    MAX_TOKENS = "max_tokens"
    MAX_TURN_REQUESTS = "max_turn_requests"
    REFUSAL = "refusal"
    CANCELLED = "cancelled"
