"""Every key of the file, once: name, type, default, description. Knows no YAML and no file.

`reference.py` prints the documentation and the JSON Schema from here; add a key by adding a field. What a
value must look like stands in `values.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from mmconfigs.values import (
    EntryName,
    Env,
    Exists,
    Headers,
    Line,
    Mode,
    Name,
    Profile,
    Program,
    ServerName,
    Url,
    Verdict,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic.fields import FieldInfo

# Keys whose feature does not exist yet, with the values that are fine meanwhile. A key that protects or
# acts is never ignored, so any other value is an error. Remove a line when its feature arrives.
NOT_BUILT: Final[dict[str, tuple[Any, ...]]] = {
    "fetchContentTool": (False,),
    "lspTool": (False,),
    "planTool": (False,),
    "searchTools": (False,),
    "mmConfigs.*.sessionMode": (),
    "skills": ((),),
}


def _short_form(value: object) -> object:
    return {"path": value} if isinstance(value, str) else value


class _Keys(BaseModel):
    """Keys of one mapping: fixed, in camelCase in the file, never converted from another type."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=to_camel,
        defer_build=True,
        protected_namespaces=(),
    )


class Tools(_Keys):
    """Which tool calls ask, beyond `yolo`."""

    approval_mode: Mode | None = Field(
        None,
        description="The long form of `yolo`: `always-ask` is `false`, `yolo` is `true`. With `write`, own "
        "changes of files inside the working folder run unasked; commands, MCP tools and asked agents ask.",
    )
    approval: dict[str, Verdict] = Field(
        {},
        description="What happens to calls that a pattern names: `tool`, `agent/tool`, `agent/*` (all tools "
        "of that agent) or `agent/**` (also of the agents below it).",
    )


class Limits(_Keys):
    """Where a run ends by itself."""

    steps: int = Field(100, ge=1, description="Model steps in one turn.")
    depth: int = Field(4, ge=1, description="Agents that ask one below the other.")
    agents: int = Field(8, ge=1, description="Asked agents that live at the same time.")


class Server(_Keys):
    """An MCP server: a program (`command`) or an address (`url`), exactly one of the two."""

    command: Program | None = Field(
        None, description="The program and its arguments; a text has no arguments."
    )
    url: Url | None = Field(None, description="The address of a server that already runs.")
    permissions: Literal["ask"] | None = Field(None, description="`ask`: its tools ask even when yolo is on.")
    cwd: Line | None = Field(None, description="The folder it starts in, relative to this file.")
    env: Env = Field({}, description="Environment variables for it. May hold `${NAME}`.")
    headers: Headers = Field({}, description="HTTP headers for `url`. May hold `${NAME}`.")


class Hook(_Keys):
    """A program that is asked before a call runs and may refuse it."""

    match: Line | None = Field(
        None,
        description="A pattern as in `tools.approval`, about the whole tree if it names no agent. Without "
        "`match`, all own calls.",
    )
    command: Program = Field(
        description="The program and its arguments; a text has no arguments. Words that begin with `./`, "
        "`../` or `~/` are files beside this one."
    )


class Hooks(_Keys):
    """Programs that are asked at fixed moments."""

    pre_tool_call: tuple[Hook, ...] = Field(
        (),
        description="Asked in this order before each call that they match. The first that refuses decides; "
        "one that fails, or takes longer than 10 seconds, refuses.",
    )


class Judging(_Keys):
    """How an answer becomes a verdict: by its exact last line, or by `verdict` where all of it is JSON."""

    accept: Line = Field("ACCEPT", description="The word that accepts.")
    reject: Line = Field("REJECT", description="The word that rejects.")
    all: bool = Field(True, description="Must all reviewers accept? Else one is enough.")


class Repeat(_Keys):
    """Goes back to an earlier step while the reviewers reject."""

    start: int = Field(ge=0, alias="from", description="The step to go back to; the first one is 0.")
    until: Literal["verdict"] = Field("verdict", description="Until the last verdict accepts.")
    prompt: str = Field(min_length=1, description="What the agent of that step is told then.")


class Reviewer(_Keys):
    """One agent of `together`: a reader, which has no tool that changes files."""

    ask: Name = Field(description="Which agent of `mmConfigs`.")
    prompt: str = Field(min_length=1, description="What it is told.")


class Step(_Keys):
    """One step: one agent (`ask`), several at the same time (`together`), or back again (`repeat`)."""

    ask: Name | None = Field(None, description="Which agent of `mmConfigs`. Without `verdict` it may write.")
    prompt: str | None = Field(None, min_length=1, description="What the agent of `ask` is told.")
    together: tuple[Reviewer, ...] | None = Field(
        None, min_length=1, description="Agents that read at the same time, each in a folder of its own."
    )
    verdict: Judging | None = Field(
        None, description="The step judges: its agents read and accept or reject. `{}` takes the defaults."
    )
    repeat: Repeat | None = Field(None, description="Back to an earlier step while the verdict rejects.")
    handover: Literal["approve", "auto"] | None = Field(
        None, description="`approve`: a person approves the task before the agents get it. Else `auto`."
    )
    on_fail: Literal["stop", "continue", "ask"] | None = Field(
        None,
        description="What follows where an agent does not finish, or has calls refused: the run ends "
        "(`stop`), goes on (`continue`), or a person decides (`ask`). Else `ask`.",
    )


class Bounds(_Keys):
    """Where a pipeline ends by itself."""

    rounds: int = Field(3, ge=1, le=100, description="How often the steps of a `repeat` run.")
    minutes: float = Field(60, gt=0, description="Minutes of work; time in which a question is open is free.")
    agents: int = Field(4, ge=1, description="Agents that work at the same time.")


class Finish(_Keys):
    """What becomes of work that was accepted."""

    merge: Literal["ask", "never", "branch"] = Field(
        "branch",
        description="`ask`: a person is asked whether it is merged. `branch`: it stays on its branch. "
        "`never`: its worktree stays as well.",
    )


class Pipeline(_Keys):
    """Several agents that work on one task, in order, side by side and in rounds."""

    description: Line | None = Field(None, description="One line for `/help` and editors.")
    worktree: bool = Field(
        True,
        description="Does each run get a git worktree and branch of its own? Else it works in the folder.",
    )
    limits: Bounds = Field(default_factory=Bounds, description="Rounds, minutes and agents.")
    steps: tuple[Step, ...] = Field(min_length=1, description="The steps, in order.")
    finish: Finish = Field(default_factory=Finish, description="What becomes of accepted work.")


class Config(_Keys):
    """The whole file, or the `config` of an entry."""

    name: Name | None = Field(
        None, description="Shown in the banner and to editors. Without it, the file's stem."
    )
    description: Line | None = Field(None, description="One line for the agents that may ask this one.")
    language: Literal["en", "fr"] | None = Field(
        None, description="Language of conversations and questions. Without it, the one of the system."
    )
    model: Line | None = Field(
        None,
        description="The name of a model at `baseUrl`; or `demo`, which is built in and no AI; or "
        "`script:FILE`, which replays a file.",
    )
    base_url: Url = Field(
        "http://127.0.0.1:11434/v1", description="The address of the model server (OpenAI's API)."
    )
    api_key: Line | None = Field(None, description="The key for the model server. May hold `${NAME}`.")
    headers: Headers = Field({}, description="Further headers for the model server. May hold `${NAME}`.")
    context_tokens: int = Field(32768, ge=1, description="How many tokens the model can hold.")
    tool_protocol: Literal["native", "json"] = Field(
        "native",
        description="How the model calls tools: by the calls of its API, or, for models whose calls do not "
        "work, by answers that a JSON schema constrains.",
    )
    instructions: str = Field("", description="What the model is told about its task.")
    instructions_from: tuple[Line, ...] = Field(
        ("AGENTS.md",), description="Files of the working folder that are read as context; `[]` reads none."
    )
    yolo: bool | None = Field(
        None,
        description="`true`: tools run unasked. `false`: calls that change something ask. Without it, on.",
    )
    permissions: Literal["ask", "auto"] | None = Field(
        None, description="Deprecated: `ask` is `yolo: false`, `auto` is `yolo: true`."
    )
    bash_tool: Exists = Field(True, description="Does the tool `bash` exist?")
    edit_tools: Exists = Field(True, description="Do the tools `write_file` and `edit_file` exist?")
    fetch_content_tool: Exists = Field(False, description="Does the tool `fetch_content` exist?")
    lsp_tool: Exists = Field(False, description="Does the tool `lsp` exist?")
    plan_tool: Exists = Field(False, description="Does the tool `plan` exist?")
    search_tools: Exists = Field(False, description="Do the tools that search files exist?")
    tools: Tools = Field(default_factory=Tools, description="Single tools that ask or are refused.")
    limits: Limits = Field(default_factory=Limits, description="Steps, depth and number of agents.")
    mm_configs: dict[
        EntryName, Annotated[Entry, BeforeValidator(_short_form, json_schema_input_type=Entry | str)]
    ] = Field({}, description="The agents that this one may ask, by name. A text is the `path` of an entry.")
    mcp_servers: dict[ServerName, Server] = Field({}, description="MCP servers, by name.")
    hooks: Hooks = Field(default_factory=Hooks, description="Programs that may refuse a call before it runs.")
    skills: tuple[Line, ...] = Field((), description="Folders with skills, relative to this file.")
    pipelines: dict[Name, Pipeline] = Field(
        {}, description="Several agents on one task, by name: `mm --pipeline NAME`, `/run-NAME`."
    )
    pipelines_database: Line | None = Field(
        None,
        description="Where runs are kept, as `postgresql://…`, for several machines. May hold `${NAME}`. "
        "Without it, a file of the user's own.",
    )


class Entry(_Keys):
    """An agent that may be asked. It has exactly one of `path`, `config` and `command`."""

    path: Line | None = Field(None, description="Another file of mm, relative to this one; `~` is expanded.")
    config: Config | None = Field(None, description="The file of the agent, written in place.")
    command: Program | None = Field(
        None, description="The program of any ACP agent and its arguments; a text has no arguments."
    )
    description: Line | None = Field(None, description="One line for the model that may ask this agent.")
    yolo: bool | None = Field(
        None,
        description="Decides for the calls of this agent and of those below it; else the asker's yolo.",
    )
    cwd: Line | None = Field(
        None, description="The folder it works in, relative to this file. Else the asker's."
    )
    env: Env = Field({}, description="Environment variables for it. May hold `${NAME}`.")
    timeout: float | None = Field(None, gt=0, description="Seconds that one question may take.")
    profile: Profile | None = Field(
        None,
        description="Which known agent a `command` starts: how its requests are read, and how it is made to "
        "ask before it acts. Without it, `generic`.",
    )
    session_mode: Line | None = Field(None, description="The ACP mode that a `command` agent is put into.")


def keys(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """Return the fields of `model` by their names in the file."""
    return {info.alias or to_camel(name): info for name, info in model.model_fields.items()}


def model_at(path: tuple[str, ...]) -> type[BaseModel]:
    """Return the model whose keys stand in the mapping at `path`, a path of known keys and chosen names."""
    Config.model_rebuild()  # the names in annotations are resolved only when a model is built
    model: type[BaseModel] = Config
    steps = iter(path)
    for step in steps:
        annotation = keys(model)[step].annotation
        model = next(_models(annotation))
        if get_origin(annotation) in {dict, tuple}:
            next(steps, None)  # a chosen name, or the place in a list
    return model


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)
