"""The composition root: a file, flags and an environment become what a facade can run.

The only place that knows everything. It decides nothing: it carries what the file says to those who do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from uuid import uuid4

from consent.call import ToolCall
from consent.gate import Decision
from consent.key import Kind
from consent.key import Path as AgentPath
from consent.matching import Effect, Rule, builtin_kinds, parse_pattern
from consent.setting import Mode, Setting
from consent.show import show
from mmconfigs import sentences as faults
from mmconfigs.environ import Decided, agent_yolo, decide
from mmconfigs.errors import ConfigError
from mmconfigs.hidden import secrets_of
from mmconfigs.language import Text, Words, language_of, saying
from mmconfigs.load import load_entry
from mmconfigs.loaded import Loaded
from mmconfigs.model import Entry
from mmconfigs.values import Mode as ModeName
from orchestrator import audit
from orchestrator.acp.handed import Handed
from orchestrator.acp.profiles import profile_of
from orchestrator.audit import Audit
from orchestrator.chain import VARIABLE, Chain, read_chain
from orchestrator.changed import Changed, Seal
from orchestrator.child import Launch
from orchestrator.hooks import Hook
from orchestrator.instructions import found_in, instructions
from orchestrator.launch import YOLO, Launcher, floor, real_folder, without_secrets
from orchestrator.llm.messages import Model, ModelError
from orchestrator.llm.pick import DEMO, Found, open_model
from orchestrator.marks import Eyes, deciding
from orchestrator.paths import Unusable
from orchestrator.roster import Launching
from orchestrator.seal import first_changed, of_hook, seal
from orchestrator.session import Plan
from orchestrator.state import state_file
from orchestrator.tools import BUILTIN, tools_of
from orchestrator.tools.base import Outcome, Workplace
from orchestrator.words import catalogue as say
from orchestrator.words.banner import YOLO_OFF, YOLO_ON, Asks, Launched, cautions, yolo_line
from orchestrator.words.refusals import refusal

NOTHING_HANDED = Handed()
OWN_CALLS = "*"
"""The pattern of a hook without one."""
BUILT_IN = Path(__file__).with_name("default.yaml")
"""The file of whoever has not written one yet."""
BUILTIN_NAMES = frozenset(builtin.tool.name for builtin in BUILTIN)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for. `entry` leads to a configuration that is written in place.

    `flags` are those that set the mode, by their text; `somebody` tells whether a person can be asked.
    """

    facade: str
    file: Path
    entry: tuple[str, ...] = ()
    digest: str | None = None
    model: str | None = None
    flags: Mapping[str, ModeName] = field(default_factory=dict)
    somebody: bool = False


@dataclass(frozen=True, slots=True)
class Wiring:
    """A launched agent before any conversation: what its file, the flags and the environment decided."""

    loaded: Loaded
    decided: Decided
    setting: Setting
    chain: Chain
    model: str
    environ: Mapping[str, str]
    words: Words
    seal: Seal
    named: bool
    """Whether the file or a flag names the model."""
    found: Found | None = None
    """The model at hand that the person took instead."""

    def plan(self, folder: Path, handed: Handed = NOTHING_HANDED) -> Plan:
        """What a conversation in this folder is made of, with what an asking agent hands down.

        Raises ValueError for a folder that is none, and a model that cannot be used.
        """
        config = self.loaded.config
        folder = real_folder(folder)
        setting = self._submitting(handed.submit)
        handed = replace(handed, conversation=handed.conversation or uuid4().hex[:12])
        below = self.chain.through(self.loaded.name, self.loaded.identity, config.limits.depth)
        # What was sealed at the start counts; only here is it known where the words of commands may be files.
        files = handed.seal or seal(self.loaded, BUILTIN_NAMES, folder, self.seal)
        hidden = self._hidden()

        def hide() -> None:
            hidden.update(self._hidden())

        launcher = Launcher(self.loaded, setting.rules, below, self.environ, folder, BUILTIN_NAMES, handed)
        return Plan(
            launched=self._launched(folder),
            setting=setting,
            model=self._open_model(),
            tools=tuple(tool for tool in tools_of(config) if tool.name not in handed.without),
            place=Workplace(folder, without_secrets(self.environ, self.loaded)),
            floor=floor(below),
            instructions=instructions(
                self.loaded.name, config.instructions, folder, found_in(folder, config.instructions_from)
            ),
            steps=config.limits.steps,
            agents=config.limits.agents,
            entries={name: self.loaded.description_of(name) for name in config.mm_configs},
            launch=_hiding(launcher.launch, hide),
            at=lambda post: _hiding(launcher.at(post), hide),
            pipelines=config.pipelines,
            seal=files,
            refusal=_refused,
            hooks=tuple(hooks(self.loaded, folder, files)),
            audit=self._audit(handed, hidden),
            eyes=self.eyes(files),
        )

    def _hidden(self) -> set[str]:
        """The secrets of the whole tree, as its files are now."""
        return {*secrets_of(self.loaded, BUILTIN_NAMES, self.environ)}

    def _audit(self, handed: Handed, hidden: set[str]) -> Audit:
        """Where this process writes what it decides by itself; what it asks above is written above."""
        return Audit(
            file=state_file(audit.NAME),
            conversation=handed.conversation,
            above=handed.path,
            asked_above=self.chain.asked,
            secrets=hidden,
        )

    def eyes(self, files: Seal) -> Eyes:
        """What looks at every call; the files that decide are those of the seal, and mm's own state."""
        return Eyes(str(Path.home()), deciding({**files, str(self.loaded.file): ""}, state_file("")))

    def _open_model(self) -> Model:
        """The model; one that was found gets neither the key nor the headers of the file's server."""
        config, found = self.loaded.config, self.found
        try:
            return open_model(
                self.model,
                base_url=found.base_url if found else config.base_url,
                api_key=None if found else config.api_key,
                headers={} if found else config.headers,
                folder=self.loaded.file.parent,
                tool_protocol=config.tool_protocol,
            )
        except ModelError as error:
            raise ValueError(str(error)) from error

    def _launched(self, folder: Path) -> Launched:
        """What a conversation in this folder says of itself."""
        config = self.loaded.config
        outvoted = self.setting.counts is not self.setting.mode  # by the floor of an asking agent
        return Launched(
            name=self.loaded.name,
            description=config.description or "",
            model=self.model,
            setting=self.setting,
            origin=VARIABLE if outvoted else self._origin,
            instructions=[path.name for path in found_in(folder, config.instructions_from)],
            servers=self.loaded.idle_servers,
            foreign={
                name: profile_of(entry.profile).asks
                for name, entry in config.mm_configs.items()
                if entry.command
            },
        )

    @property
    def _origin(self) -> str:
        """Where the mode comes from; the path of the file that mm brings along would help nobody."""
        built_in = self.loaded.file == BUILT_IN.resolve() and self.decided.origin.startswith(str(BUILT_IN))
        return self.words.say(say.BUILT_IN) if built_in else self.decided.origin

    def yolo_of(self, path: AgentPath) -> str:
        """The yolo that counts for the agent at `path`, and where it comes from, as the banner says it."""
        name = path[0] if path else ""
        if name in self.setting.entries and not self.setting.floor:
            on = YOLO_ON if self.setting.yolo(path) else YOLO_OFF
            return f"{on} ({show(self.loaded.where(f'mmConfigs.{name}.yolo'))})"
        return yolo_line(self._launched(self.loaded.file.parent))

    def notes(self) -> tuple[str, ...]:
        """What a person should know before the first turn."""
        entries = self.loaded.config.mm_configs
        freed = [name for name, entry in entries.items() if entry.yolo]
        floored = self.setting.floor and freed and not self.chain.asked
        told = (self.words.say(say.FLOOR, entries=", ".join(freed)),) if floored else ()
        return (*told, *cautions(self._launched(self.loaded.file.parent), self.words))

    def _submitting(self, patterns: tuple[str, ...]) -> Setting:
        """The setting in which calls that an asking agent named ask as well."""
        return self.setting.with_rules((*self.setting.rules, *inherited(patterns)))


def _hiding(launch: Launching, look: Callable[[], None]) -> Launching:
    """Launch an agent after a look at the secrets of its file, which may have changed since the start."""

    def looking(name: str, sealed: Seal) -> Launch | Changed:
        look()
        return launch(name, sealed)

    return looking


def _refused(call: ToolCall, decision: Decision) -> Outcome:
    told = refusal(call, decision)
    return Outcome(told.told, ok=False, shown=told.shown)


def wire(wanted: Wanted, environ: Mapping[str, str]) -> Wiring:
    """Read the file and everything that overrides it; raises ConfigError with all faults."""
    loaded = load_entry(wanted.file, wanted.entry, tools=BUILTIN_NAMES, environ=environ)
    if wanted.digest not in (None, loaded.digest):
        raise ConfigError(loaded.fault((), saying(faults.CHANGED)))
    decided = decide(loaded, wanted.flags, environ)
    chain = read_chain(environ, loaded.config.limits.depth)
    _enforceable(loaded)
    _set_here(loaded)
    # Below an asking agent there is a floor whatever the variable says: nothing here is freer than the asker.
    floored = chain.asked or (agent_yolo(environ.get(YOLO)) is False and wanted.facade == "editor")
    setting = Setting(
        mode=Mode(decided.mode),
        entries=own_yolos(loaded),
        rules=tuple(rules_of(loaded)),
        floor=floored,
        somebody=wanted.somebody,
    )
    return Wiring(
        loaded=loaded,
        decided=decided,
        setting=setting,
        chain=chain,
        model=_model(wanted, loaded),
        environ=environ,
        words=Words(language_of(loaded.config.language, environ)),
        seal={} if chain.asked else seal(loaded, BUILTIN_NAMES, loaded.file.parent),
        named=bool(wanted.model or loaded.config.model),
    )


def _model(wanted: Wanted, loaded: Loaded) -> str:
    if model := wanted.model or loaded.config.model:
        return model
    if wanted.facade == "line":
        return DEMO
    accepted = "the name of a model at baseUrl, demo (no AI), or script:FILE"
    raise ConfigError(loaded.fault(("model",), saying(faults.NO_MODEL), accepted=accepted))


def inherited(patterns: Iterable[str]) -> Iterator[Rule]:
    """The rules of an asking agent, which make this one submit the calls that they are about."""
    for pattern in patterns:
        yield Rule(parse_pattern(pattern), Effect.PROMPT, "the asking agent", inherited=True)


def own_yolos(loaded: Loaded) -> dict[str, bool]:
    """The own `yolo` of those entries that have one."""
    return {name: entry.yolo for name, entry in loaded.config.mm_configs.items() if entry.yolo is not None}


def rules_of(loaded: Loaded) -> Iterator[Rule]:
    """The rules of a file in its order: `tools.approval`, and the hooks."""
    for text, verdict in loaded.config.tools.approval.items():
        yield Rule(parse_pattern(text), Effect(verdict), loaded.where(f"tools.approval.{text}"))
    for place, hook in enumerate(loaded.config.hooks.pre_tool_call):
        pattern = parse_pattern(hook.match or OWN_CALLS)
        yield Rule(pattern, Effect.HOOK, loaded.where(f"hooks.preToolCall.{place}"))


def hooks(loaded: Loaded, folder: Path, sealed: Seal) -> Iterator[Hook]:
    """The hooks of a file, each with its rule; `folder` is where they run."""
    rules = (rule for rule in rules_of(loaded) if rule.effect is Effect.HOOK)
    for rule, hook in zip(rules, loaded.config.hooks.pre_tool_call, strict=True):
        yield Hook(rule, loaded.words(hook.command), partial(_altered, loaded, hook.command, folder, sealed))


def _altered(loaded: Loaded, command: tuple[str, ...], folder: Path, sealed: Seal) -> str:
    """Which file of a hook's command is not what it was at the start, if one is."""
    try:
        changed = first_changed(of_hook(loaded, command, folder, sealed), sealed)
    except Unusable as error:
        return str(error)
    return changed[0] if changed else ""


def _enforceable(loaded: Loaded) -> None:
    """A narrowing rule that names an agent and cannot be enforced is a start error ("Matching")."""
    approval = ((("tools", "approval", text), text) for text in _narrowing(loaded))
    hooks = (
        (("hooks", "preToolCall", str(place), "match"), hook.match or OWN_CALLS)
        for place, hook in enumerate(loaded.config.hooks.pre_tool_call)
    )
    for key, text in (*approval, *hooks):
        agent, tool = text.partition("/")[::2]
        entry = loaded.config.mm_configs.get(agent)
        if entry is not None and entry.command and (reason := _never_submitted(entry, tool)):
            why = saying(faults.UNENFORCEABLE, agent=agent, reason=reason)
            raise ConfigError(loaded.fault(key, why))


def _never_submitted(entry: Entry, tool: str) -> Text:
    """Why a foreign agent does not submit its calls of this tool, empty where it may."""
    if profile_of(entry.profile).asks is Asks.NEVER:
        return saying(faults.NEVER_ASKS, profile=str(entry.profile))
    return saying(faults.NO_READS) if Kind.READ in builtin_kinds(tool) else ""


def _set_here(loaded: Loaded) -> None:
    """The variables by which mm makes an agent ask are no entry's: a start error."""
    for name, entry in loaded.config.mm_configs.items():
        for variable in profile_of(entry.profile).environ.keys() & entry.env.keys():
            why = saying(faults.SET_HERE, variable=variable, profile=str(entry.profile))
            raise ConfigError(loaded.fault(("mmConfigs", name, "env", variable), why))


def _narrowing(loaded: Loaded) -> Iterator[str]:
    """The patterns of `tools.approval` that only narrow."""
    approval = loaded.config.tools.approval.items()
    return (text for text, verdict in approval if Effect(verdict) is not Effect.ALLOW)
