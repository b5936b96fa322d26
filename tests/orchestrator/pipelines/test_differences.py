"""What a run changed is shown whole or said to be cut, and no name of a file deceives."""

from __future__ import annotations

import pytest

from orchestrator.pipelines.differences import LONGEST, Changed, diff, stat
from orchestrator.pipelines.git import GitFailed
from orchestrator.pipelines.history import commit
from orchestrator.pipelines.names import some
from tests.orchestrator.pipelines.parts import Run


async def test_every_kind_of_change_is_told(run: Run) -> None:
    agent = run.agent
    agent.write(away="1\n", moved__old="".join(f"line {n}\n" for n in range(9)), kind="x", code="1\n2\n3\n")
    start = await commit(run.tree, "start")
    agent.git("mv", "moved", "later")
    agent.git("rm", "--quiet", "away")
    agent.write(code="1\n2\nthree\nfour\n", new="a\nb")
    (run.tree.folder / "bytes").write_bytes(b"\0\1\2")
    (run.tree.folder / "kind").unlink()
    (run.tree.folder / "kind").symlink_to("code")
    assert await commit(run.tree, "end")
    assert await stat(run.tree, start) == (
        Changed("away", 0, 1, "deleted"),
        Changed("bytes", None, None, "added"),
        Changed("code", 2, 1, "changed"),
        Changed("kind", 1, 1, "of another kind"),
        Changed("later/old", 0, 0, "renamed", "moved/old"),
        Changed("new", 2, 0, "added"),
    )
    patch = await diff(run.tree, start)
    assert "-3\n+three\n+four\n" in patch
    assert "Binary files /dev/null and b/bytes differ" in patch
    assert "rename from moved/old\nrename to later/old" in patch


async def test_without_a_change_there_is_nothing(run: Run) -> None:
    assert (await diff(run.tree, run.base.commit), await stat(run.tree, run.base.commit)) == ("", ())


async def test_what_is_not_committed_is_in_no_diff(run: Run) -> None:
    run.agent.write(code="half")
    assert await diff(run.tree, run.base.commit) == ""


async def test_a_diff_can_end_before_the_end(run: Run) -> None:
    run.agent.write(first="1")
    first = await commit(run.tree, "first")
    run.agent.write(second="2")
    await commit(run.tree, "second")
    assert [file.path for file in await stat(run.tree, run.base.commit, first)] == ["first"]
    assert "second" not in await diff(run.tree, run.base.commit, first)


async def test_a_long_diff_is_cut_and_says_what_is_left_out(run: Run) -> None:
    line = "x" * 63 + "\n"
    run.agent.write(a="a\n", b=line * (LONGEST // 64), c="c\n", **{"d\n": "d\n"})
    await commit(run.tree, "long")
    patch = await diff(run.tree, run.base.commit)
    assert len(patch) < LONGEST + 500
    body, _, note = patch.partition("\n\n(cut here, after 256 KiB; ")
    assert body.endswith("\n+" + line.strip())
    assert note == 'the last file may go on. 2 more files changed:\nc\n"d\\012")\n'


async def test_a_cut_in_the_only_file_names_no_other(run: Run) -> None:
    run.agent.write(code="diff --git a/b b/b\n" * LONGEST)
    await commit(run.tree, "long")
    assert (await diff(run.tree, run.base.commit)).endswith(
        "\n(cut here, after 256 KiB; the last file may go on.)\n"
    )


async def test_many_files_left_out_are_counted(run: Run) -> None:
    run.agent.write(a="x" * LONGEST, **{f"f{number:03}": "x" for number in range(150)})
    await commit(run.tree, "many")
    assert (await diff(run.tree, run.base.commit)).endswith("\nf099\nand 50 more)\n")


async def test_text_that_is_no_utf_8_is_replaced(run: Run) -> None:
    (run.tree.folder / "latin").write_bytes(b"caf\xe9\n")
    await commit(run.tree, "latin")
    assert "+caf\N{REPLACEMENT CHARACTER}\n" in await diff(run.tree, run.base.commit)


async def test_odd_names_are_shown_in_one_line(run: Run) -> None:
    for name in ("new\nline", 'quo"te', "back\\slash", "byte\udcff", "\u202eright", "é sp"):
        (run.tree.folder / name).write_text("x")
    await commit(run.tree, "odd")
    paths = {file.path for file in await stat(run.tree, run.base.commit)}
    assert paths == {
        '"new\\012line"', '"quo\\042te"', '"back\\134slash"', '"byte\\377"', '"\\342\\200\\256right"', "é sp",
    }  # fmt: skip
    assert (await diff(run.tree, run.base.commit)).count("\ndiff --git ") == 5


def test_several_names_are_few() -> None:
    assert some(["a", "b\n"]) == 'a, "b\\012"'
    assert some([str(number) for number in range(7)]) == "0, 1, 2, 3, 4 and 2 more"


async def test_a_commit_that_is_none_is_an_error(run: Run) -> None:
    for call in (diff(run.tree, "nothing"), stat(run.tree, "nothing")):
        with pytest.raises(GitFailed, match=r"diff-tree in .* failed: "):
            await call
