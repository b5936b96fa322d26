"""Hostile and odd `session/request_permission` frames with their right results, expanded to bytes.

A case of `permission_cases.jsonl` holds the params, or the raw frame as text or hex; `gen` adds what is too
large to be kept as text. What an expectation means is said in the tests that use it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Case = dict[str, Any]
CASES = Path(__file__).with_name("permission_cases.jsonl")
MARKER = "@@M@@"  # stands for JSON text that json.dumps could not write


def permission_cases() -> list[Case]:
    """Every case as it lies in the file."""
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def permission_frames() -> Iterator[tuple[Case, bytes]]:
    """Every case with its frame, the newline included."""
    return ((case, expand(case)) for case in permission_cases())


def expand(case: Case) -> bytes:
    """The bytes of one case's frame, the newline included."""
    if "frame_hex" in case:
        return bytes.fromhex(case["frame_hex"]) + b"\n"
    if "frame" in case:
        return str(case["frame"]).encode("utf-8") + b"\n"
    params = json.loads(json.dumps(case["params"]))
    raw_texts = [_generate(params, recipe) for recipe in case.get("gen", [])]
    frame = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "session/request_permission", "params": params})
    for raw_text in filter(None, raw_texts):
        frame = frame.replace(f'"{MARKER}"', raw_text)
    return frame.encode("utf-8") + b"\n"


def _generate(params: Case, recipe: Case) -> str | None:
    """Put what the recipe says into the params; returns the text of a marker that it left there."""
    raw_text = None
    match recipe:
        case {"repeat": text, "count": count}:
            value: object = recipe.get("prefix", "") + text * count
        case {"options": count}:
            value = [{"optionId": f"o{i}", "name": f"o{i}", "kind": "allow_once"} for i in range(count)]
        case {"nest": count}:
            value, raw_text = MARKER, "[" * count + "]" * count
        case _:
            raise ValueError(f"unknown recipe: {recipe}")
    _put(params, recipe["path"], value)
    return raw_text


def _put(params: Case, path: str, value: object) -> None:
    *parents, last = path.split(".")
    for parent in parents:
        params = params.setdefault(parent, {})
    params[last] = value
