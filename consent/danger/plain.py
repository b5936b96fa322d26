"""Programs that run none of their arguments: a dangerous name among these means nothing there."""

from __future__ import annotations

from collections.abc import Iterable


def names(*lines: str) -> frozenset[str]:
    """Names with blanks between."""
    return frozenset(name for line in lines for name in line.split())


PLAIN = names(
    # Of the shell itself.
    ". : [ alias bg bind break caller cd compgen complete continue declare dirs disown echo enable exit",
    "export false fc fg getopts hash help history jobs let local logout mapfile popd printf pushd pwd",
    "read readarray readonly return set shift shopt source suspend test times true type typeset ulimit",
    "umask unalias unset wait",
    # Looking at things.
    "ack ag apropos awk basename bat cat cksum cmp column comm cut date df diff diff3 dig dir dirname du",
    "egrep env exa expand eza fd fdfind fgrep file fmt fold free fzf gawk getconf getent grep groups head",
    "hexdump host hostname htop iconv id info ip join jq last less ls lsblk lsof man md5sum more mount nl",
    "nslookup numfmt od paste pgrep ping pr printenv ps pstree readlink realpath rev rg screenfetch seq",
    "sha1sum sha256sum sha512sum shasum sleep ss stat strings tac tail top tr tree tsort tty uname uniq",
    "uptime vmstat w wc whatis whereis which who whoami xxd yes yq zcat zgrep",
    # Packages, projects, versions.
    "apk apt apt-cache apt-get brew bundle cargo composer conda dnf dpkg gem gh go hg mvn mypy npm pacman",
    "pip pip3 pnpm pytest rpm ruff rustc snap svn tsc yarn yum zypper",
    # Files that come and go whole, and what runs elsewhere.
    "bzip2 cp curl gunzip gzip ln mkdir mkfifo mktemp nc openssl scp sftp sort ssh tar touch trash trash-",
    "put unzip wget xz zip zstd",
)

_RUNS_BEHIND = {
    **dict.fromkeys(("npm", "pnpm", "yarn"), names("exec x dlx")),
    **dict.fromkeys(("bundle", "gem", "composer", "ip"), names("exec")),
    **dict.fromkeys(("conda", "snap"), names("run")),
}


def is_plain(name: str, args: Iterable[str]) -> bool:
    """Whether a program runs none of these arguments."""
    return name in PLAIN and _RUNS_BEHIND.get(name, frozenset()).isdisjoint(args)


FETCHERS = names(
    "aria2c axel curl curlie elinks fetch ftp http https links lynx nc ncat netcat socat telnet w3m wget xh"
)
"""Programs whose output comes from another computer."""
