"""The texts that no log may hold: what stands in the secret places of a file and of all that it names.

Starts nothing, and takes from a broken file what can be read of it.
"""

from __future__ import annotations

from contextlib import suppress
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
    `${NAME}`, every other text that may name one, such as `apiKey`, and passwords in addresses. Of `headers`
    and `env` only the longer values.
    """
    every = tuple(_tree(loaded, tools))
    written = [found for each in every for found in secret_texts(each.raw)]
    names = {name for _, text in written for name in names_in(text)}
    values = {environ.get(name, "") for name in names}
    whole = ((path, filled(text, environ)) for path, text in written if all(map(environ.get, names_in(text))))
    values |= {value for path, text in whole for value in _values(path, text, names)}
    values |= {word for each in every for address in _addresses(each) for word in _password(address)}
    return frozenset(filter(None, values))


def _values(path: tree.Path, text: str, names: Collection[str]) -> Iterator[str]:
    """Yield what is secret of a text: all of it, and in a header the last word, as of `Bearer WORD`."""
    yield from _password(text)
    match path:
        case (*_, "headers", _):
            yield from (part for part in (text, text.rpartition(" ")[2]) if len(part) >= SHORTEST)
        case (*_, "env", name) if name not in names and len(text) < SHORTEST:
            pass
        case _:
            yield text


def _addresses(loaded: Loaded) -> Iterator[str]:
    """Yield the addresses of servers, where no `${NAME}` may stand."""
    for each in loaded.in_place():
        yield each.config.base_url or ""
        yield from (server.url or "" for server in each.config.mcp_servers.values())


def _password(address: str) -> Iterator[str]:
    """Yield the password in an address, as it is written and as it is meant."""
    with suppress(ValueError):  # no address
        if password := urlsplit(address).password:
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
