"""The command line as people type it."""

from __future__ import annotations

from pathlib import Path

import pytest

from orchestrator.arguments import NOT_BUILT, Arguments, Usage, parse, user_file


def read(text: str, **environ: str) -> Arguments:
    return parse(text.split(), environ)


@pytest.mark.parametrize(
    ("line", "command", "agent", "text"),
    [
        ("", "line", "", None),
        ("--acp", "editor", "", None),
        ("-p", "prompt", "", None),
        ("-p hello", "prompt", "", "hello"),
        ("--prompt=hello", "prompt", "", "hello"),
        ("-p check", "prompt", "", "check"),
        ("--ask jan", "ask", "jan", None),
        ("--ask jan what is it", "ask", "jan", "what is it"),
        ("--ask jan check", "ask", "jan", "check"),
        ("check", "check", "", "check"),
    ],
)
def test_the_commands(line: str, command: str, agent: str, text: str | None) -> None:
    found = read(line)
    assert (found.command, found.agent, found.text) == (command, agent, text)


@pytest.mark.parametrize(
    "line",
    [
        "-c file.yaml --verbose -m demo check --json",
        "check -c file.yaml --json --verbose -m demo",
        "--json -c file.yaml check --model demo --verbose",
        "--config file.yaml --json check -m demo --verbose",
    ],
)
def test_options_stand_before_and_after_the_command(line: str) -> None:
    found = read(line)
    assert (found.command, found.file, found.model) == ("check", Path("file.yaml"), "demo")
    assert found.json
    assert found.verbose


@pytest.mark.parametrize("line", ["-c f.yaml --ask jan what is it", "--ask jan what is it -c f.yaml"])
def test_options_stand_before_and_after_the_question(line: str) -> None:
    found = read(line)
    assert (found.file, found.agent, found.text) == (Path("f.yaml"), "jan", "what is it")


@pytest.mark.parametrize("line", ["-p a --ask jan", "-p --acp", "--acp --ask jan", "-p a --acp --ask jan"])
def test_commands_exclude_each_other(line: str) -> None:
    with pytest.raises(Usage, match="exclude each other"):
        read(line)


@pytest.mark.parametrize("word", NOT_BUILT)
def test_what_is_not_built_says_so(word: str) -> None:
    with pytest.raises(Usage, match=f"{word} is not built yet"):
        read(f"{word} more words")


@pytest.mark.parametrize("flag", ["--window", "--continue", "--resume 7"])
def test_flags_that_are_not_built_say_so(flag: str) -> None:
    with pytest.raises(Usage, match="is not built yet"):
        read(flag)


@pytest.mark.parametrize(
    "line",
    ["hello", "check twice", "-p one two", "--acp hello", "--nonsense", "--approval-mode x", "--conf x"],
)
def test_other_words_and_flags_are_errors(line: str) -> None:
    with pytest.raises(Usage):
        read(line)


def test_flags_of_the_mode_are_kept_by_their_text() -> None:
    assert read("--yolo").flags == read("--auto-approve").flags == {"--yolo": "yolo"}
    assert read("--approval-mode write").flags == {"--approval-mode": "write"}
    assert read("--approval-mode always-ask --yolo").flags == {
        "--approval-mode": "always-ask",
        "--yolo": "yolo",
    }


def test_the_file_is_the_named_one_else_that_of_the_environment() -> None:
    assert read("-c a.yaml", MM_CONFIG="b.yaml").file == Path("a.yaml")
    assert read("", MM_CONFIG="b.yaml").file == Path("b.yaml")
    with pytest.raises(Usage, match="empty"):  # an error, never another file
        read("", MM_CONFIG="")
    with pytest.raises(Usage, match="empty"):
        parse(["-c", ""], {})


def test_else_it_is_the_users_own_and_never_one_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("agents.yaml", "mm.yaml", ".mm.yaml", "mm.local.yaml", ".env"):
        (tmp_path / name).write_text("yolo: true")
    assert read("").file is None
    user_file().parent.mkdir(parents=True)
    user_file().write_text("model: demo")
    assert read("").file == user_file()


def test_a_working_folder_that_is_gone_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(Usage, match="--cwd"):
        read("-p hello")
    assert read(f"-p hello --cwd {tmp_path}").folder == tmp_path


def test_a_configuration_in_place_is_reached_by_its_names() -> None:
    assert read("--acp -c f.yaml --entry marge/bart").entry == ("marge", "bart")
    assert read("--acp").entry == ()
