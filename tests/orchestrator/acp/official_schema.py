"""The official JSON Schema of ACP as an oracle for what mm sends."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMA = json.loads((Path(__file__).parent / "official" / "schema.json").read_text(encoding="utf-8"))


@cache
def _validator(definition: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]})


def check(definition: str, value: Any) -> None:
    """Fail unless `value` is what the schema calls by this name, and holds no field that it does not know."""
    _validator(definition).validate(value)
    known = SCHEMA["$defs"][definition].get("properties")
    assert known is None or set(value) <= set(known), set(value) - set(known)
