"""The names of folders and files that matter beyond a project, as a tree, in lower case.

Knows no file system: only how names are fitted to a path.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from consent.danger.finding import Reason
from consent.danger.wild import Pattern

ANY = "*"
"""Any name, in these tables."""

_ROOTS = (
    "bin boot dev etc home lib lib32 lib64 opt private private/etc proc root sbin sys usr users var system"
    " library applications volumes"
)
_HOMES = ("home/*", "users/*", "root", "var/root")
_ETC = ("etc", "private/etc")
_IN_ETC = {
    Reason.ACCOUNTS: (
        "passwd shadow group gshadow master.passwd subuid subgid spwd.db passwd- shadow- group- gshadow-"
        " master.passwd- subuid- subgid- spwd.db- sudoers/ sudoers.d/ doas.conf pam.d/ pam.conf security/"
    ),
    Reason.STARTUP: (
        "profile/ profile.d/ bash.bashrc bashrc bash/ zsh/ zshrc zshenv zprofile zlogin zlogout csh.cshrc"
        " csh.login csh.logout ksh.kshrc environment fish/ rc.local"
    ),
    Reason.CRONTAB: (
        "crontab anacrontab cron.d/ cron.hourly/ cron.daily/ cron.weekly/ cron.monthly/ cron.yearly/"
        " cron.allow cron.deny at.allow at.deny"
    ),
}
_IN_HOME = {
    Reason.SSH: ".ssh/",
    Reason.STARTUP: (
        ".bashrc .bash_rc .bashprofile .bash_profile .bashlogin .bash_login .bashlogout .bash_logout"
        " .bashaliases .bash_aliases .bashenv .bash_env .profile .zshrc .zshenv .zprofile .zlogin .zlogout"
        " .kshrc .cshrc .tshrc .shrc .tcshrc .login .logout .inputrc .pam_environment .xprofile .xsession"
        " .xinitrc .envrc .config/fish/ .config/environment.d/ .config/zsh/ .zsh/ library/launchagents/"
    ),
    Reason.GIT_INNER: ".gitconfig .config/git/config .config/git/hooks/",
}
_SPOOLS = "var/spool/cron/ var/spool/anacron/ var/spool/at/ var/at/"
_DISKS = "hda sda sdb vda xvda nvme0 nvme0n1 mmcblk0 disk0 rdisk0 mapper/ dm-0 md0 loop0 nbd0 block/ disk/"


class Place:
    """One name and what lies in it. `written`: why writing to it is critical; `deep`: and to all in it.

    `base`: what deleting it deletes.
    """

    __slots__ = ("base", "deep", "inner", "written")

    def __init__(self) -> None:
        self.inner: dict[str, Place] = {}
        self.written: Reason | None = None
        self.deep = False
        self.base: Reason | None = None

    def at(self, path: str) -> Place:
        """The place of a path from here, made if need be."""
        place = self
        for name in filter(None, path.split("/")):
            place = place.inner.setdefault(name, Place())
        return place

    def add(self, names: str, reason: Reason) -> None:
        """Note that writing to these files is critical; behind a slash, to all in it, too."""
        for name in names.split():
            place = self.at(name.rstrip("/"))
            place.written, place.deep = reason, name.endswith("/")

    def meant(self, name: Pattern) -> Iterator[Place]:
        """The places in this one that a name may mean."""
        if name.wild:
            yield from (place for each, place in self.inner.items() if each == ANY or name.fits(each))
        else:
            yield from (self.inner[each] for each in (name.text, ANY) if each in self.inner)


@lru_cache(maxsize=4)  # made when the first path is looked at: most runs never do
def places(home: str) -> Place:
    """The root of all that matters, for somebody whose home is this path."""
    root = Place()
    root.base = Reason.DELETES_ROOT
    for name in _ROOTS.split():
        root.at(name).base = Reason.DELETES_ROOT
    for etc in _ETC:
        _note(root.at(etc), _IN_ETC)
    root.add(_SPOOLS, Reason.CRONTAB)
    root.at("private").add(_SPOOLS, Reason.CRONTAB)
    root.add("usr/lib/cron/tabs/", Reason.CRONTAB)
    root.at("dev").add(_DISKS, Reason.DISK)
    root.add("proc/sysrq-trigger", Reason.DISK)
    for each in (*_HOMES, home):
        place = root.at(each)
        place.base = Reason.DELETES_HOME
        _note(place, _IN_HOME)
    above = root
    for name in filter(None, home.split("/")):
        above = above.at(name)
        above.base = Reason.DELETES_HOME
    return root


def _note(place: Place, table: dict[Reason, str]) -> None:
    for reason, names in table.items():
        place.add(names, reason)


def written(names: Sequence[Pattern], home: str) -> Reason | None:
    """Why writing to the file of these names is critical, by its place."""
    meant = [places(home)]
    for name in names:
        meant = [inner for place in meant for inner in place.meant(name)]
        if reason := next((place.written for place in meant if place.deep), None):
            return reason
        if not meant:
            return None
    return next((place.written for place in meant if place.written), None)


def base(names: Sequence[Pattern], home: str) -> Reason | None:
    """What deleting the folder of these names deletes: the root or a home."""
    meant = [places(home)]
    for name in names:
        meant = [inner for place in meant for inner in place.meant(name)]
        if not meant:
            return None
    found = {place.base for place in meant}
    return next((reason for reason in (Reason.DELETES_HOME, Reason.DELETES_ROOT) if reason in found), None)
