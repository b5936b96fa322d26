"""The texts that no log may hold: what stands in the secret places of a file and of all that it names.

Starts nothing, and takes from a broken file what can be read of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from mmconfigs.environ import filled, names_in, secret_texts
from mmconfigs.load import examine

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from mmconfigs import tree
    from mmconfigs.loaded import Loaded

SHORTEST: Final = 8
"""Characters of a value of `headers` or `env` that counts as a secret; shorter ones are settings (`true`)."""


def secrets_of(loaded: Loaded, tools: Collection[str], environ: Mapping[str, str]) -> frozenset[str]:
    """Return the secrets of a configuration and of the files that its entries name, however deep.

    Of any length: what `environ`, or an entry's `env`, holds for a variable that one of them names as
    `${NAME}`, every `apiKey`, and passwords in addresses. Else the longer values of `headers` and `env`.
    """
    every = tuple(_tree(loaded, tools))
    written = [found for each in every for found in secret_texts(each.raw)]
    names = {name for _, text in written for name in names_in(text)}
    values = {environ.get(name, "") for name in names}
    whole = ((path, filled(text, environ)) for path, text in written if all(map(environ.get, names_in(text))))
    values |= {value for path, text in whole for value in _values(path, text, names)}
    values |= {password for each in every for password in _passwords(each)}
    return frozenset(filter(None, values))


def _values(path: tree.Path, text: str, names: Collection[str]) -> Iterator[str]:
    """Yield what is secret of a text: all of it, and in a header the last word, as of `Bearer WORD`."""
    sure = path[-1] == "apiKey" or (path[-2] == "env" and path[-1] in names)
    parts = (text, text.rpartition(" ")[2]) if path[-2:-1] == ("headers",) else (text,)
    yield from (part for part in parts if sure or len(part) >= SHORTEST)


def _passwords(loaded: Loaded) -> Iterator[str]:
    """Yield the passwords in addresses, as they are written and as they are meant."""
    for each in loaded.in_place():
        for url in (each.config.base_url, *(server.url for server in each.config.mcp_servers.values())):
            if password := urlsplit(url or "").password:
                yield from (password, unquote(password))


def _tree(loaded: Loaded, tools: Collection[str]) -> Iterator[Loaded]:
    """Yield the configuration and those in the files that its entries name, each once."""
    waiting, seen = [loaded], set[str]()
    while waiting:
        each = waiting.pop()
        if each.identity not in seen:
            seen.add(each.identity)
            yield each
            found = (examine(path, (), tools=tools, environ=None)[0] for path in _named(each))
            waiting += filter(None, found)


def _named(loaded: Loaded) -> Iterator[Path]:
    """Yield the files that entries name, also those of configurations in place."""
    for each in loaded.in_place():
        for entry in each.config.mm_configs.values():
            if entry.path:
                yield each.resolve(entry.path)
