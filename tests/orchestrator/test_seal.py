"""The files that decide, as they were when mm was started: what is sealed, and what is not what it was."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from mmconfigs.load import load
from mmconfigs.loaded import Loaded
from orchestrator import seal as module
from orchestrator.paths import Unusable
from orchestrator.seal import first_changed, of_command, of_file, seal
from orchestrator.wiring import BUILTIN_NAMES


def read(path: Path) -> Loaded:
    return load(path, tools=BUILTIN_NAMES, environ={})


def write(folder: Path, **files: str) -> Loaded:
    """Write files of agents; gives the one of riker."""
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return read(folder / "riker.yaml")


def command_changed(loaded: Loaded, sealed: dict[str, str], name: str = "gem") -> str | None:
    entry = loaded.config.mm_configs[name]
    found = first_changed(of_command(loaded, entry, loaded.file.parent, sealed), sealed)
    return found and Path(found[0]).name


def test_the_seal_holds_every_file_of_the_tree_broken_and_missing_ones_too(tmp_path: Path) -> None:
    loaded = write(
        tmp_path,
        riker="mmConfigs: {b: ./b.yaml, in: {config: {mmConfigs: {c: ./c.yaml}}}}",
        b="mmConfigs: {a: ./riker.yaml, d: ./d.yaml, e: ./e.yaml}",
        c="nonsense",
        d="model: demo",
    )
    sealed = seal(loaded, BUILTIN_NAMES, tmp_path)
    assert {Path(file).name for file in sealed} == {"riker.yaml", "b.yaml", "c.yaml", "d.yaml", "e.yaml"}
    assert sealed[str(tmp_path / "c.yaml")] == sealed[str(tmp_path / "e.yaml")] == ""


def test_a_file_is_what_it_was_until_its_bytes_or_the_file_behind_its_name_change(tmp_path: Path) -> None:
    loaded = write(tmp_path, riker="mmConfigs: {jan: ./jan.yaml}", jan="model: demo", other="model: demo")
    jan = tmp_path / "jan.yaml"
    sealed = seal(loaded, BUILTIN_NAMES, tmp_path)
    assert first_changed(of_file(jan, read(jan)), sealed) is None
    jan.write_text("model: demo\n")
    path, mark = first_changed(of_file(jan, read(jan)), sealed) or ("", None)
    assert (path, mark and mark.file) == (str(jan), str(jan))
    assert mark
    assert mark.content == f"sha256:{sha256(jan.read_bytes()).hexdigest()}"
    jan.unlink()
    jan.symlink_to("other.yaml")  # with the very same bytes
    path, mark = first_changed(of_file(jan, read(jan)), sealed) or ("", None)
    assert (path, mark and mark.file) == (str(jan), str(tmp_path / "other.yaml"))


def test_a_file_that_was_broken_at_the_start_and_is_whole_now_has_changed(tmp_path: Path) -> None:
    loaded = write(tmp_path, riker="mmConfigs: {jan: ./jan.yaml}", jan="nonsense")
    sealed = seal(loaded, BUILTIN_NAMES, tmp_path)
    write(tmp_path, jan="model: demo")
    assert first_changed(of_file(tmp_path / "jan.yaml", read(tmp_path / "jan.yaml")), sealed)


def test_the_script_of_a_scripted_model_decides_too(tmp_path: Path) -> None:
    loaded = write(tmp_path, riker="mmConfigs: {jan: ./jan.yaml}", jan="model: script:turns.yaml")
    (tmp_path / "turns.yaml").write_text("- say: hello")
    sealed = seal(loaded, BUILTIN_NAMES, tmp_path)
    (tmp_path / "turns.yaml").write_text("- say: good-bye")
    jan = read(tmp_path / "jan.yaml")
    assert (first_changed(of_file(tmp_path / "jan.yaml", jan), sealed) or ("",))[0].endswith("turns.yaml")
    (tmp_path / "turns.yaml").unlink()
    with pytest.raises(Unusable, match=r"turns\.yaml cannot be read"):
        of_file(tmp_path / "jan.yaml", jan)


def test_a_file_behind_the_sign_of_equality_is_among_the_words_of_a_command(tmp_path: Path) -> None:
    loaded = write(tmp_path, riker="mmConfigs: {gem: {command: [gem, --config=gem.json, --log=, A=b=c]}}")
    (tmp_path / "gem.json").write_text("{}")
    sealed = dict(seal(loaded, BUILTIN_NAMES, tmp_path))
    assert command_changed(loaded, sealed) is None
    (tmp_path / "gem.json").write_text("{1: 2}")
    assert command_changed(loaded, sealed) == "gem.json"


def test_a_file_in_a_text_for_a_shell_is_among_the_words_of_a_command(tmp_path: Path) -> None:
    text = "set -e; X=gem.env exec ./gem.sh --acp"
    loaded = write(tmp_path, riker=f"mmConfigs: {{gem: {{command: [bash, -lc, '{text}']}}}}")
    for name in ("gem.sh", "gem.env"):
        (tmp_path / name).touch()
    sealed = dict(seal(loaded, BUILTIN_NAMES, tmp_path))
    assert command_changed(loaded, sealed) is None
    for name in ("gem.sh", "gem.env"):
        (tmp_path / name).write_text("other")
        assert command_changed(loaded, sealed) == name
        (tmp_path / name).write_text("")


def test_a_command_is_what_it_was_until_a_file_among_its_words_changes(tmp_path: Path) -> None:
    loaded = write(tmp_path, riker="mmConfigs: {gem: {command: [python, gem.py, '.', --log, gem.log]}}")
    (tmp_path / "gem.py").write_text("one")
    sealed = dict(seal(loaded, BUILTIN_NAMES, tmp_path))
    assert command_changed(loaded, sealed) is None
    (tmp_path / "gem.log").write_text("import os")  # nothing stood there at the start
    assert command_changed(loaded, sealed) == "gem.log"
    (tmp_path / "gem.log").unlink()
    (tmp_path / "gem.py").write_text("two")
    assert command_changed(loaded, sealed) == "gem.py"


@pytest.mark.parametrize("now", ["nothing", "folder", "pipe", "loop"])
def test_what_cannot_be_read_any_more_is_an_error_and_no_question(tmp_path: Path, now: str) -> None:
    loaded = write(tmp_path, riker="mmConfigs: {gem: {command: [python, gem.py]}}")
    script = tmp_path / "gem.py"
    script.write_text("one")
    sealed = dict(seal(loaded, BUILTIN_NAMES, tmp_path))
    script.unlink()
    match now:
        case "folder":
            script.mkdir()
        case "pipe":
            os.mkfifo(script)
        case "loop":
            script.symlink_to(script)
        case _:
            pass
    with pytest.raises(Unusable, match=r"gem\.py"):
        command_changed(loaded, sealed)


def test_a_pipe_where_nothing_was_is_an_error(tmp_path: Path) -> None:
    loaded = write(tmp_path, riker="mmConfigs: {gem: {command: [python, gem.py, /dev/null]}}")
    sealed = dict(seal(loaded, BUILTIN_NAMES, tmp_path))
    assert command_changed(loaded, sealed) is None
    os.mkfifo(tmp_path / "gem.py")
    with pytest.raises(Unusable, match="pipe"):
        command_changed(loaded, sealed)


SHRINKS = Path("/sys/kernel/uevent_seqnum")
"""A regular file that is shorter when it is read than it says, as one that is being written."""


@pytest.mark.skipif(not SHRINKS.exists(), reason="only Linux has such a file")
def test_a_file_that_changes_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    loaded = write(tmp_path, riker=f"mmConfigs: {{gem: {{command: [python, {SHRINKS}]}}}}")
    sealed = dict(seal(loaded, BUILTIN_NAMES, tmp_path))
    assert sealed[str(SHRINKS)] == ""
    with pytest.raises(Unusable, match="changed while it was read"):
        command_changed(loaded, sealed)


def test_a_large_program_is_told_by_its_size_and_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A time of change cannot be set back, unlike the time of the last writing."""
    monkeypatch.setattr(module, "HASHED", 3)
    loaded = write(tmp_path, riker="mmConfigs: {gem: {command: [./gem]}}")
    program = tmp_path / "gem"
    program.write_text("same")
    sealed = dict(seal(loaded, BUILTIN_NAMES, tmp_path))
    assert command_changed(loaded, sealed) is None
    before = program.stat()
    program.write_text("evil")
    os.utime(program, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert program.stat().st_mtime_ns == before.st_mtime_ns
    assert command_changed(loaded, sealed) == "gem"


@pytest.mark.parametrize("entry", ["./jan.yaml", "{config: %s}"])
def test_scripts_are_sealed_where_the_agent_works_that_names_them(tmp_path: Path, entry: str) -> None:
    """`cwd` of an entry counts for all below it."""
    gem = "{mmConfigs: {gem: {command: [python, gem.py]}}}"
    path = entry if "%" not in entry else None
    inner = f"{{path: {path}, cwd: ./sub}}" if path else f"{{cwd: ./sub, config: {gem}}}"
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "gem.py").write_text("one")
    loaded = write(tmp_path, riker=f"mmConfigs: {{jan: {inner}}}", jan=gem)
    assert str(tmp_path / "sub" / "gem.py") in seal(loaded, BUILTIN_NAMES, tmp_path)


def test_a_later_seal_keeps_the_first_and_follows_no_file_that_changed_since(tmp_path: Path) -> None:
    """Else a file that an agent wrote would bring the files that it names into the next conversation."""
    loaded = write(tmp_path, riker="mmConfigs: {jan: ./jan.yaml}", jan="model: demo")
    start = seal(loaded, BUILTIN_NAMES, tmp_path)
    write(tmp_path, jan="mmConfigs: {evil: ./evil.yaml, gem: {command: [gem.py]}}", evil="model: demo")
    (tmp_path / "gem.py").write_text("evil")
    assert seal(loaded, BUILTIN_NAMES, tmp_path, start) == start
    assert str(tmp_path / "evil.yaml") in seal(loaded, BUILTIN_NAMES, tmp_path)
