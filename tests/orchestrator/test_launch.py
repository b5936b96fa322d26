"""From an entry to a Launch: the program, the whole environment, and whether it may be asked at all."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from consent.call import Origin
from consent.matching import Effect, Rule, parse_pattern
from mmconfigs.load import load
from mmconfigs.loaded import Loaded
from orchestrator.acp.handed import Handed
from orchestrator.acp.profiles import GENERIC, PROFILES
from orchestrator.chain import VARIABLE, Chain, read_chain
from orchestrator.changed import Seal
from orchestrator.child import START_SECONDS, Launch
from orchestrator.launch import YOLO, Launcher, floor, real_folder, without_secrets
from orchestrator.roster import CannotAsk
from orchestrator.seal import seal
from orchestrator.turn import CANCEL_SECONDS
from orchestrator.wiring import BUILTIN_NAMES

ENVIRON = {"PATH": "/bin", YOLO: "true", "KEY": "mine", "JAN_KEY": "jans", "BOTH": "both", VARIABLE: "old"}


@dataclass(frozen=True)
class Sealed:
    """A Launcher with the seal that was taken before it launches anything."""

    launcher: Launcher
    seal: Seal

    @property
    def loaded(self) -> Loaded:
        return self.launcher.loaded

    @property
    def below(self) -> Chain:
        return self.launcher.below

    def launch(self, name: str) -> Launch:
        launch = self.launcher.launch(name, self.seal)
        assert isinstance(launch, Launch)
        return launch


class Files:
    """A folder with the files of agents."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.place = folder / "elsewhere"
        self.place.mkdir()

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    def launcher(
        self, text: str, *rules: Rule, chain: Chain | None = None, environ: Mapping[str, str] = ENVIRON
    ) -> Sealed:
        loaded = load(self.write("riker.yaml", text), tools=BUILTIN_NAMES, environ=environ)
        below = (chain or Chain()).through("riker", loaded.identity, loaded.config.limits.depth)
        return Sealed(
            Launcher(loaded, rules, below, environ, self.place, BUILTIN_NAMES, Handed(path=("boss",))),
            seal(loaded, BUILTIN_NAMES, self.place),
        )


@pytest.fixture
def files(tmp_path: Path) -> Files:
    files = Files(tmp_path)
    files.write("jan.yaml", "model: demo\napiKey: ${JAN_KEY}\nheaders: {X-Both: '${BOTH}'}\n")
    return files


def test_our_own_agent_is_this_program_with_its_file(files: Files) -> None:
    launch = files.launcher("mmConfigs: {jan: ./jan.yaml}").launch("jan")
    assert launch.argv == (
        *(sys.executable, "-P", "-m", "orchestrator", "--acp"),
        *("-c", str(files.folder / "jan.yaml")),
        *("--digest", sha256((files.folder / "jan.yaml").read_bytes()).hexdigest()),
    )
    assert launch.asking.path == ("jan",)
    assert launch.asking.origin is Origin.OURS
    assert (launch.start_seconds, launch.turn_seconds) == (START_SECONDS, None)


def test_an_agent_written_in_place_is_found_by_its_names(files: Files) -> None:
    text = "mmConfigs: {marge: {config: {model: demo, mmConfigs: {bart: {config: {model: demo}}}}}}"
    launcher = files.launcher(text)
    assert launcher.launch("marge").argv[-6:-2] == (
        "-c",
        str(files.folder / "riker.yaml"),
        "--entry",
        "marge",
    )
    marge = launcher.loaded.inside("marge", launcher.loaded.config.mm_configs["marge"].config)  # type: ignore[arg-type]
    inner = Launcher(marge, (), launcher.below, ENVIRON, files.place, BUILTIN_NAMES, Handed())
    assert Sealed(inner, launcher.seal).launch("bart").argv[-4:-2] == ("--entry", "marge/bart")


def test_a_profile_says_how_requests_are_read_and_what_is_in_the_environment(files: Files) -> None:
    environ = {**ENVIRON, "OPENCODE_CONFIG_CONTENT": "{}"}
    launcher = files.launcher(
        "mmConfigs: {gem: {command: x, profile: opencode}, pip: {command: x}}", environ=environ
    )
    gem, pip = launcher.launch("gem"), launcher.launch("pip")
    assert (gem.asking.profile, pip.asking.profile) == (PROFILES["opencode"], GENERIC)
    asks = {"permission": {"edit": "ask", "bash": "ask", "webfetch": "ask"}}
    assert json.loads(gem.environ["OPENCODE_CONFIG_CONTENT"]) == asks
    assert pip.environ["OPENCODE_CONFIG_CONTENT"] == "{}"


def test_a_foreign_agent_is_handed_nothing(files: Files) -> None:
    assert files.launcher("mmConfigs: {gem: {command: gem}}").launch("gem").handed is None


def test_a_foreign_agent_is_its_command(files: Files) -> None:
    launch = files.launcher("mmConfigs: {gem: {command: [gemini, --acp], timeout: 5}}").launch("gem")
    assert launch.argv == ("gemini", "--acp")
    assert launch.asking.origin is Origin.FOREIGN
    assert (launch.start_seconds, launch.turn_seconds) == (5, 5)


def test_an_agent_works_in_the_conversations_folder(files: Files) -> None:
    """O-m4: neither in that of its file, nor where mm was started."""
    files.write("sub/jan.yaml", "model: demo")
    launcher = files.launcher("mmConfigs: {jan: ./sub/jan.yaml, homer: {path: ./jan.yaml, cwd: ./sub}}")
    assert launcher.launch("jan").asking.folder == str(files.place)
    assert launcher.launch("homer").asking.folder == str(files.folder / "sub")


def test_an_agents_home_is_that_of_its_environment(files: Files) -> None:
    text = "mmConfigs: {homer: {command: [homer], env: {HOME: /home/homer}}, gem: {command: [gem]}}"
    launcher = files.launcher(text, environ={"HOME": "/home/ann"})
    assert launcher.launch("homer").asking.home == "/home/homer"
    assert launcher.launch("gem").asking.home == "/home/ann"
    assert files.launcher(text).launch("gem").asking.home == ""


def test_the_home_folder_is_expanded(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """O-i3"""
    monkeypatch.setenv("HOME", str(files.folder))
    launch = files.launcher("mmConfigs: {jan: ~/jan.yaml}").launch("jan")
    assert str(files.folder / "jan.yaml") in launch.argv


@pytest.mark.parametrize("asker", ["true", "1", "false", None])
def test_an_asked_agent_always_gets_the_floor(files: Files, asker: str | None) -> None:
    """O-m6"""
    environ = {k: v for k, v in ENVIRON.items() if k != YOLO} | ({YOLO: asker} if asker else {})
    launch = files.launcher("mmConfigs: {jan: {path: ./jan.yaml, yolo: true}}", environ=environ).launch("jan")
    assert launch.environ[YOLO] == "false"
    assert [name.upper() for name in launch.environ].count(YOLO) == 1


def test_an_asked_agent_gets_the_chain_with_its_asker(files: Files) -> None:
    launcher = files.launcher("{limits: {depth: 2}, mmConfigs: {jan: ./jan.yaml}}")
    chain = read_chain(launcher.launch("jan").environ, 9)
    assert [link.name for link in chain.links] == ["riker"]
    assert chain.depth == 2


def test_secrets_stay_with_the_file_that_names_them(files: Files) -> None:
    launcher = files.launcher(
        """
        apiKey: ${KEY}
        headers: {X-Both: "${BOTH}"}
        mmConfigs:
          jan: {path: ./jan.yaml, env: {EXTRA: "${KEY}-x", PATH: /other}}
          gem: {command: gem}
          marge: {config: {model: demo, apiKey: "${JAN_KEY}"}}
        """
    )
    jan, gem = launcher.launch("jan").environ, launcher.launch("gem").environ
    assert "KEY" not in jan
    assert (jan["JAN_KEY"], jan["BOTH"]) == ("jans", "both")
    assert (jan["EXTRA"], jan["PATH"]) == ("mine-x", "/other")
    assert "KEY" not in gem
    assert "BOTH" not in gem
    assert gem["JAN_KEY"] == "jans"  # another file's secret is no secret of this one
    assert launcher.launch("marge").environ["JAN_KEY"] == "jans"


@pytest.mark.parametrize("name", [YOLO, VARIABLE])
def test_an_entry_may_not_set_what_mm_sets(files: Files, name: str) -> None:
    with pytest.raises(Exception, match=name):
        files.launcher(f"mmConfigs: {{jan: {{path: ./jan.yaml, env: {{{name}: 'true'}}}}}}")


def test_narrowing_rules_travel_as_the_agent_sees_them(files: Files) -> None:
    rules = [
        Rule(parse_pattern("jan/read_file"), Effect.DENY),
        Rule(parse_pattern("jan/bash"), Effect.ALLOW),
        Rule(parse_pattern("jan/homer/bash"), Effect.PROMPT),
        Rule(parse_pattern("jan/*"), Effect.PROMPT),
        Rule(parse_pattern("bash"), Effect.DENY),
        Rule(parse_pattern("homer/bash"), Effect.DENY),
        Rule(parse_pattern("jan/read_file"), Effect.PROMPT),
    ]
    launch = files.launcher("mmConfigs: {jan: ./jan.yaml}", *rules).launch("jan")
    assert launch.handed
    assert launch.handed.submit == ("read_file", "homer/bash", "*", "bash")
    assert launch.handed.path == ("boss", "jan")


def test_an_unknown_agent_is_refused_and_the_known_are_named(files: Files) -> None:
    launcher = files.launcher("mmConfigs: {jan: ./jan.yaml, gem: {command: gem}}")
    with pytest.raises(CannotAsk, match="no agent homer; known: jan, gem"):
        launcher.launch("homer")


def test_a_fault_in_the_agents_file_is_told_with_its_line(files: Files) -> None:
    files.write("bad.yaml", "model: demo\nyollo: true\n")
    launcher = files.launcher("mmConfigs: {jan: ./bad.yaml}")
    with pytest.raises(CannotAsk, match=r"bad\.yaml:2:1: yollo: "):
        launcher.launch("jan")


@pytest.mark.parametrize("name", ["nowhere.yaml", "."])
def test_a_file_that_is_none_is_told(files: Files, name: str) -> None:
    """O-i3"""
    launcher = files.launcher("mmConfigs: {jan: ./jan.yaml}")
    entry = launcher.loaded.config.mm_configs["jan"].model_copy(update={"path": name})
    launcher.loaded.config.mm_configs["jan"] = entry
    with pytest.raises(CannotAsk, match=str(files.folder)):
        launcher.launch("jan")


@pytest.mark.parametrize("path", ["./boss.yaml", "./link.yaml", "./folder/./boss.yaml"])
def test_one_file_under_two_names_is_still_a_cycle(files: Files, path: str) -> None:
    """O-m3"""
    boss = load(files.write("boss.yaml", "model: demo"), tools=BUILTIN_NAMES, environ={})
    (files.folder / "link.yaml").symlink_to("boss.yaml")
    (files.folder / "folder").symlink_to(".")
    above = Chain().through("boss", boss.identity, 4)
    launcher = files.launcher(f"mmConfigs: {{chief: {path}}}", chain=above)
    with pytest.raises(CannotAsk, match="boss > riker > chief is a cycle"):
        launcher.launch("chief")


def test_too_deep_is_refused_for_every_kind_of_agent(files: Files) -> None:
    """O-m3"""
    text = "{limits: {depth: 1}, mmConfigs: {jan: ./jan.yaml, gem: {command: gem}}}"
    above = Chain(depth=9).through("boss", "/boss.yaml", 9)
    launcher = files.launcher(text, chain=above)
    for name in ("jan", "gem"):
        with pytest.raises(CannotAsk, match=rf"boss > riker > {name} is deeper than limits\.depth: 1"):
            launcher.launch(name)


def test_under_a_chain_that_cannot_be_read_nobody_is_asked(files: Files) -> None:
    launcher = files.launcher(
        "mmConfigs: {jan: ./jan.yaml, gem: {command: gem}}", chain=read_chain({VARIABLE: "?"}, 9)
    )
    for name in ("jan", "gem"):
        with pytest.raises(CannotAsk, match=VARIABLE):
            launcher.launch(name)


def test_programs_get_no_secret_of_the_file_and_are_no_freer(files: Files) -> None:
    """O-m6"""
    launcher = files.launcher("{model: demo, apiKey: '${KEY}'}")
    environ = without_secrets(ENVIRON, launcher.loaded)
    assert "KEY" not in environ
    assert environ["JAN_KEY"] == "jans"
    assert floor(launcher.below) == {VARIABLE: str(launcher.below), YOLO: "false"}


def test_a_folder_is_absolute_and_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """O-m4"""
    (tmp_path / "work").mkdir()
    (tmp_path / "link").symlink_to("work")
    monkeypatch.chdir(tmp_path)
    assert real_folder(Path("work")) == tmp_path / "work"
    assert real_folder(Path("link")) == tmp_path / "link"
    (tmp_path / "file").touch()
    for none in ("nowhere", "file"):
        with pytest.raises(ValueError, match=none):
            real_folder(Path(none))
    assert real_folder(Path()).is_absolute()


@pytest.mark.parametrize(
    ("paths", "kept"),
    [("/lib:", "/lib"), (":/lib:sub:.", "/lib"), (":", None), ("sub", None), ("/a:/b", "/a:/b")],
)
def test_no_part_of_pythonpath_means_the_working_folder(files: Files, paths: str, kept: str | None) -> None:
    launcher = files.launcher("mmConfigs: {jan: ./jan.yaml}", environ={**ENVIRON, "PYTHONPATH": paths})
    assert launcher.launch("jan").environ.get("PYTHONPATH") == kept


def test_each_level_waits_longer_for_the_end_of_a_stopped_turn_than_the_one_below(files: Files) -> None:
    top = files.launcher("mmConfigs: {jan: ./jan.yaml}").launch("jan")
    below = files.launcher("mmConfigs: {jan: ./jan.yaml}", chain=Chain().through("boss", "b", 4)).launch(
        "jan"
    )
    assert below.cancel_seconds < top.cancel_seconds == CANCEL_SECONDS
