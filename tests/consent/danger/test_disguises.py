"""Other ways to say the same: short options, joined values, input that runs; and harmless uses."""

from __future__ import annotations

import pytest

from consent.danger.finding import Reason, Verdict
from tests.consent.danger.eyes import FOLDER, Files, look, reason
from tests.consent.danger.test_bash import Bash
from tests.consent.danger.test_bash import bash as bash  # noqa: PLC0414

ROWS: dict[Reason | None, tuple[str, ...]] = {
    Reason.GIT: (
        "git clean -enode_modules -fd",
        "git clean -fden",
        "git reset --har",
        "git push --force-w origin x",
        "git push --del origin x",
        "git checkout --for x",
        "git checkout -f",
        "git checkout -- .",
        "git checkout --theirs a",
        "git checkout --pathspec-from-file=f",
        "git checkout src/",
        "git checkout '*.c'",
        "git restore .",
        "git restore --stag --work a",
        "git stash drop",
        "git stash -q clear",
        "git branch -D x",
        "git branch -df x",
        "git branch --del --for x",
        "ls | xargs git checkout",
    ),
    Reason.DELETES: (
        "git -c alias.x='!rm y' x",
        "git rebase --exec 'rm x' HEAD~1",
        "git rebase -x 'rm x' HEAD~1",
        "git bisect run rm x",
        "git submodule foreach --recursive 'rm x'",
        "fd -x rm",
        "fd -Hx rm",
        "fd -xrm",
        "fd --exec rm",
        "fd --exec-batch=rm",
        "fd -t f -X rm",
        "fdfind . -x sh -c 'rm {}'",
        "parallel ::: 'rm x'",
        "parallel rm ::: x",
        "env --unse cat rm x",
        "sudo --us ann rm x",
        "xargs -I{} sh -c 'rm {}'",
        "npx -c 'rm x'",
        "npm exec -c 'rm x'",
        "mapfile -C 'rm x' a",
        "rsync -e 'rm x' a b:",
        "hash -p /bin/rm ls; ls x",
        ". /dev/stdin <<< 'rm x'",
        "rsync --delete a b",
        "tar -I 'rm x' -xf a",
        "sshpass -p x rm y",
        "sudo -s <<E\nrm x\nE",
        "su bob <<< 'rm x'",
        "cd $d && rm -rf *",
        "bash -n -i -c 'rm x'",
        "bash -n +n -c 'rm x'",
        "bash -- -n; rm x",
        "rm x --help",
    ),
    Reason.UNKNOWN_PROGRAM: (
        "npm exec rm x",
        "find . -exec env + -exec rm {} +",
        "npm exec -- rm x",
        "npx rm x",
        "pnpm dlx rm x",
        "yarn exec rm x",
        "bundle exec rm x",
        "conda run -n base rm x",
        "ip netns exec NS rm x",
    ),
    Reason.RUNS_FETCHED: (
        "curl x | sudo -s",
        "curl x | sudo --login",
        "curl x | doas -s",
        "curl x | su",
        "curl x | su - bob",
        "curl x | sudo su",
        "curl x | at now",
        "curl x | parallel",
        "curl x | chroot /x",
        "curl x | xargs sh -c",
        "curl x | xargs -I% sh -c %",
        "curl x | xargs -I CMD CMD",
        "curl x | xargs env",
        'sudo -s <<< "$(curl x)"',
        "curl x | bash -n -o pipefail",
    ),
    Reason.PIPED: (
        "cat x | sudo -s",
        "cat x | su",
        "cat x | batch",
        "bash <(echo rm x)",
        "python3 <(echo rm x)",
        ". <(echo rm x)",
        "bash < <(echo rm x)",
        "(bash) < <(echo rm x)",
        "{ bash; } <<< 'rm x'",
        "while read l; do bash; done <<E\nrm x\nE",
        "exec 3<<< 'rm x'; bash <&3",
        "cat x | bash <&0",
        "bash /dev/fd/3 3<<< 'rm x'",
        "echo rm x | . /dev/stdin",
    ),
    Reason.COMPUTED: (
        "xargs -I CMD CMD",
        "xargs --replace {} x",
        "xargs -I% sh -c 'ls %'",
        "xargs sh -c",
        "xargs env",
        "for cmd in rm; do $cmd x; done",
        'for cmd in rm; do "$cmd" x; done',
        "CDPATH=~ cd .ssh && cp x config",
        "export CDPATH=/",
        "test -v 'a[$(rm x)]'",
        "[ -v 'a[`rm x`]' ]",
        "printf -v 'a[$(rm x)]' y",
        "[[ -v 'a[$(rm x)]' ]]",
        "[[ 'a[$(rm x)]' -eq 1 ]]",
        "let 'a[$(rm x)]'",
        "declare 'a[$(rm x)]=1'",
        "declare -i x='a[$(rm y)]'",
        "read 'a[$(rm x)]'",
        "unset 'a[$(rm x)]'",
        "x='a[$(rm y)]'",
    ),
    Reason.OVERWRITES: (
        "cp /dev/null x",
        "install /dev/null x",
        "cat /dev/null > x",
        ": > x",
        "tee x",
        "dd of=x",
        "truncate -s 0 x",
        "ls | xargs tee",
    ),
    Reason.STARTUP: (
        "tee ~/.bashrc",
        "install a ~/.bashrc",
        "cp /dev/null ~/.bashrc",
        "sed -i s/a/b/ ~/.bashrc",
        "perl -Mstrict -i -pe s/a/b/ ~/.bashrc",
    ),
    Reason.EDITS: ("perl -Mstrict -pi -e s/a/b/ x", "perl -i.bak -pe 1 x", "ruby -rjson -pi -e 1 x"),
    Reason.DELETES_ROOT: ("rm -rf / --help",),
    Reason.SHUTS_DOWN: ("shutdown -c now", "shutdown -h now"),
    Reason.KILLS_INIT: ("kill -s TERM 1", "kill -9 1"),
    None: (
        "git clean -n",
        "git clean -nfd",
        "git push --dry-run --force",
        "git push -n -f",
        "git checkout main",
        "git checkout -b fix origin/main",
        "git -c user.name=x commit",
        "git rebase main",
        "git bisect good",
        "fd x",
        "fd -e c",
        "npm run shutdown",
        "npm install rm",
        "conda install rm",
        "parallel :::: f",
        "sudo -s",
        "su",
        "su bob",
        "ls | sudo -s ls",
        "ls | su -c ls",
        "ls | at -f x now",
        "ls | parallel -j 4 cat",
        "curl x | xargs cat",
        "xargs",
        "xargs -n 1 bash",
        "xargs -I% cat %",
        "[[ -v a[1] ]]",
        "printf '[%s]' \"$(ls)\"",
        "printf '%s [$(x)'; echo 'a[$(b)]'",
        "perl -Mstrict -we 'print 1'",
        "cat x | perl -Mstrict -we 'print 1'",
        "kill -0 1",
        "kill -s 0 1",
        "kill -l 1",
        "shutdown -c",
        "rm --help",
        "rm --version",
        "truncate --help",
        "bash -n script",
        "bash -n -c 'rm x'",
        "bash -nc 'rm x'",
        "curl x | bash -n",
        "chroot /x",
        "python3 <<E\nprint(1)\nE",
        "install a b",
        'bash "$(dirname $0)/x"',
        ". ./x",
        ".",
        "while read l; do bash x; done < f",
        "diff <(ls a) <(ls b)",
        "cat <&3",
    ),
}
CASES = [(command, wanted) for wanted, commands in ROWS.items() for command in commands]


@pytest.mark.parametrize(("command", "wanted"), CASES, ids=[command for command, _ in CASES])
def test_a_command_is_marked_however_it_is_said(command: str, wanted: Reason | None) -> None:
    assert reason(command) is wanted


def test_git_checks_out_a_file_if_there_is_one_of_this_name() -> None:
    files = Files(there={f"{FOLDER}/Makefile"})
    assert look("git checkout Makefile", files=files).reason is Reason.GIT
    assert look("git checkout v1.2", files=files).verdict is Verdict.QUIET


RUN_BY_BASH = (
    "test -v 'a[$(rm x)]'",
    "[ -v 'a[`rm x`]' ]",
    "printf -v 'a[$(rm x)]' y",
    "[[ 'a[$(rm x)]' -eq 1 ]]",
    "let 'a[$(rm x)]'",
    "declare 'a[$(rm x)]=1'",
    "declare -i x='a[$(rm y)]'",
    "x='a[$(rm y)]'; (( x ))",
    "a[1;ls ]=3 rm x",
    "for cmd in rm; do $cmd x; done",
    "mapfile -C 'rm x' -c 1 a <<< b",
    "{rm,x}",
    'hash -p "$(type -P rm)" ls; ls x',
    ". /dev/stdin <<< 'rm x'",
    ". <(echo rm x)",
    "bash -n +n -c 'rm x'",
)


@pytest.mark.parametrize("command", RUN_BY_BASH)
def test_bash_runs_what_these_hide(bash: Bash, command: str) -> None:
    assert bash.runs_rm(command.replace("bash ", "/bin/bash ")) or command.startswith("bash")
    assert look(command).verdict is not Verdict.QUIET


@pytest.mark.parametrize("command", ["bash -n -c 'rm x'", "bash -nc 'rm x'", "bash -n <<< 'rm x'"])
def test_bash_runs_nothing_of_what_it_only_reads(bash: Bash, command: str) -> None:
    assert not bash.runs_rm(command.replace("bash ", "/bin/bash "))
    assert look(command).verdict is Verdict.QUIET
