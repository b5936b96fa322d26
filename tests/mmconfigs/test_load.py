"""Reading a file: what it says, where it says it, and everything that is wrong with it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from mmconfigs.errors import ConfigError, Fault
from mmconfigs.load import load, load_entry
from mmconfigs.loaded import Loaded

TOOLS = ("bash", "read_file", "write_file", "edit_file")


def read(file: Path, text: str | bytes = "") -> Loaded:
    """Load a file, after writing `text` into it."""
    if text:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load(file, tools=TOOLS, environ={})


def faults(file: Path, text: str | bytes = "") -> tuple[Fault, ...]:
    """Return the faults of a file."""
    with pytest.raises(ConfigError) as caught:
        read(file, text)
    return caught.value.faults


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file that is launched."""
    return tmp_path / "agents.yaml"


@pytest.mark.parametrize(
    ("text", "key", "near"),
    [
        ("yollo: false", "yollo", "yolo"),
        ("mmConfigs: {jan: {config: {}, yoloo: false}}", "mmConfigs.jan.yoloo", "yolo"),
        ("permision: ask", "permision", "permissions"),
        ("mmConfigs: {jan: {config: {limits: {dept: 1}}}}", "mmConfigs.jan.config.limits.dept", "depth"),
        ("tools: {aproval: {bash: deny}}", "tools.aproval", "approval"),
        ("hooks: {preToolCall: [{comand: x}]}", "hooks.preToolCall.0.comand", "command"),
        ("mcpServers: {a: {command: x, permission: ask}}", "mcpServers.a.permission", "permissions"),
        ("base_url: http://x", "base_url", "baseUrl"),
    ],
)
def test_O_i1_a_mistyped_key_is_an_error_with_its_place_and_the_nearest_key(
    text: str, key: str, near: str, file: Path
) -> None:
    (fault,) = (fault for fault in faults(file, text) if fault.near)
    assert (fault.file, fault.line, fault.key, fault.near) == (str(file), 1, key, near)
    assert "unknown key" in fault.message
    assert f"did you mean {near}?" in fault.message


def test_O_i1_a_mapping_is_no_boolean(file: Path) -> None:
    assert "found a mapping; accepted: true or false" in str(faults(file, "yolo: {jan: false}")[0])


def test_O_i1_the_deprecated_spelling_still_protects_and_says_so(file: Path) -> None:
    loaded = read(file, "model: demo\npermissions: ask")
    (notice,) = loaded.notices
    assert str(notice) == f"{file}:2:1: permissions: deprecated; write `yolo: false` instead"
    assert "`yolo: true`" in str(read(file, "permissions: auto").notices[0])
    assert read(file, "yolo: false").notices == ()


def test_O_i3_paths_are_relative_to_the_file_and_know_the_home_folder(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    for folder in (home, away, tmp_path / "sub"):
        folder.mkdir()
        (folder / "jan.yaml").write_text("model: demo")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(away)
    loaded = read(file, "mmConfigs: {jan: ~/jan.yaml, homer: {path: sub/jan.yaml, cwd: ./sub}}")
    assert loaded.resolve(loaded.config.mm_configs["jan"].path or "") == home / "jan.yaml"
    assert loaded.resolve(loaded.config.mm_configs["homer"].path or "") == tmp_path / "sub" / "jan.yaml"


def test_O_i3_a_link_to_the_file_reads_the_paths_beside_the_file_itself(file: Path, tmp_path: Path) -> None:
    (tmp_path / "jan.yaml").write_text("model: demo")
    read(file, "mmConfigs: {jan: jan.yaml}")
    link = tmp_path / "elsewhere" / "mine.yaml"
    link.parent.mkdir()
    link.symlink_to(file)
    assert load(link, tools=TOOLS, environ={}).file == file.resolve()


@pytest.mark.parametrize(
    ("entry", "key", "message"),
    [
        ("{path: sub/none.yaml}", "path", "sub/none.yaml: not found"),
        ("sub/none.yaml", "path", "sub/none.yaml: not found"),
        ("{path: .}", "path", "a folder, not a file"),
        ("{path: ~nosuchperson/jan.yaml}", "path", "~nosuchperson/jan.yaml: not found"),
        ("{path: '${NOPE}/jan.yaml'}", "path", "found ${"),
        ("{path: agents.yaml}", "path", "itself"),
        ("{path: agents.yaml/x.yaml}", "path", "not a directory"),
        ("{config: {}, cwd: none}", "cwd", "none: not found"),
        ("{config: {}, cwd: agents.yaml}", "cwd", "agents.yaml: not a folder"),
        ("{path: ''}", "path", "one line of text"),
        ('{path: "a\\nb"}', "path", "one line of text"),
    ],
)
def test_O_i3_a_path_that_cannot_be_used_is_an_error_when_the_file_is_read(
    entry: str, key: str, message: str, file: Path
) -> None:
    fault = faults(file, f"mmConfigs:\n  jan: {entry}")[0]
    assert fault.key == f"mmConfigs.jan.{key}"
    assert fault.line == 2
    assert message in fault.message


def test_O_i3_the_folder_of_a_server_must_exist_too(file: Path) -> None:
    assert faults(file, "mcpServers: {a: {command: x, cwd: none}}")[0].key == "mcpServers.a.cwd"


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfyolo: false\nmodel: demo\n",
        b"yolo: false\r\nmodel: demo\r\n",
        b"yolo: false\r\nmodel: demo\n",
        b"yolo: false\rmodel: demo",
    ],
)
def test_O_i4_a_byte_order_mark_and_any_line_ends_mean_the_same(data: bytes, file: Path) -> None:
    loaded = read(file, data)
    assert (loaded.config.yolo, loaded.config.model) == (False, "demo")
    assert loaded.where("model") == f"{file}:2:1"
    assert loaded.digest == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1"])
def test_O_i4_another_encoding_is_an_error_with_the_name_of_the_file(encoding: str, file: Path) -> None:
    fault = faults(file, "model: démo".encode(encoding))[0]
    assert str(fault).startswith(f"{file}:1:")
    assert "UTF-8" in fault.message or "NUL" in fault.message


def test_O_i4_columns_do_not_count_the_byte_order_mark(file: Path) -> None:
    assert faults(file, b"\xef\xbb\xbfmodel: \xff")[0].column == 8
    assert faults(file, b"\xef\xbb\xbfmodel: \0")[0].column == 8


def test_all_faults_of_a_file_are_told_in_the_order_of_its_lines(file: Path) -> None:
    text = (
        "modle: x\nyolo: no\nyolo: true\nlimits: {steps: 0, depth: x}\napiKey: '${NO'\nmmConfigs: {jan: {}}\n"
    )
    found = [(fault.line, fault.key) for fault in faults(file, text)]
    keys = ["modle", "yolo", "limits.steps", "limits.depth", "apiKey", "mmConfigs.jan"]
    assert found == list(zip([1, 3, 4, 4, 5, 6], keys, strict=True))


def test_not_more_than_a_hundred_faults_are_told(file: Path) -> None:
    assert len(faults(file, "".join(f"a{n}: 1\n" for n in range(500)))) == 100
    assert len(faults(file, "skills: [" + "'${A}', " * 500 + "]")) == 100


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bashTool: ask", "`yolo: false`, or `tools.approval`"),
        ("contextTokens: '5'", "found the text '5'; accepted: a whole number"),
        ("contextTokens: 010", "found 010, which YAML reads as a number"),
        ("contextTokens: 2.5", "found 2.5; accepted: a whole number"),
        ("contextTokens: true", "found true; accepted: a whole number"),
        ("contextTokens: 99999999999999999999", "which YAML reads as a number"),
        ("limits: {depth: 0}", "found 0; accepted: greater than or equal to 1"),
        ("mmConfigs: {gem: {command: x, timeout: 0}}", "accepted: greater than 0"),
        ("mmConfigs: {gem: {command: x, timeout: .inf}}", "found .inf"),
        ("mmConfigs: {gem: {command: []}}", "accepted: at least one element"),
        ("mmConfigs: {gem: {command: ['']}}", "one line of text"),
        ("mmConfigs: {gem: {command: {a: b}}}", "found a mapping; accepted: a list"),
        ("mmConfigs: {gem: {command: x, path: y}}", "exactly one of path, config and command"),
        ("mmConfigs: {gem: {command: x, env: {AGENT_YOLO: 'true'}}}", "set by mm alone"),
        ("mmConfigs: {gem: {command: x, env: {MM_CHAIN: x}}}", "set by mm alone"),
        ("mmConfigs: {gem: {command: x, env: {agent_yolo: x}}}", "set by mm alone"),
        ("mmConfigs: {gem: {command: x, env: {A=B: x}}}", "not the name of an environment variable"),
        ("mmConfigs: {gem: {command: x, description: null}}", "null (empty)"),
        ("mmConfigs: {'[key]': {command: x}}", "no usable name"),
        ("headers: {'A b': x}", "not the name of an HTTP header"),
        ("baseUrl: ftp://x", "http:// or https://"),
        ("baseUrl: 'http://'", "names a host"),
        ("baseUrl: 'http://['", "names a host"),
        ("mcpServers: {a__b: {command: x}}", "holds no __"),
        ("mcpServers: {you: {command: x}}", "reserved"),
        ("mcpServers: {Mm: {command: x}}", "reserved"),
        ("mcpServers: {a: {}}", "exactly one of command and url"),
        ("mcpServers: {a: {command: x, url: 'http://x'}}", "exactly one of command and url"),
        ("language: de", "accepted: 'en' or 'fr'"),
        ("name: Riker", "small letters, digits, _ and -, beginning with a letter, at most 64 characters"),
        ("name: Riker", "did you mean riker?"),
        ("mmConfigs: {Jan: {command: x}}", "did you mean jan?"),
        ("agents: {}", "unknown key 'agents'; the accepted keys stand in docs/reference/configuration.md"),
        ("url: x", "the nearest: baseUrl; all stand in docs/reference/configuration.md"),
        ("limits: {x: 1}", "accepted here: steps, depth, agents"),
        ("mmConfigs: {jan: {config: demo}}", "with the keys of docs/reference/configuration.md"),
        ("mmConfigs: {jan: {model: demo, config: {}}}", "a key of a whole file: put it under `config:`"),
        (
            "mmConfigs: {gem: {command: gemini --acp}}",
            'write the list ["gemini", "--acp"], or ["gemini --acp"]',
        ),
        ("mcpServers: {a: {command: ' a'}}", "one program without arguments"),
        ('mmConfigs: {jan: "\\uD800"}', "found the character U+D800"),
        ("model: =", "a sign of its own"),
        ("mmConfigs: {<<: {b: c}}", "merge key"),
        ("? [a]\n: b", "a key is a text"),
        ("- a", "found a list; the file must be a mapping"),
        ("# nothing\n", "empty"),
        ("---\n", "empty"),
        ("~", "empty"),
        ('model: "\\UFFFFFFFF"', "too large"),
        ("x: !!str y", "tag"),
        ("model: a\x1bb", "control character U+001B"),
    ],
)
def test_a_fault_says_what_was_found_and_what_is_accepted(text: str, message: str, file: Path) -> None:
    assert message in str(faults(file, text)[0])


@pytest.mark.parametrize("name", ["my agent", "9jan", "a" * 65, "jan/bash", "Jän"])
def test_a_name_that_small_letters_do_not_mend_is_refused_without_a_proposal(name: str, file: Path) -> None:
    (fault,) = faults(file, json.dumps({"mmConfigs": {name: {"command": "x"}}}))
    assert "no usable name" in fault.message
    assert "did you mean" not in fault.message


def test_a_program_whose_path_holds_a_blank_is_written_as_a_list(file: Path) -> None:
    entry = read(file, 'mmConfigs: {gem: {command: ["my gemini"]}}').config.mm_configs["gem"]
    assert entry.command == ("my gemini",)


MANY = """\
language: de
planTool: true
skills: [x]
limits: {depth: 0}
tools:
  approval:
    bash: ask
    bsah: deny
    jna/bash: deny
    jan/bash: deny
    marge/bash: deny
    ask_jan: deny
    mcp__files__delete: deny
mmConfigs:
  Jan: {command: x}
  marge:
  bart: {path: none.yaml, yolo: no}
  homer: {command: x, path: none.yaml, yoloo: true}
  lisa: {config: {yolo: true, permissions: ask, modle: x}}
  maggie: {command: ''}
mcpServers:
  files: {command: []}
hooks: {preToolCall: [{match: bash}]}
"""


def test_a_fault_hides_no_other_and_brings_about_none(file: Path) -> None:
    assert [(fault.line, fault.key) for fault in faults(file, MANY)] == [
        (1, "language"),
        (2, "planTool"),
        (3, "skills"),
        (4, "limits.depth"),
        (7, "tools.approval.bash"),
        (8, "tools.approval.bsah"),
        (9, "tools.approval.jna/bash"),
        (15, "mmConfigs.Jan"),
        (16, "mmConfigs.marge"),
        (17, "mmConfigs.bart.path"),
        (17, "mmConfigs.bart.yolo"),
        (18, "mmConfigs.homer"),
        (18, "mmConfigs.homer.path"),
        (18, "mmConfigs.homer.yoloo"),
        (19, "mmConfigs.lisa.config.permissions"),
        (19, "mmConfigs.lisa.config.modle"),
        (20, "mmConfigs.maggie.command"),
        (22, "mcpServers.files.command"),
        (23, "hooks.preToolCall.0.command"),
    ]


def test_a_name_that_is_refused_may_look_like_a_fault_of_pydantic(file: Path) -> None:
    (fault,) = faults(file, "headers: {'A b': x}\nmmConfigs: {}")
    assert fault.key == "headers.A b"
    found = [fault.key for fault in faults(file, "mmConfigs: {Jan: {'[key]': 1, command: x}}")]
    assert "mmConfigs.Jan.[key]" in found


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("own", "Of the entry."),
        ("inside", "In place."),
        ("named", "Of jan's file."),
        ("gem", ""),
        ("foreign", "Foreign."),
        ("broken", ""),
        ("twice", ""),
        ("silent", ""),
        ("nobody", ""),
    ],
)
def test_an_entry_is_described_by_itself_else_by_its_own_file(
    name: str, description: str, file: Path, tmp_path: Path
) -> None:
    (tmp_path / "jan.yaml").write_text("description: Of jan's file.")
    (tmp_path / "broken.yaml").write_text("description: Not told.\nyollo: true")
    (tmp_path / "twice.yaml").write_text("description: Not told.\ndescription: Nor this.")
    (tmp_path / "silent.yaml").write_text("model: demo")
    text = """\
mmConfigs:
  own: {path: jan.yaml, description: Of the entry.}
  inside: {config: {description: In place.}}
  named: jan.yaml
  gem: {command: gemini}
  foreign: {command: gemini, description: Foreign.}
  broken: broken.yaml
  twice: twice.yaml
  silent: silent.yaml
"""
    assert read(file, text).description_of(name) == description


def test_describing_an_entry_never_raises(file: Path, tmp_path: Path) -> None:
    (tmp_path / "jan.yaml").write_text("description: x")
    loaded = read(file, "mmConfigs: {jan: jan.yaml}")
    (tmp_path / "jan.yaml").unlink()
    assert loaded.description_of("jan") == ""


@pytest.mark.parametrize(
    "text",
    [
        "fetchContentTool: true",
        "lspTool: true",
        "planTool: true",
        "searchTools: true",
        "mmConfigs: {gem: {command: x, sessionMode: ask}}",
        "mmConfigs: {jan: {config: {skills: [x]}}}",
        "skills: [x]",
    ],
)
def test_a_key_whose_feature_is_not_built_is_never_ignored(text: str, file: Path) -> None:
    assert "not built yet" in faults(file, text)[0].message


def test_values_that_change_nothing_are_fine_though_the_feature_is_not_built(file: Path) -> None:
    text = "lspTool: false\nhooks: {preToolCall: []}\nskills: []\npipelines: {}\n"
    assert read(file, text).config.skills == ()


def test_a_file_that_cannot_be_opened_is_a_fault(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("model: demo")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert str(faults(file)[0]) == f"{file}: cannot be read: Permission denied"


def test_hostile_text_in_a_fault_stays_on_one_visible_line(file: Path) -> None:
    said = str(faults(file, '"\\e[2J\u202e\\n' + "a" * 500 + '": x')[0])
    assert said.isprintable()
    assert len(said) < 1000


def test_a_fault_as_json_has_the_fields_that_programs_rely_on(file: Path) -> None:
    fault = faults(file, "yollo: false")[0]
    made = json.loads(json.dumps(fault.as_json()))
    assert list(made) == ["file", "line", "column", "key", "found", "accepted", "near", "message"]
    assert (made["line"], made["column"], made["found"], made["near"]) == (1, 1, "yollo", "yolo")


def test_a_large_file_is_bounded_by_bytes_depth_and_number(file: Path) -> None:
    assert "1 MiB" in faults(file, "#" * 2**20 + "\n")[0].message
    assert "nested deeper" in faults(file, "- " * 500_000)[0].message
    assert "more than 10000" in faults(file, "x: [" + "a," * 20_000 + "]")[0].message


NESTED = """\
name: riker
mmConfigs:
  marge:
    config:
      model: demo
      mmConfigs:
        bart: {config: {yolo: false, apiKey: "${BART}"}}
mcpServers: {files: {command: x}}
"""


def test_a_configuration_in_place_is_read_with_the_lines_of_its_file(file: Path) -> None:
    file.write_text(NESTED)
    bart = load_entry(file, ("marge", "bart"), tools=TOOLS, environ={"BART": "b"})
    assert (bart.config.yolo, bart.config.api_key, bart.name) == (False, "b", "bart")
    assert bart.where("yolo") == f"{file}:7:25"
    assert bart.where("unwritten.key") == f"{file}:7:16"
    assert bart.secrets == {"BART"}
    with pytest.raises(
        ConfigError, match=r":7:38: mmConfigs.marge.config.mmConfigs.bart.config.apiKey: .* BART"
    ):
        load_entry(file, ("marge", "bart"), tools=TOOLS, environ={})


@pytest.mark.parametrize("names", [("jan",), ("marge", "jan"), ("marge", "bart", "x")])
def test_an_entry_that_is_not_written_in_place_cannot_be_read_so(names: tuple[str, ...], file: Path) -> None:
    file.write_text(NESTED)
    with pytest.raises(ConfigError, match="no configuration is written here"):
        load_entry(file, names, tools=TOOLS, environ=None)


def test_each_configuration_has_an_identity_of_its_own(file: Path, tmp_path: Path) -> None:
    riker = read(file, NESTED)
    link = tmp_path / "link.yaml"
    link.symlink_to(file)
    marge, bart = (
        load_entry(link, names, tools=TOOLS, environ=None) for names in (("marge",), ("marge", "bart"))
    )
    assert len({riker.identity, marge.identity, bart.identity}) == 3
    assert load(link, tools=TOOLS, environ=None).identity == riker.identity


def test_servers_are_named_because_they_are_not_started(file: Path) -> None:
    assert read(file, NESTED).idle_servers == ("files",)


@pytest.mark.parametrize(
    ("file_name", "name"), [("riker.yaml", "riker"), ("My Agent.yaml", "my-agent"), ("42.yaml", "agent")]
)
def test_an_agent_without_a_name_is_called_as_its_file(file_name: str, name: str, tmp_path: Path) -> None:
    assert read(tmp_path / file_name, "model: demo").name == name
    assert read(tmp_path / file_name, "name: picard").name == "picard"


def test_the_place_of_a_fault_is_the_key_or_a_value_that_begins_below_it(file: Path) -> None:
    found = faults(file, "limits:\n  - 1\nmodel:\n  5\n")
    assert [(fault.line, fault.column) for fault in found] == [(2, 3), (4, 3)]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("./hooks/missing", "hooks/missing: not found"),
        ("[./, x]", "a folder, not a file"),
        ("hooks/missing", "hooks/missing: not found"),
        ("a b", "a text is one program without arguments"),
    ],
)
def test_a_hook_whose_program_is_not_there_is_a_fault(command: str, message: str, file: Path) -> None:
    (fault,) = faults(file, f"hooks: {{preToolCall: [{{command: {command}}}]}}")
    assert (fault.line, fault.key) == (1, "hooks.preToolCall.0.command")
    assert message in fault.message


def test_a_hook_whose_program_cannot_be_executed_is_a_fault_that_says_what_to_do(file: Path) -> None:
    (file.parent / "no-push.sh").touch(0o644)
    (fault,) = faults(file, "hooks: {preToolCall: [{command: ./no-push.sh}]}")
    assert fault.message.endswith("no-push.sh: not executable; `chmod +x` makes it a program")


def test_the_words_of_a_hook_that_begin_as_paths_are_files_beside_the_file_that_names_it(file: Path) -> None:
    program = file.parent / "hooks" / "x"
    program.parent.mkdir()
    program.touch(0o755)
    loaded = read(file, "hooks: {preToolCall: [{command: [hooks/x, ./a, ../b, c/d, e]}]}")
    (hook,) = loaded.config.hooks.pre_tool_call
    beside = loaded.file.parent
    words = (str(beside / "hooks/x"), str(beside / "a"), str(beside / "../b"), "c/d", "e")
    assert loaded.words(hook.command) == words
    assert loaded.words(("python3", "~/x")) == ("python3", str(Path.home() / "x"))
