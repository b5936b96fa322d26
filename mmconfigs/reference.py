"""Prints the reference of the file, as Markdown and as JSON Schema, from the model.

`python -m mmconfigs.reference [FOLDER]` writes both, by default into `docs/reference/`.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic.json_schema import GenerateJsonSchema

from mmconfigs.model import NOT_BUILT, Config
from mmconfigs.sentences import NAME_IN_WORDS
from mmconfigs.values import NAME

if TYPE_CHECKING:
    from pydantic_core import core_schema

FOLDER: Final = Path(__file__).parents[1] / "docs" / "reference"

_HEAD: Final = """\
# Configuration

<!-- Written by `python -m mmconfigs.reference` from mmconfigs/model.py; do not edit. -->

One YAML file describes an agent: its model, its tools, whether they ask, and the agents that it may ask.
`mm` reads the file of `-c FILE`, else the one that `MM_CONFIG` names, else `mm/agents.yaml` in the
configuration folder of the platform. A file that merely lies in the working folder is never read.
[`agents.example.yaml`](../../agents.example.yaml) shows every key;
[`agents.schema.json`](agents.schema.json) is the same for editors.
"""

_TAIL: Final = f"""\
## How the file is read

- UTF-8 text, at most 1 MiB, one document. A byte-order mark and any line ends are fine. Anchors, tags and
  merge keys are errors.
- A boolean is `true True TRUE false False FALSE`; `no`, `off`, `0`, `"false"` and an empty value are errors.
- A text that YAML could read as something else (`22:22`, `2024-01-01`, `no`) stands in quotes.
- Unknown and repeated keys are errors at any depth; no error falls back to a default.
- A name (of an agent, a server or a pipeline) has the pattern `{NAME}`:
  {NAME_IN_WORDS}.
  Neither an entry nor a server is called `you` or `mm`, and the name of a server holds no `__`.
- Paths are relative to the file, with links followed; `~` is the home folder.
- `${{NAME}}` is the value of an environment variable. It stands only in `apiKey`, `headers`,
  `pipelinesDatabase` and `env`; an
  unset or empty variable is an error. Put such texts in quotes.
- `env` may set neither `AGENT_YOLO` nor `MM_CHAIN`.
- A key marked *not built yet* is an error as soon as it would change something, so that nothing is ignored.

A fault reads `FILE:LINE:COLUMN: dotted.key: message`, and `mm` ends with exit code 2 before anything ran.

## Does it ask?

`yolo`, `tools.approvalMode` and `permissions` say the same thing; a file in which they contradict is an
error. `AGENT_YOLO` replaces the file's word for one run: `1 true yes on` or `0 false no off`, in any case,
with blanks around it. Any other value that is set, the empty one included, is an error. A flag replaces both;
a flag and `AGENT_YOLO` that disagree are an error.

A pattern of `tools.approval` names an own tool (`bash`), a tool of an agent (`jan/bash`, `jan/homer/bash`),
all its tools (`jan/*`) or also those of the agents below it (`jan/**`). It must name agents and tools that
exist; an entry by `command` has any tool name.
"""

# Model, heading, and where its keys stand.
_SECTIONS: Final = (
    ("Config", "Keys of the file", ""),
    ("Entry", "`mmConfigs.NAME`", "mmConfigs.*."),
    ("Tools", "`tools`", "tools."),
    ("Limits", "`limits`", "limits."),
    ("Server", "`mcpServers.NAME`", "mcpServers.*."),
    ("Hooks", "`hooks`", "hooks."),
    ("Hook", "`hooks.preToolCall`, each", "hooks.preToolCall.*."),
    ("Pipeline", "`pipelines.NAME`", "pipelines.*."),
    ("Step", "`pipelines.NAME.steps`, each", "pipelines.*.steps.*."),
    ("Reviewer", "`together`, each", "pipelines.*.steps.*.together.*."),
    ("Judging", "`verdict`", "pipelines.*.steps.*.verdict."),
    ("Repeat", "`repeat`", "pipelines.*.steps.*.repeat."),
    ("Bounds", "`pipelines.NAME.limits`", "pipelines.*.limits."),
    ("Finish", "`finish`", "pipelines.*.finish."),
)
_WORDS: Final = {"boolean": "true or false", "string": "text", "integer": "whole number", "number": "number"}


class _Schema(GenerateJsonSchema):
    """The schema of what may be written: null never, and no default that means absence."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> dict[str, Any]:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> dict[str, Any]:
        absent = schema.get("default", ...) is None
        return self.generate_inner(schema["schema"]) if absent else super().default_schema(schema)

    def dict_schema(self, schema: core_schema.DictSchema) -> dict[str, Any]:
        made = super().dict_schema(schema)
        return made | {"additionalProperties": False} if "patternProperties" in made else made

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - keys are their own titles
        return False


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the file."""
    made = Config.model_json_schema(schema_generator=_Schema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The agents.yaml of mm",
    } | made


def markdown() -> str:
    """Return `configuration.md`."""
    models = schema()["$defs"]
    sections = (_section(models[name], heading, prefix) for name, heading, prefix in _SECTIONS)
    return "\n".join([_HEAD, *sections, _TAIL])


def _section(model: dict[str, Any], heading: str, prefix: str) -> str:
    rows = (_row(key, value, prefix + key) for key, value in model["properties"].items())
    return "\n".join(
        [
            f"## {heading}",
            "",
            model["description"],
            "",
            "| key | type | default | meaning |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def _row(key: str, value: dict[str, Any], place: str) -> str:
    default = f"`{json.dumps(value['default'])}`" if "default" in value else ""
    return f"| `{key}` | {_type(value)} | {default} | {value['description']}{_built(place)} |"


def _built(place: str) -> str:
    return " *Not built yet.*" if place in NOT_BUILT else ""


def _type(value: dict[str, Any]) -> str:
    match value:
        case {"$ref": reference}:
            return _link(reference.rpartition("/")[2])
        case {"anyOf": forms}:
            return " or ".join(map(_type, forms))
        case {"enum": words}:
            return " or ".join(f"`{word}`" for word in words)
        case {"const": word}:
            return f"`{word}`"
        case {"type": "array", "items": item}:
            return f"list of {_type(item)}"
        case {"patternProperties": named}:
            return f"by name: {_type(*named.values())}"
        case {"additionalProperties": named}:
            return f"by name: {_type(named)}"
        case _:
            return _WORDS.get(value.get("type", ""), "anything")


def _link(model: str) -> str:
    heading = next(heading for name, heading, _ in _SECTIONS if name == model)
    anchor = re.sub("[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")
    return f"[{heading.replace('`', '')}](#{anchor})"


def write(folder: Path) -> None:
    """Write both files into `folder`."""
    (folder / "configuration.md").write_text(markdown(), encoding="utf-8")
    (folder / "agents.schema.json").write_text(json.dumps(schema(), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
